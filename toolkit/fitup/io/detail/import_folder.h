#pragma once

#include <filesystem>

namespace fitup::detail {

/// A folder of its own for what an importer hands back, below the system's folder for temporary files;
/// removed with all that is in it. Its name is `fitup-import-` and six characters; it is locked while this
/// object lives, so that the next import removes what a killed process left.
class ImportFolder {
 public:
  /// Throws FileError.
  ImportFolder();
  ~ImportFolder();
  ImportFolder(const ImportFolder&) = delete;
  ImportFolder& operator=(const ImportFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace fitup::detail

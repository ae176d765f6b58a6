#pragma once

#include <filesystem>

namespace fitup::detail {

/// A folder of its own for what an importer hands back, below the system's folder for temporary files;
/// removed with all that is in it. Its name is `fitup-import-` and six letters or digits; it is locked while
/// this object lives, so that the next import removes what a killed process left. A folder of such a name
/// that holds anything else is left alone.
class ImportFolder {
 public:
  /// What an importer writes there.
  static constexpr const char* modelName = "import.fitup";

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

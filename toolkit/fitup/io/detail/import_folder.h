#pragma once

#include <filesystem>
#include <optional>

#include <fitup/base/digest.h>
#include <fitup/base/work_meter.h>

namespace fitup::detail {

/// Without links. Throws FileError.
std::filesystem::path canonicalFolder(const std::filesystem::path& folder);
/// Whether `path` is `folder` or in it; both without links and in their shortest form.
bool isBelow(const std::filesystem::path& folder, const std::filesystem::path& path);

/// A private folder for what an importer reads and hands back, below the system's folder for temporary files;
/// removed with all that is in it. Its name is `fitup-import-` and six letters or digits; it is locked while
/// this object lives, so that the next import removes what a killed process left. A folder of such a name
/// that holds anything else is left alone.
class ImportFolder {
 public:
  /// What an importer writes there.
  static constexpr const char* modelName = "import.fitup";
  /// A folder: copies of the files that are imported.
  static constexpr const char* copiesName = "files";

  /// Throws FileError.
  ImportFolder();
  ~ImportFolder();
  ImportFolder(const ImportFolder&) = delete;
  ImportFolder& operator=(const ImportFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path model() const { return path_ / modelName; }
  /// Is there, and empty at first.
  [[nodiscard]] std::filesystem::path copies() const { return path_ / copiesName; }

  struct Copy {
    std::filesystem::path file;  ///< from `copies()` on as the source is from `root`
    std::filesystem::path root;  ///< without links
    Digest digest;
  };
  /// Copies a file that is to be imported. It must lie below `root`; unset: its own folder. Throws
  /// InputError, FileError, CancelledError.
  [[nodiscard]] Copy copy(const std::filesystem::path& source,
                          const std::optional<std::filesystem::path>& root,
                          const WorkMeter& meter = {}) const;

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace fitup::detail

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <fitup/base/digest.h>
#include <fitup/base/work_meter.h>

namespace FITUP_EXPORT fitup {

/// The path of the folder with all links resolved. Throws FileError.
std::filesystem::path canonicalFolder(const std::filesystem::path& folder);
/// True if `path` is `folder` or lies in it. Both must be canonical paths.
bool isBelow(const std::filesystem::path& folder, const std::filesystem::path& path);

/// A private folder for the input and output of an importer, below the system's folder for temporary files.
/// It is removed with all its contents. Its name is `fitup-import-` and six letters or digits. It is locked
/// while this object lives, so that the next import can remove what a killed process left. A folder with such
/// a name that holds anything else is left alone.
///
/// The folder is held open: this class makes, reads and removes files in the folder that it made, even if
/// somebody who may write above it replaces it. Only other processes, such as importers, use its path.
class ImportFolder {
 public:
  /// The file that an importer writes there.
  static constexpr const char* modelName = "import.fitup";
  /// The folder for copies of the imported files.
  static constexpr const char* copiesName = "files";

  /// Makes the folder. Throws FileError, also if anybody can write to a folder above it, or a group can write
  /// to one of another user, unless that folder is sticky, such as /tmp.
  ImportFolder();
  ~ImportFolder();
  ImportFolder(const ImportFolder&) = delete;
  ImportFolder& operator=(const ImportFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path model() const { return path_ / modelName; }
  /// Exists, and is empty at first.
  [[nodiscard]] std::filesystem::path copies() const { return path_ / copiesName; }
  /// The file that the importer wrote, for reading in this process.
  [[nodiscard]] std::filesystem::path openModel() const { return inside() / modelName; }
  /// Folders nested more deeply than this are not counted.
  static constexpr int deepest = 200;
  /// Bytes on disk of everything in the folder, at least a page for each file and folder. Not set if folders
  /// are nested too deeply.
  [[nodiscard]] std::optional<std::uintmax_t> bytes() const;

  /// A copy of an imported file.
  struct Copy {
    std::filesystem::path file;  ///< relative to `copies()` as the source is to `root`
    std::filesystem::path root;  ///< canonical
    Digest digest;
  };
  /// Copies a file for the import. It must be below `root`; unset: its own folder. Throws InputError,
  /// FileError, CancelledError.
  [[nodiscard]] Copy copy(const std::filesystem::path& source,
                          const std::optional<std::filesystem::path>& root,
                          const WorkMeter& meter = {}) const;

 private:
  /// The folder itself, even if its path leads elsewhere in the meantime.
  [[nodiscard]] std::filesystem::path inside() const;
  std::filesystem::path path_;
  int open_ = -1;  ///< carries the lock
};

}  // namespace fitup

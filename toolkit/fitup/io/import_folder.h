#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <fitup/base/digest.h>
#include <fitup/base/work_meter.h>

namespace FITUP_EXPORT fitup {

/// Without links. Throws FileError.
std::filesystem::path canonicalFolder(const std::filesystem::path& folder);
/// Whether `path` is `folder` or in it; both without links and in their shortest form.
bool isBelow(const std::filesystem::path& folder, const std::filesystem::path& path);

/// A private folder for what an importer reads and hands back, below the system's folder for temporary files;
/// removed with all that is in it. Its name is `fitup-import-` and six letters or digits; it is locked while
/// this object lives, so that the next import removes what a killed process left. A folder of such a name
/// that holds anything else is left alone.
///
/// Held open: what is made, read and removed here is in the folder that was made, also where somebody who may
/// write above it puts another one in its place. By its names only others use it, such as importers.
class ImportFolder {
 public:
  /// What an importer writes there.
  static constexpr const char* modelName = "import.fitup";
  /// A folder: copies of the files that are imported.
  static constexpr const char* copiesName = "files";

  /// Throws FileError; also where anybody may write to a folder above it, or a group to one of another user,
  /// unless it is sticky, as /tmp.
  ImportFolder();
  ~ImportFolder();
  ImportFolder(const ImportFolder&) = delete;
  ImportFolder& operator=(const ImportFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path model() const { return path_ / modelName; }
  /// Is there, and empty at first.
  [[nodiscard]] std::filesystem::path copies() const { return path_ / copiesName; }
  /// What an importer wrote, for this process to read.
  [[nodiscard]] std::filesystem::path openModel() const { return inside() / modelName; }
  /// Bytes of disk that all in it takes, a page at least for each file and folder; the largest number where
  /// folders are nested so deep that nobody counts them.
  [[nodiscard]] std::uintmax_t bytes() const;

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
  /// The folder itself, whatever its name leads to by now.
  [[nodiscard]] std::filesystem::path inside() const;
  std::filesystem::path path_;
  int open_ = -1;  ///< carries the lock
};

}  // namespace fitup

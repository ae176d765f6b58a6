#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fitup/base/error.h>

namespace FITUP_EXPORT fitup {

/// The version of a file's contents, or its absence. A program that saves again can tell whether somebody
/// else has changed the file. Equal contents have equal versions, whenever they were written.
struct FileVersion {
  std::optional<std::uint64_t> hash;  ///< `ContentHash` of the bytes; unset: there was no file
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

FileVersion versionOf(std::string_view contents) noexcept;
/// The version of the file at this path; links are followed. Throws FileError for a file that exists and
/// cannot be read.
FileVersion versionAt(const std::filesystem::path& file);

/// A file that was to be replaced does not have the expected version; nothing was written.
class FileChangedError : public FileError {
 public:
  FileChangedError(const std::string& file, const FileVersion& expected, const FileVersion& found);
  /// The version that was found.
  [[nodiscard]] const FileVersion& found() const noexcept { return found_; }

 private:
  FileVersion found_;
};

}  // namespace fitup

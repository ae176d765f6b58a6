#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fitup/base/error.h>

namespace FITUP_EXPORT fitup {

/// Which contents a file had, or that there was none: whoever saves again can see by it whether somebody else
/// has changed the file since. Equal for equal contents, whenever they were written.
struct FileVersion {
  std::optional<std::uint64_t> hash;  ///< `ContentHash` of the bytes; unset: there was no file
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

FileVersion versionOf(std::string_view contents) noexcept;
/// Of what lies there now, behind links. Throws FileError for what is there and cannot be read.
FileVersion versionAt(const std::filesystem::path& file);

/// A file was to be replaced, but is not what it was expected to be; nothing was written.
class FileChangedError : public FileError {
 public:
  FileChangedError(const std::string& file, const FileVersion& expected, const FileVersion& found);
  /// What lies there instead.
  [[nodiscard]] const FileVersion& found() const noexcept { return found_; }

 private:
  FileVersion found_;
};

}  // namespace fitup

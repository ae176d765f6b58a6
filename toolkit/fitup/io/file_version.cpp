#include <fitup/io/file_version.h>

#include <fitup/base/hash.h>
#include <fitup/io/file_bytes.h>

namespace fitup {
namespace {

std::string problemOf(const FileVersion& expected, const FileVersion& found) {
  if (!found.hash) return "no longer exists";
  return expected.hash ? "has been changed by another program since it was read" : "already exists";
}

}  // namespace

FileVersion versionOf(std::string_view contents) noexcept {
  ContentHash hash;
  hash.addText(contents);
  return {hash.value()};
}

FileVersion versionAt(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  return versionOf(FileBytes::read(file)->text());
}

FileChangedError::FileChangedError(const std::string& file, const FileVersion& expected,
                                   const FileVersion& found)
    : FileError(file + ": " + problemOf(expected, found) + "; it was not replaced"), found_(found) {}

}  // namespace fitup

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace fitup {

/// A file mapped read-only into memory. Immutable; arrays that live in it share its ownership.
///
/// The file must not be changed in place while it is mapped; this project replaces files by renaming, which
/// leaves the mapped one as it was.
class MappedFile {
 public:
  /// Throws FileError that names the file and the system's reason (also for folders).
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& file);
  /// The same bytes in memory of their own, as if they were a file that is mapped. Throws std::bad_alloc.
  static std::shared_ptr<const MappedFile> copyOf(std::span<const std::byte> bytes);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Starts at a page boundary; empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  /// The same bytes as text.
  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace fitup

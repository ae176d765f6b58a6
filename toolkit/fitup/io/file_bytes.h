#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A file whose bytes are read in pieces. Const means thread-safe.
///
/// Another program may write to the file in the meantime. Call `expectUnchanged` after the last read.
class FileReader {
 public:
  /// Opens the file. Throws FileError, which names the file and the system's reason (also for folders, pipes
  /// and devices).
  explicit FileReader(const std::filesystem::path& file);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  /// Number of bytes when the file was opened.
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(opened_.st_size); }
  /// Fills `to` with the bytes from `begin` on. Precondition: they lie within `size`. Throws FileError, also
  /// if the file has become shorter.
  void read(std::size_t begin, std::span<std::byte> to) const;
  /// Throws FileError if the file changed since it was opened, judged by its size and the times of its last
  /// changes, to the precision of the file system. A replacement of the file, which leaves the open bytes
  /// unchanged, does not count.
  void expectUnchanged() const;

 private:
  friend class FileBytes;
  [[noreturn]] void fail(const std::string& reason) const;
  std::string name_;
  int descriptor_ = -1;
  struct stat opened_ {};
};

/// The bytes of a file. Arrays that refer to them share their ownership.
class FileBytes {
 public:
  /// Reads the file into memory of its own, so later changes to the file do not matter. Throws as
  /// `FileReader`, and std::bad_alloc. Also throws FileError if the file changed while it was read, or has
  /// more bytes than `largest` or than the machine has memory (a sparse file can be that large).
  static std::shared_ptr<const FileBytes> read(const std::filesystem::path& file,
                                               std::uint64_t largest = UINT64_MAX);
  /// The same without reading; call `load` for the bytes.
  static std::shared_ptr<FileBytes> open(const std::filesystem::path& file,
                                         std::uint64_t largest = UINT64_MAX);
  /// Maps the file into memory, which costs nothing until the bytes are used. For files in folders that
  /// nobody else can write: a change in place changes the bytes, and a truncated file ends the program.
  /// Throws as `FileReader`.
  static std::shared_ptr<const FileBytes> map(const std::filesystem::path& file);
  /// Copies the bytes to memory of its own, as if they were a file that was read. Throws std::bad_alloc.
  static std::shared_ptr<const FileBytes> copyOf(std::span<const std::byte> bytes);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  /// Starts at a page boundary; empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  /// The same bytes as text.
  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }

  /// Fills this part of `bytes` from an open file. Several threads may load different parts. Throws
  /// FileError.
  void load(std::size_t begin, std::size_t size);
  /// Calls `FileReader::expectUnchanged` for an open file, then closes it.
  void finish();

 private:
  FileBytes() = default;
  void allocate(std::size_t size);
  std::span<std::byte> bytes_;
  std::optional<FileReader> file_;
};

}  // namespace fitup

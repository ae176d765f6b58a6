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

/// A file whose bytes are read piece by piece. Const means thread-safe.
///
/// Another program may write to the file meanwhile: whoever has read all that is wanted asks whether it did.
class FileReader {
 public:
  /// Throws FileError that names the file and the system's reason (also for folders, pipes and devices).
  explicit FileReader(const std::filesystem::path& file);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  /// When it was opened.
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(opened_.st_size); }
  /// Fills `to` with the bytes from `begin` on. Precondition: they lie within `size`. Throws FileError; also
  /// where the file has become shorter.
  void read(std::size_t begin, std::span<std::byte> to) const;
  /// Throws FileError if the file is not as it was opened: by its size and the times of its last changes, as
  /// precise as the file system keeps them. That it was replaced, which leaves its bytes as they were, does
  /// not count.
  void expectUnchanged() const;

 private:
  friend class FileBytes;
  [[noreturn]] void fail(const std::string& reason) const;
  std::string name_;
  int descriptor_ = -1;
  struct stat opened_ {};
};

/// The bytes of a file. Arrays that live in them share their ownership.
class FileBytes {
 public:
  /// In memory of their own, so that nothing that becomes of the file matters. Throws as `FileReader`, also
  /// if the file changed while it was read, has more bytes than `largest` or more than this machine has
  /// memory: of that, a file that consists of holes may have any number; std::bad_alloc.
  static std::shared_ptr<const FileBytes> read(const std::filesystem::path& file,
                                               std::uint64_t largest = UINT64_MAX);
  /// The same without the bytes, which `load` reads.
  static std::shared_ptr<FileBytes> open(const std::filesystem::path& file,
                                         std::uint64_t largest = UINT64_MAX);
  /// Mapped into memory, which costs nothing until they are looked at. For files in folders that nobody else
  /// can write: one that is changed in place changes the bytes, and one that is cut off ends the program.
  /// Throws as `FileReader`.
  static std::shared_ptr<const FileBytes> map(const std::filesystem::path& file);
  /// The same bytes in memory of their own, as if they were a file that was read. Throws std::bad_alloc.
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

  /// Of a file that is open: fills this part of `bytes`. Several threads may load different parts. Throws
  /// FileError.
  void load(std::size_t begin, std::size_t size);
  /// Of a file that is open: `FileReader::expectUnchanged`, then closes it.
  void finish();

 private:
  FileBytes() = default;
  void allocate(std::size_t size);
  std::span<std::byte> bytes_;
  std::optional<FileReader> file_;
};

}  // namespace fitup

#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/shared_array.h>
#include <fitup/base/work_meter.h>
#include <fitup/io/file_bytes.h>

namespace fitup::detail {

/// The content of a block of a model file; the numbers are part of the format (docs/reference/model-file.md).
enum class BlockKind : std::uint32_t {
  source = 1,
  warnings = 2,
  tree = 3,
  mesh = 4,
  points = 5,
  triangles = 6,
  sourceTriangles = 7,
  trees = 8,
  treeEntries = 9,
  treeRoots = 10,
  wideTree = 11,
  wideNodes = 12,
  wideFrames = 13,
  wideLeaves = 14,
  wideCylinders = 15,
  featureEdges = 16,
  edgePoints = 17,
  exactShape = 18,
};
inline constexpr BlockKind lastBlockKind = BlockKind::exactShape;

/// "points of mesh 3", for messages.
std::string blockName(BlockKind kind, std::uint32_t index);

/// Version of the format that is written, and the oldest version that can be read.
inline constexpr std::uint32_t modelFileVersion = 6, oldestModelFileVersion = 4;
/// Blocks start at multiples of this, so that every array type is aligned in the bytes of the file.
inline constexpr std::size_t blockAlignment = 64;

/// Collects blocks and writes them after a header and a directory. Arrays are not copied: they must live
/// until `write` returns.
class BlockFileWriter {
 public:
  void add(BlockKind kind, std::uint32_t index, std::string bytes);
  template <typename T>
  void addArray(BlockKind kind, std::uint32_t index, std::span<const T> values) {
    addView(kind, index, std::as_bytes(values));
  }
  /// Writes the file atomically. Throws FileError, and CancelledError, which leaves the old file.
  void write(const std::filesystem::path& file, const Progress& progress = {}) const;
  /// Writes the bytes of such a file. Throws CancelledError.
  void write(std::ostream& stream, const Progress& progress = {}) const;

 private:
  struct Block {
    BlockKind kind;
    std::uint32_t index;
    std::span<const std::byte> bytes;
    std::shared_ptr<const std::string> owned;
  };
  void addView(BlockKind kind, std::uint32_t index, std::span<const std::byte> bytes);
  std::vector<Block> blocks_;
};

/// A file of blocks. Header and directory are checked on opening, a block on its first use. Throws FileError
/// (cannot be opened, changed meanwhile), InputError that names file and block, and CancelledError.
class BlockFileReader {
 public:
  /// Opens a file. Each block is read into memory on its first use.
  explicit BlockFileReader(const std::filesystem::path& file, Progress progress = {});
  /// Takes bytes in memory, or mapped. `name` stands for the file in messages.
  BlockFileReader(std::shared_ptr<const FileBytes> file, std::string name, Progress progress = {});

  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
  [[nodiscard]] bool has(BlockKind kind, std::uint32_t index) const;
  /// The bytes of a block with a correct checksum. Not thread-safe.
  [[nodiscard]] std::span<const std::byte> block(BlockKind kind, std::uint32_t index) const;
  /// Reads all large blocks, on all threads.
  void readLargeBlocks() const;
  /// Call after the last block is read: throws FileError if the file changed meanwhile.
  void finish() const {
    if (unread_) unread_->finish();
  }
  /// A block as an array that stays in place and shares ownership of the file's bytes.
  template <typename T>
  [[nodiscard]] SharedArray<T> array(BlockKind kind, std::uint32_t index) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= blockAlignment);
    const auto bytes = block(kind, index);
    if (bytes.size() % sizeof(T) != 0) fail(kind, index, "is not a whole number of elements");
    return {std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)), file_};
  }
  /// The same; empty if there is no such block.
  template <typename T>
  [[nodiscard]] SharedArray<T> arrayIfAny(BlockKind kind, std::uint32_t index) const {
    return has(kind, index) ? array<T>(kind, index) : SharedArray<T>();
  }
  [[noreturn]] void fail(BlockKind kind, std::uint32_t index, const std::string& problem) const;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Counts the bytes of the blocks read.
  [[nodiscard]] const WorkMeter& meter() const noexcept { return meter_; }

 private:
  struct Entry {
    std::span<const std::byte> bytes;
    std::uint64_t checksum = 0;
    /// A block is never read again after its first use, because the file may have changed.
    mutable bool read = false;
  };
  BlockFileReader(std::shared_ptr<const FileBytes> file, std::shared_ptr<FileBytes> unread, std::string name,
                  Progress progress);
  void load(std::span<const std::byte> bytes) const;

  std::string name_;
  Progress progress_;
  std::shared_ptr<const FileBytes> file_;
  std::shared_ptr<FileBytes> unread_;  ///< the same file, if its bytes are still to be loaded
  WorkMeter meter_;
  std::uint32_t version_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Entry> blocks_;
};

}  // namespace fitup::detail

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
#include <fitup/io/mapped_file.h>

namespace fitup::detail {

/// What a block of a model file holds; the numbers are part of the format (docs/formats/model-file.md).
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
};

/// "points of mesh 3", for messages.
std::string blockName(BlockKind kind, std::uint32_t index);

/// Version of the format that is written and the only one that is read.
inline constexpr std::uint32_t modelFileVersion = 5;
/// Blocks start at multiples of this, so that every array type is aligned in the mapping.
inline constexpr std::size_t blockAlignment = 64;

/// Collects blocks and writes them behind a header and a directory. Arrays are viewed, not copied: they must
/// live until `write` returns.
class BlockFileWriter {
 public:
  void add(BlockKind kind, std::uint32_t index, std::string bytes);
  template <typename T>
  void addArray(BlockKind kind, std::uint32_t index, std::span<const T> values) {
    addView(kind, index, std::as_bytes(values));
  }
  /// Atomically; throws FileError, and CancelledError, which leaves the old file.
  void write(const std::filesystem::path& file, const Progress& progress = {}) const;
  /// The bytes that such a file holds. Throws CancelledError.
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

/// A mapped file of blocks. Header and directory are checked when it is opened, a block when it is asked for.
/// Throws FileError (cannot be opened), InputError that names file and block, and CancelledError.
class BlockFileReader {
 public:
  explicit BlockFileReader(const std::filesystem::path& file, Progress progress = {});
  /// `name` stands for the file in messages.
  BlockFileReader(std::shared_ptr<const MappedFile> file, std::string name, Progress progress = {});

  [[nodiscard]] bool has(BlockKind kind, std::uint32_t index) const;
  /// The bytes of a block whose checksum agrees.
  [[nodiscard]] std::span<const std::byte> block(BlockKind kind, std::uint32_t index) const;
  /// A block as an array that stays in the mapping and keeps it.
  template <typename T>
  [[nodiscard]] SharedArray<T> array(BlockKind kind, std::uint32_t index) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= blockAlignment);
    const auto bytes = block(kind, index);
    if (bytes.size() % sizeof(T) != 0) fail(kind, index, "is not a whole number of elements");
    return {std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)), file_};
  }
  [[noreturn]] void fail(BlockKind kind, std::uint32_t index, const std::string& problem) const;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Counts the bytes of the blocks that were read.
  [[nodiscard]] const WorkMeter& meter() const noexcept { return meter_; }

 private:
  struct Entry {
    std::span<const std::byte> bytes;
    std::uint64_t checksum = 0;
  };
  std::string name_;
  Progress progress_;
  std::shared_ptr<const MappedFile> file_;
  WorkMeter meter_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Entry> blocks_;
};

}  // namespace fitup::detail

#include <fitup/io/detail/block_file.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ostream>
#include <type_traits>
#include <vector>

#include <fitup/base/hash.h>
#include <fitup/base/parallel.h>
#include <fitup/io/atomic_file.h>

namespace fitup::detail {
namespace {

constexpr std::array<char, 8> magic{'F', 'I', 'T', 'U', 'P', 'M', 'D', 'L'};

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t blockCount;
  std::uint64_t fileSize;
  std::uint64_t directoryOffset;
  std::uint64_t directoryChecksum;
  std::uint64_t headerChecksum;  ///< of the fields above
};
static_assert(sizeof(Header) == 48 && std::is_trivially_copyable_v<Header>);

struct DirectoryEntry {
  std::uint32_t kind;
  std::uint32_t index;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum;
};
static_assert(sizeof(DirectoryEntry) == 32 && std::is_trivially_copyable_v<DirectoryEntry>);

std::uint64_t checksumOf(const Header& header) {
  return blockChecksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, headerChecksum)));
}

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + blockAlignment - 1) / blockAlignment * blockAlignment;
}

void writeBytes(std::ostream& stream, std::span<const std::byte> bytes, const WorkMeter& meter = {}) {
  constexpr std::size_t piece = std::size_t{1} << 22;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto part = bytes.subspan(at, std::min(piece, bytes.size() - at));
    meter.advance(part.size());
    stream.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
  }
}

}  // namespace

std::string blockName(BlockKind kind, std::uint32_t index) {
  const std::string ofMesh = " of mesh " + std::to_string(index);
  switch (kind) {
    case BlockKind::source:
      return "source";
    case BlockKind::warnings:
      return "warnings";
    case BlockKind::tree:
      return "assembly tree";
    case BlockKind::mesh:
      return "surfaces" + ofMesh;
    case BlockKind::points:
      return "points" + ofMesh;
    case BlockKind::triangles:
      return "triangles" + ofMesh;
    case BlockKind::sourceTriangles:
      return "source triangles" + ofMesh;
    case BlockKind::trees:
      return "R-trees" + ofMesh;
    case BlockKind::treeEntries:
      return "R-tree entries" + ofMesh;
    case BlockKind::treeRoots:
      return "R-tree roots" + ofMesh;
    case BlockKind::wideTree:
      return "wide tree" + ofMesh;
    case BlockKind::wideNodes:
      return "wide tree's nodes" + ofMesh;
    case BlockKind::wideFrames:
      return "wide tree's frames" + ofMesh;
    case BlockKind::wideLeaves:
      return "wide tree's leaves" + ofMesh;
    case BlockKind::wideCylinders:
      return "wide tree's cylinders" + ofMesh;
    case BlockKind::featureEdges:
      return "feature edges" + ofMesh;
    case BlockKind::edgePoints:
      return "points of feature edges" + ofMesh;
    case BlockKind::exactShape:
      return "exact shape" + ofMesh;
  }
  return "unknown";
}

void BlockFileWriter::add(BlockKind kind, std::uint32_t index, std::string bytes) {
  auto owned = std::make_shared<const std::string>(std::move(bytes));
  const auto view = std::as_bytes(std::span(*owned));
  blocks_.push_back({kind, index, view, std::move(owned)});
}

void BlockFileWriter::addView(BlockKind kind, std::uint32_t index, std::span<const std::byte> bytes) {
  blocks_.push_back({kind, index, bytes, nullptr});
}

void BlockFileWriter::write(const std::filesystem::path& file, const Progress& progress) const {
  writeFileAtomically(
      file, [&](std::ostream& stream) { write(stream, progress); }, progress);
}

void BlockFileWriter::write(std::ostream& stream, const Progress& progress) const {
  std::uint64_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.bytes.size();
  const WorkMeter meter(progress, "writing model file", 2 * bytes);  // for checksums and for writing
  std::vector<DirectoryEntry> directory;
  std::uint64_t end = sizeof(Header) + blocks_.size() * sizeof(DirectoryEntry);
  for (const Block& block : blocks_) {
    const std::uint64_t offset = aligned(end);
    directory.push_back({static_cast<std::uint32_t>(block.kind), block.index, offset, block.bytes.size(),
                         blockChecksum(block.bytes, meter)});
    end = offset + block.bytes.size();
  }
  const auto directoryBytes = std::as_bytes(std::span(directory));
  Header header{magic, modelFileVersion, static_cast<std::uint32_t>(blocks_.size()),
                end,   sizeof(Header),   blockChecksum(directoryBytes),
                0};
  header.headerChecksum = checksumOf(header);

  constexpr std::array<std::byte, blockAlignment> zeros{};
  writeBytes(stream, std::as_bytes(std::span(&header, 1)));
  writeBytes(stream, directoryBytes);
  std::uint64_t at = sizeof header + directoryBytes.size();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    writeBytes(stream, std::span(zeros).first(directory[i].offset - at));
    writeBytes(stream, blocks_[i].bytes, meter);
    at = directory[i].offset + directory[i].size;
  }
  meter.finish();
}

BlockFileReader::BlockFileReader(const std::filesystem::path& file, Progress progress)
    : BlockFileReader(nullptr, FileBytes::open(file), file.string(), std::move(progress)) {}

BlockFileReader::BlockFileReader(std::shared_ptr<const FileBytes> file, std::string name, Progress progress)
    : BlockFileReader(std::move(file), nullptr, std::move(name), std::move(progress)) {}

BlockFileReader::BlockFileReader(std::shared_ptr<const FileBytes> file, std::shared_ptr<FileBytes> unread,
                                 std::string name, Progress progress)
    : name_(std::move(name)),
      progress_(std::move(progress)),
      file_(unread ? unread : std::move(file)),
      unread_(std::move(unread)),
      meter_(progress_, "opening model file", file_->bytes().size()) {
  const auto bytes = file_->bytes();
  const auto failHeader = [&](const std::string& problem) { throw InputError(name_, "header", problem); };
  Header header{};
  load(bytes.first(std::min(bytes.size(), sizeof header)));
  if (bytes.size() < sizeof magic || std::memcmp(bytes.data(), magic.data(), sizeof magic) != 0)
    failHeader("not a Fitup model file");
  if (bytes.size() < sizeof header) failHeader("truncated");
  std::memcpy(&header, bytes.data(), sizeof header);
  // The version comes first: another version may have its checksum elsewhere.
  if (header.version < oldestModelFileVersion || header.version > modelFileVersion)
    failHeader("format version " + std::to_string(header.version) + "; this program reads versions " +
               std::to_string(oldestModelFileVersion) + " to " + std::to_string(modelFileVersion));
  version_ = header.version;
  if (header.headerChecksum != checksumOf(header)) failHeader("damaged (checksum differs)");
  if (header.fileSize != bytes.size())
    failHeader("the file has " + std::to_string(bytes.size()) + " bytes instead of " +
               std::to_string(header.fileSize));
  const std::uint64_t directorySize = std::uint64_t{header.blockCount} * sizeof(DirectoryEntry);
  if (header.directoryOffset > bytes.size() || directorySize > bytes.size() - header.directoryOffset)
    throw InputError(name_, "block directory", "lies outside the file");
  const auto directoryBytes = bytes.subspan(header.directoryOffset, directorySize);
  load(directoryBytes);
  if (blockChecksum(directoryBytes) != header.directoryChecksum)
    throw InputError(name_, "block directory", "damaged (checksum differs)");

  struct Place {
    std::uint64_t begin, end;
    BlockKind kind;
    std::uint32_t index;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < header.blockCount; ++i) {
    DirectoryEntry entry{};
    std::memcpy(&entry, directoryBytes.data() + i * sizeof entry, sizeof entry);
    const auto kind = static_cast<BlockKind>(entry.kind);
    if (entry.offset % blockAlignment != 0 || entry.offset > bytes.size() ||
        entry.size > bytes.size() - entry.offset)
      fail(kind, entry.index, "lies outside the file");
    const Entry block{bytes.subspan(entry.offset, entry.size), entry.checksum, false};
    if (entry.size > 0) places.push_back({entry.offset, entry.offset + entry.size, kind, entry.index});
    if (!blocks_.emplace(std::pair(entry.kind, entry.index), block).second)
      fail(kind, entry.index, "occurs twice");
  }
  // Blocks that share bytes would make a small file a large model.
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].begin < places[i - 1].end) fail(places[i].kind, places[i].index, "overlaps another one");
}

bool BlockFileReader::has(BlockKind kind, std::uint32_t index) const {
  return blocks_.contains({static_cast<std::uint32_t>(kind), index});
}

void BlockFileReader::load(std::span<const std::byte> bytes) const {
  if (unread_ && !bytes.empty())
    unread_->load(static_cast<std::size_t>(bytes.data() - file_->bytes().data()), bytes.size());
}

std::span<const std::byte> BlockFileReader::block(BlockKind kind, std::uint32_t index) const {
  const auto found = blocks_.find({static_cast<std::uint32_t>(kind), index});
  if (found == blocks_.end()) fail(kind, index, "is missing");
  const Entry& entry = found->second;
  if (entry.read) return entry.bytes;
  // The checksum is computed piece by piece, while the bytes are still in the processor's cache.
  constexpr std::size_t piece = std::size_t{1} << 18;
  static_assert(piece % RunningChecksum::granularity == 0);
  RunningChecksum sum(entry.bytes.size());
  for (std::size_t at = 0; at < entry.bytes.size(); at += piece) {
    const auto part = entry.bytes.subspan(at, std::min(piece, entry.bytes.size() - at));
    load(part);
    sum.add(part);
    meter_.advance(part.size());
  }
  if (sum.value() != entry.checksum) fail(kind, index, "damaged (checksum differs)");
  entry.read = true;
  return entry.bytes;
}

void BlockFileReader::readLargeBlocks() const {
  constexpr std::size_t large = std::size_t{1} << 24;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;  // by index, then kind
  for (const auto& [key, entry] : blocks_)
    if (entry.bytes.size() >= large) blocks.emplace_back(key.second, key.first);
  std::sort(blocks.begin(), blocks.end());
  parallelFor(blocks.size(), 0, [&](std::size_t i, unsigned) {
    (void)block(static_cast<BlockKind>(blocks[i].second), blocks[i].first);
  });
}

void BlockFileReader::fail(BlockKind kind, std::uint32_t index, const std::string& problem) const {
  throw InputError(name_, "block " + blockName(kind, index), problem);
}

}  // namespace fitup::detail

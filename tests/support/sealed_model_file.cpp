#include "sealed_model_file.h"

#include <cstring>
#include <fstream>
#include <span>
#include <utility>

#include <fitup/base/hash.h>

namespace fitup::test {
namespace {

struct Header {
  char magic[8];
  std::uint32_t version, blockCount;
  std::uint64_t fileSize, directoryOffset, directoryChecksum, headerChecksum;
};
static_assert(sizeof(Header) == 48 && sizeof(ModelFileBlock) == 32);

std::uint64_t checksumOf(std::string_view bytes) { return blockChecksum(std::as_bytes(std::span(bytes))); }

}  // namespace

std::string sealedModelFile(std::string_view file, const std::function<void(ModelFileBlock&)>& change,
                            std::uint32_t version) {
  std::string bytes(file);
  Header header{};
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(header.magic, "FITUPMDL", sizeof header.magic);
  header.version = version;
  header.fileSize = bytes.size();
  const std::uint64_t directorySize = std::uint64_t{header.blockCount} * sizeof(ModelFileBlock);
  if (header.directoryOffset <= bytes.size() && directorySize <= bytes.size() - header.directoryOffset) {
    for (std::uint32_t i = 0; i < header.blockCount; ++i) {
      const std::size_t at = header.directoryOffset + i * sizeof(ModelFileBlock);
      ModelFileBlock block{};
      std::memcpy(&block, bytes.data() + at, sizeof block);
      if (change) change(block);
      if (block.offset <= bytes.size() && block.size <= bytes.size() - block.offset)
        block.checksum = checksumOf(std::string_view(bytes).substr(block.offset, block.size));
      std::memcpy(bytes.data() + at, &block, sizeof block);
    }
    header.directoryChecksum =
        checksumOf(std::string_view(bytes).substr(header.directoryOffset, directorySize));
  }
  header.headerChecksum =
      checksumOf({reinterpret_cast<const char*>(&header), sizeof header - sizeof(std::uint64_t)});
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

void rewriteModelFile(const std::filesystem::path& from, const std::filesystem::path& to,
                      detail::BlockKind changed, const std::function<void(std::string&)>& change) {
  using detail::BlockKind;
  const detail::BlockFileReader file(from);
  detail::BlockFileWriter out;
  for (auto kind = BlockKind::source; kind <= detail::lastBlockKind;
       kind = static_cast<BlockKind>(static_cast<std::uint32_t>(kind) + 1)) {
    if (!file.has(kind, 0)) continue;
    const auto bytes = file.block(kind, 0);
    std::string copy(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (kind == changed) change(copy);
    if (kind != changed || !copy.empty()) out.add(kind, 0, std::move(copy));
  }
  std::ofstream stream(to, std::ios::binary);  // not flushed to the disk, because tests write many files
  out.write(stream);
}

}  // namespace fitup::test

#include "sealed_model_file.h"

#include <cstring>
#include <span>

#include <fitup/base/hash.h>
#include <fitup/io/detail/block_file.h>

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

std::string sealedModelFile(std::string_view file, const std::function<void(ModelFileBlock&)>& change) {
  std::string bytes(file);
  Header header{};
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(header.magic, "FITUPMDL", sizeof header.magic);
  header.version = detail::modelFileVersion;
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

}  // namespace fitup::test

#include <cstring>
#include <vector>

#include <fitup/base/hash.h>
#include <fitup/io/model_file.h>
#include <fitup/mesh/closedness.h>
#include <fitup/scene/clearance.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

namespace {

// docs/formats/model-file.md.
struct Header {
  char magic[8];
  std::uint32_t version, blockCount;
  std::uint64_t fileSize, directoryOffset, directoryChecksum, headerChecksum;
};
struct DirectoryEntry {
  std::uint32_t kind, index;
  std::uint64_t offset, size, checksum;
};
static_assert(sizeof(Header) == 48 && sizeof(DirectoryEntry) == 32);

/// The file with the right size and the right checksums, as far as it has blocks: damage then reaches what
/// stands behind them.
std::vector<std::byte> sealed(std::span<const std::byte> file) {
  std::vector<std::byte> bytes(file.begin(), file.end());
  Header header{};
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(header.magic, "FITUPMDL", sizeof header.magic);
  header.version = 3;
  header.fileSize = bytes.size();
  const std::span whole(bytes);
  const std::uint64_t directorySize = std::uint64_t{header.blockCount} * sizeof(DirectoryEntry);
  if (header.directoryOffset <= bytes.size() && directorySize <= bytes.size() - header.directoryOffset) {
    const auto directory = whole.subspan(header.directoryOffset, directorySize);
    for (std::uint32_t i = 0; i < header.blockCount; ++i) {
      DirectoryEntry entry{};
      std::memcpy(&entry, directory.data() + i * sizeof entry, sizeof entry);
      if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset) continue;
      entry.checksum = blockChecksum(whole.subspan(entry.offset, entry.size));
      std::memcpy(directory.data() + i * sizeof entry, &entry, sizeof entry);
    }
    header.directoryChecksum = blockChecksum(directory);
  }
  header.headerChecksum = blockChecksum(std::as_bytes(std::span(&header, 1)).first(40));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

/// What is asked of a model once it is there, over all its arrays.
void use(const Model& model) {
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId{p});
    (void)text(Closedness(mesh, MeshTopology(mesh)));
  }
  if (model.collisionModels.empty()) return;
  for (const HierarchyKind kind : {HierarchyKind::scd, HierarchyKind::wide}) try {
      InterferenceOptions options;
      options.request.hierarchy = kind;
      options.request.mode = QueryMode::allTrianglePairs;
      options.request.limits.maxPairs = 1000;
      (void)checkAllPairs(model.assembly, model.collisionModels, options);
    } catch (const Error&) {  // no such hierarchy in the file, or a placement that no query takes
    }
  try {
    DistanceRequest nearest;
    nearest.limits.maxPairs = 1000;
    (void)pairsWithin(model.assembly, model.collisionModels, 1, ClearanceDetail::surfaces, nearest);
  } catch (const Error&) {
  }
}

void readAndUse(std::span<const std::byte> bytes) {
  expectAnswerOrError("input", [&] {
    const Model model = readModelBytes(bytes, "input");
    use(model);
    const std::string again = modelFileBytes(model);
    if (modelFileBytes(readModelBytes(std::as_bytes(std::span(again)), "input")) != again)
      failRun("the model is another one after writing and reading it");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  readAndUse(bytes);
  readAndUse(sealed(bytes));
  return 0;
}

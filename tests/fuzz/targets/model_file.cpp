#include <fitup/io/model_file.h>
#include <fitup/mesh/watertightness.h>
#include <fitup/scene/clearance.h>

#include "../fuzz_target.h"
#include "support/sealed_model_file.h"

using namespace fitup;
using namespace fitup::test;

namespace {

/// Uses all arrays of a loaded model.
void use(const Model& model) {
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId{p});
    (void)text(Watertightness(mesh, MeshTopology(mesh)));
  }
  if (model.collisionModels.empty()) return;
  for (const HierarchyKind kind : {HierarchyKind::scd, HierarchyKind::wide}) try {
      InterferenceOptions options;
      options.request.hierarchy = kind;
      options.request.mode = QueryMode::allTrianglePairs;
      options.request.limits.maxPairs = 1000;
      (void)checkAllPairs(sceneOf(model), {}, options);
    } catch (const Error&) {  // no such hierarchy in the file, or a placement that no query accepts
    }
  try {
    DistanceRequest nearest;
    nearest.limits.maxPairs = 1000;
    (void)pairsWithin(sceneOf(model), {}, 1, ClearanceDetail::surfaces, nearest);
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
  const std::string sealed = sealedModelFile({reinterpret_cast<const char*>(data), size});
  readAndUse(std::as_bytes(std::span(sealed)));
  return 0;
}

// A target for each format of meshes; FITUP_FUZZ_EXTENSION is its extension.
#include "mesh_model.h"

#include <fitup/scene/interference.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input" FITUP_FUZZ_EXTENSION);
  static importers::ProgressLines progress(nullptr);
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError("", [&] {
    importers::SourceFile source(file);
    const Model model = importers::readMeshFile(source, {}, progress);
    const CollisionModels models = buildCollisionModels(model.assembly, {}, {}, 1);
    if (models.size() != model.assembly.partCount()) failRun("not one collision model for each part");
  });
  return 0;
}

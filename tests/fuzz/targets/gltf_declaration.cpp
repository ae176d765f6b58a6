#include "gltf_declaration.h"

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.glb");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError("", [&] { (void)importers::readGltfDeclaration(file); });
  return 0;
}

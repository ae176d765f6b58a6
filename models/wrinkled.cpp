#include <models/wrinkled.h>

#include <memory>

namespace fitup::models {

TorusOptions wrinkledTorus() {
  TorusOptions options = largeTorus();
  options.wrinkleDepth = 0.18;
  options.wavesAround = 26;
  options.wavesAcross = 10;
  return options;
}

Assembly makeWrinkledPair(const TorusOptions& options) {
  Assembly assembly("wrinkled-pair");
  const NodeId root = assembly.addNode("wrinkled-pair", {});
  const PartId part = assembly.addPart(std::make_shared<const TriangleMesh>(makeTorus(options)));
  assembly.addNode("first", {}, root, part);
  // About 37 degrees (3-4-5) about x, so that the rings run into each other aslant.
  const Transform turned{{{{1, 0, 0}, {0, 0.8, -0.6}, {0, 0.6, 0.8}}}, {0.35, 0.15, 0.1}};
  assembly.addNode("second", turned, root, part);
  return assembly;
}

}  // namespace fitup::models

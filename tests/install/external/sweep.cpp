// sweep: prints the volume of what a box of 4 x 4 x 4 sweeps along 6, or what this installation is built
// without.
#include <iostream>

#include <fitup/fitup.h>
#include <fitup/planning/swept_volume.h>

int main() {
  using namespace fitup;
  TriangleMeshBuilder builder("box");
  for (unsigned k = 0; k < 8; ++k)
    builder.addPoint({(k & 1) != 0 ? 4.0 : 0.0, (k & 2) != 0 ? 4.0 : 0.0, (k & 4) != 0 ? 4.0 : 0.0});
  builder.beginSurface("all");
  constexpr unsigned quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    builder.addTriangle(q[0], q[1], q[2]);
    builder.addTriangle(q[0], q[2], q[3]);
  }
  Assembly assembly("one");
  assembly.addNode("box", {}, {}, assembly.addPart(std::make_shared<const TriangleMesh>(builder.build())));
  const Scene scene(std::move(assembly));
  Track track;
  track.moved = {"box"};
  track.steps = {{RigidMotion{}}, {RigidMotion{{}, {6, 0, 0}}}};
  if (!hasSweptVolumes()) {
    std::cout << "no OpenVDB\n";
    return 0;
  }
  const SweptVolume swept = sweptVolume(scene, track, {.accuracy = 0.2});
  std::cout << "volume " << swept.outerVolume << '\n';
  return swept.outerVolume > 160 && swept.outerVolume < 10.4 * 4.4 * 4.4 ? 0 : 1;
}

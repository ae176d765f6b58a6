// sweep: prints the volume of what a box of 4 x 4 x 4 sweeps along 6, or what this installation is built
// without.
#include <iostream>

#include <fitup/planning/swept_volume.h>

#include "box.h"

int main() {
  using namespace fitup;
  Assembly assembly("one");
  assembly.addNode("box", {}, {}, assembly.addPart(box()));
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

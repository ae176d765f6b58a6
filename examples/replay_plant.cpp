// The recorded motion of a part through an assembly: how many surfaces it meets at every tenth step.
#include <iostream>

#include <fitup/motion/replay.h>
#include <models/process_plant.h>

int main() {
  using namespace fitup;
  const Assembly plant = models::makeProcessPlant();
  const Track track = models::makeSpoolTrack(plant);
  ReplayOptions options;
  options.interference.request.mode = QueryMode::allSurfacePairs;
  const ReplayReport report = replay(Scene(plant), {}, track, options);
  for (std::size_t k = 0; k < report.steps.size(); k += 10) {
    std::size_t surfaces = 0;
    for (const PairInterference& pair : report.steps[k].interference.pairs)
      surfaces += pair.report.surfacePairs.size();
    std::cout << "step " << k << ": " << surfaces << " pairs of surfaces\n";
  }
  return report.steps.size() == 233 ? 0 : 1;
}

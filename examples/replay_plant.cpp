// Replays a recorded motion and prints how many surfaces meet at every tenth step: replay_plant MODEL TRACK
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <fitup/io/track_file.h>
#include <fitup/motion/replay.h>

int main(int argc, char** argv) try {
  using namespace fitup;
  if (argc != 3) {
    std::cerr << "usage: replay_plant MODEL TRACK ('fitup generate plant plant.fitup' makes both)\n";
    return 2;
  }
  const Model model = readAssembly(argv[1]);
  const Track track = readTrack(argv[2]);
  ReplayOptions options;
  options.interference.request.mode = QueryMode::allSurfacePairs;
  const ReplayReport report = replay(sceneOf(model), {}, track, options);
  for (std::size_t k = 0; k < report.steps.size(); k += 10) {
    std::size_t surfaces = 0;
    for (const PairInterference& pair : report.steps[k].interference.pairs)
      surfaces += pair.report.surfacePairs.size();
    std::cout << "step " << k << ": " << surfaces << " pairs of surfaces\n";
  }
  return report.status == ReportStatus::complete ? 0 : 3;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}

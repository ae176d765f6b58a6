// Writes the space that a recorded motion needs as STL, and prints which other parts are in it:
// swept_volume MODEL TRACK ACCURACY OUT.stl
#include <cstdlib>
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/mesh_export.h>
#include <fitup/io/read_assembly.h>
#include <fitup/io/track_file.h>
#include <fitup/planning/swept_volume.h>
#include <fitup/scene/interference.h>

int main(int argc, char** argv) try {
  using namespace fitup;
  if (argc != 5) {
    std::cerr << "usage: swept_volume MODEL TRACK ACCURACY OUT.stl ('fitup generate plant plant.fitup' makes "
                 "the first two)\n";
    return 2;
  }
  Model model = readAssembly(argv[1]);
  const Track track = readTrack(argv[2]);
  SweptVolumeOptions options;
  options.accuracy = std::strtod(argv[3], nullptr);
  options.threads = allCores;
  const SweptVolume swept = sweptVolume(sceneOf(model), track, options);
  if (!swept.outer) {
    std::cerr << "the track moves nothing that has triangles\n";
    return 2;
  }
  std::cout << "within " << swept.accuracy << " " << model.assembly.unit() << " of what is swept\n";

  // A model of one part in the frame of the world.
  Assembly envelope("swept volume");
  envelope.setUnit(model.assembly.unit());
  envelope.addNode("swept volume", {}, {}, envelope.addPart(swept.outer));
  writeStl(argv[4], envelope);

  // The same part beside the others. Its surfaces know the face and the time that come nearest.
  Assembly& assembly = model.assembly;
  const NodeId added = assembly.addNode("swept volume", {}, {}, assembly.addPart(swept.outer));
  InterferenceOptions check;
  check.request.mode = QueryMode::allSurfacePairs;
  check.verdict = VerdictOptions{.tolerance = 0};  // finds parts that are wholly inside, too
  for (const PairInterference& pair : checkAllPairs(Scene(assembly), {}, check).pairs) {
    if ((pair.a == added) == (pair.b == added)) continue;
    const NodeId other = pair.a == added ? pair.b : pair.a;
    bool isMoved = false;
    for (const SweptPatch& patch : swept.patches) isMoved = isMoved || patch.instance == other;
    if (isMoved || pair.is(Verdict::clear)) continue;
    if (pair.report.surfacePairs.empty()) {
      std::cout << assembly.path(other) << " is inside of what is swept\n";
      continue;
    }
    const SurfacePair& first = pair.report.surfacePairs.front();
    const SweptPatch& patch = swept.patches[index(pair.a == added ? first.a : first.b)];
    std::cout << assembly.path(other) << " is in the way of face " << index(patch.face) << " of "
              << assembly.path(patch.instance) << " between the steps " << patch.earliest << " and "
              << patch.latest << "\n";
  }
  return 0;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}

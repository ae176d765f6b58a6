#include "support/round_fits.h"

#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>

#include <fitup/base/error.h>

#include "support/placements.h"

namespace fitup::test {

MeshPtr TubeRefiner::Tube::mesh(double error) const {
  const auto segments =
      static_cast<std::uint32_t>(std::max(3.0, std::ceil(std::numbers::pi / std::acos(1 - error / outer))));
  return withDeflection(tube(outer, inner, height, segments), sagitta(outer, segments));
}

PartId TubeRefiner::addTo(Assembly& assembly, const Tube& tube, std::uint32_t segments) {
  tubes_.push_back(tube);
  coarse_.push_back(tube.mesh(sagitta(tube.outer, segments)));
  return assembly.addPart(coarse_.back());
}

std::shared_ptr<const TriangleMesh> TubeRefiner::refine(PartId part, std::span<const SurfaceId> /*faces*/,
                                                        double chordError, const Progress& progress) {
  ++asked;
  while (isStuck) {
    if (progress.cancelled()) {
      ++cancelled;
      throw CancelledError();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return tubes_[index(part)].mesh(chordError);
}

RoundFits::RoundFits(const std::vector<double>& clearances) {
  for (std::size_t i = 0; i < clearances.size(); ++i) {
    const double x = 60.0 * static_cast<double>(i);
    const std::string number = std::to_string(i);
    const PartId ring = refiner->addTo(assembly, {20, 10 + clearances[i], 30}, 20),
                 pin = refiner->addTo(assembly, {10, 5, 40}, 24);
    rings.push_back(assembly.addNode("ring" + number, shift(x, 0, 0), {}, ring));
    pins.push_back(assembly.addNode("pin" + number, shift(x, 0, 0), {}, pin));
  }
  scene = Scene(assembly, buildCollisionModels(assembly));
}

InterferenceOptions RoundFits::options() const {
  InterferenceOptions options;
  options.verdict = VerdictOptions{
      .tolerance = tolerance, .clearPairs = true, .exactShapes = true, .refinement = refinement};
  return options;
}

InterferenceOptions RoundFits::ofTriangles(InterferenceOptions options) {
  options.verdict->exactShapes = false;
  return options;
}

}  // namespace fitup::test

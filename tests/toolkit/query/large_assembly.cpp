// Compares queries on a small version of the hall of many parts with the sort-and-sweep oracle.
#include <catch2/catch.hpp>

#include <fitup/motion/replay.h>
#include <models/large_assembly.h>

#include "support/report_checks.h"
#include "support/sweep_oracle.h"
#include "support/tiny_meshes.h"

namespace large_assembly_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("sampled steps of the spool through the hall equal the oracle's", "[query][oracle][large]") {
  const Assembly hall = models::makeLargeAssembly({50, 100'000});
  const CollisionModels collisionModels = buildCollisionModels(hall, withScd());
  const Track track = models::makeLargeTrack(hall);
  const NodeId spool = hall.at(models::largeSpoolPath);
  const ReplayReport report = replay(Scene(hall, collisionModels), {}, track, {});
  std::size_t found = 0;
  for (std::size_t step = 0; step < track.steps.size(); step += 10) {
    const Transform worldFromSpool = track.steps[step].front().transform() * hall.worldFromNode(spool);
    const PlacedInstance placedSpool = placedInstance(hall, spool, worldFromSpool);
    std::size_t foundHere = 0;
    for (NodeId node : hall.instances()) {
      const PlacedInstance placed = placedInstance(hall, node, hall.worldFromNode(node));
      if (node == spool || !placed.worldBox.overlaps(placedSpool.worldBox)) continue;
      const auto posed = [&](const PlacedInstance& p) {
        return PosedModel{collisionModels[index(hall.partOf(p.node))], p.worldFromPart};
      };
      const IntersectionReport all = sweepOracle(posed(placed), posed(placedSpool));
      INFO("step " << step << ", " << hall.path(node));
      CHECK(problemInAnySetting(posed(placed), posed(placedSpool), Touching::include, all, false) == "");
      foundHere += all.trianglePairs.size();
    }
    std::size_t reported = 0;
    for (const PairInterference& pair : report.steps[step].interference.pairs)
      reported += pair.report.trianglePairs.size();
    INFO("step " << step);
    CHECK(reported == foundHere);
    found += foundHere;
  }
  CHECK(found > 100);
}

}  // namespace large_assembly_tests

#include <fitup/scene/clearance.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <stop_token>

#include <fitup/base/error.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace clearance_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Scene {
  Assembly assembly{"scene"};
  CollisionModels models;
  std::vector<NodeId> first, second;
};

/// Makes two subassemblies whose instances are around each other, one of them mirrored, one scaled, one
/// without triangles.
Scene makeScene(std::uint64_t seed) {
  Scene scene;
  Random random(seed);
  const PartId parts[] = {
      scene.assembly.addPart(icosphere(0.4, 2)), scene.assembly.addPart(sixSidedBox(0.5, 0.7, 0.6, 3)),
      scene.assembly.addPart(uvSphere(0.3, 12, 8, 4)), scene.assembly.addPart(emptyMesh())};
  for (int side = 0; side < 2; ++side) {
    const NodeId group = scene.assembly.addNode(side == 0 ? "first" : "second",
                                                Transform::rigid(randomRotation(random), random.inCube(1)));
    for (int k = 0; k < 6; ++k) {
      const PlacementClass kind = k == 1   ? PlacementClass::mirrored
                                  : k == 2 ? PlacementClass::scaled
                                           : PlacementClass::rigid;
      const NodeId node =
          scene.assembly.addNode("part", randomPlacement(kind, random, 2.2), group, parts[random.below(4)]);
      (side == 0 ? scene.first : scene.second).push_back(node);
    }
  }
  scene.models = buildCollisionModels(scene.assembly);
  return scene;
}

DistanceReport between(const Scene& scene, NodeId a, NodeId b) {
  const auto posed = [&](NodeId node) {
    return PosedModel{scene.models[index(scene.assembly.partOf(node))], scene.assembly.worldFromNode(node)};
  };
  return distance(posed(a), posed(b));
}

}  // namespace

TEST_CASE("the nearest instances of two groups, and all within a clearance", "[scene][distance]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const Scene scene = makeScene(seed);
    std::map<std::pair<NodeId, NodeId>, double> distances;
    double least = std::numeric_limits<double>::infinity();
    const std::vector<NodeId> all = scene.assembly.instances();
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const DistanceReport report = between(scene, all[i], all[j]);
        if (!report.nearest) continue;
        distances[{all[i], all[j]}] = report.distance();
        if (i < 6 && j >= 6) least = std::min(least, report.distance());
      }

    const ClearanceReport nearest =
        minimumDistance(fitup::Scene(scene.assembly, scene.models), {}, scene.first, scene.second);
    REQUIRE(nearest.pairs.size() == 1);
    CHECK(nearest.pairs.front().nearest.distance == Approx(least).margin(1e-12));
    CHECK(nearest.consideredPairs == 36);
    DistanceRequest within;
    within.within = 0.9 * least;
    CHECK(minimumDistance(fitup::Scene(scene.assembly, scene.models), {}, scene.first, scene.second, within)
              .pairs.empty() == (least > 0));
    within.within = least + 1e-9;
    CHECK(minimumDistance(fitup::Scene(scene.assembly, scene.models), {}, scene.first, scene.second, within)
              .pairs.size() == 1);

    for (const double clearance : {0.0, 0.5, 10.0}) {
      const ClearanceReport report =
          pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, clearance, ClearanceDetail::instances);
      CHECK(report.status == ReportStatus::complete);
      CHECK(report.consideredPairs == 66);
      std::size_t expected = 0;
      for (const auto& [pair, d] : distances) expected += d <= clearance;
      REQUIRE(report.pairs.size() == expected);
      for (const InstanceDistance& p : report.pairs)
        CHECK(p.nearest.distance == Approx(distances.at({p.a, p.b})).margin(1e-12));
      const ClearanceReport surfaces =
          pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, clearance, ClearanceDetail::surfaces);
      std::map<std::pair<NodeId, NodeId>, double> nearestSurfaces;
      for (const InstanceDistance& p : surfaces.pairs) {
        const auto at = nearestSurfaces.try_emplace({p.a, p.b}, p.nearest.distance).first;
        at->second = std::min(at->second, p.nearest.distance);
      }
      REQUIRE(nearestSurfaces.size() == expected);
      for (const auto& [pair, d] : nearestSurfaces) CHECK(d == Approx(distances.at(pair)).margin(1e-12));
      const ClearanceReport groups = pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, scene.first,
                                                 scene.second, clearance, ClearanceDetail::instances);
      CHECK(groups.pairs.size() == static_cast<std::size_t>(std::count_if(
                                       report.pairs.begin(), report.pairs.end(), [&](const auto& p) {
                                         return (index(p.a) < index(scene.second.front())) !=
                                                (index(p.b) < index(scene.second.front()));
                                       })));
    }
  }
}

TEST_CASE("clearances: limits, cancel, what cannot be asked", "[scene][distance]") {
  const Scene scene = makeScene(3);
  DistanceRequest two;
  two.limits.maxPairs = 2;
  const ClearanceReport some =
      pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, 10, ClearanceDetail::instances, two);
  CHECK(some.pairs.size() == 2);
  CHECK(some.status == ReportStatus::truncated);
  std::stop_source stop;
  stop.request_stop();
  CHECK(pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, 10, ClearanceDetail::surfaces, {},
                    Progress(stop.get_token()))
            .status == ReportStatus::cancelled);
  CHECK_THROWS_AS(pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, -1, ClearanceDetail::instances),
                  InputError);
  CHECK_THROWS_AS(minimumDistance(fitup::Scene(scene.assembly, scene.models), {}, scene.first, scene.first),
                  InputError);
}

}  // namespace clearance_tests

#include <algorithm>
#include <catch2/catch.hpp>

#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/report_checks.h"
#include "support/sweep_oracle.h"
#include "support/tiny_meshes.h"

namespace oracles_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::string problemAgainstSweep(const PosedModel& first, const PosedModel& second, bool withBruteForce) {
  for (const Touching touching : {Touching::include, Touching::exclude}) {
    const IntersectionReport all = sweepOracle(first, second, touching);
    const std::string problem = problemInAnySetting(first, second, touching, all, withBruteForce);
    if (!problem.empty()) return (touching == Touching::include ? "include, " : "exclude, ") + problem;
  }
  return {};
}

}  // namespace

TEST_CASE("small scenes against the sweep with CGAL", "[query][oracle]") {
  for (PlacementClass kind : allPlacementClasses)
    for (std::uint32_t n = 0; n <= 100; n += effort(12, 4)) {
      Random random(9000 + 200 * static_cast<std::uint64_t>(kind) + n);
      const bool lattice = random.below(2) == 0;
      const MeshPtr a = lattice ? latticeSoup(n, random.next(), 2, 3) : soup(n, random.next(), 0.6, 3);
      const MeshPtr b = lattice ? latticeSoup(random.below(101), random.next(), 2, 2)
                                : soup(random.below(101), random.next(), 0.6, 2);
      const Transform p = randomPlacement(kind, random, 1), q = randomPlacement(kind, random, 1);
      INFO("placement class " << int(kind) << ", triangles " << n);
      CHECK(problemAgainstSweep({modelOf(a), p}, {modelOf(b), q}, true) == "");
    }
}

TEST_CASE("named shapes against the sweep with CGAL", "[query][oracle]") {
  const std::vector<MeshPtr> shapes{tetrahedron(2),
                                    box(1, 2, 3),
                                    sixSidedBox(2, 2, 2, 4),
                                    icosphere(1, 2),
                                    uvSphere(1, 12, 8, 4),
                                    cylinder(1, 2, 20),
                                    sliverFan(24, 5, 1e-5),
                                    degenerateSet(),
                                    flatSheet(6, 5),
                                    lShape(3, 1),
                                    emptyMesh()};
  Random random(71);
  std::size_t scenes = 0;
  for (const MeshPtr& first : shapes)
    for (const MeshPtr& second : shapes) {
      const ModelPtr a = modelOf(first), b = modelOf(second);
      for (PlacementClass kind : allPlacementClasses) {
        if (++scenes % effort(5, 1) != 0) continue;
        INFO(first->name() << " and " << second->name() << ", placement class " << int(kind));
        CHECK(problemAgainstSweep({a, {}}, {b, randomPlacement(kind, random, 1.5)}, false) == "");
      }
    }
}

TEST_CASE("large scenes against the sweep with CGAL", "[query][oracle]") {
  Random random(72);
  const ModelPtr ball = modelOf(icosphere(1, 5)), otherBall = modelOf(icosphere(1.001, 5));
  const ModelPtr sheet = modelOf(flatSheet(70, 70)), block = modelOf(sixSidedBox(40, 40, 40, 24));
  const ModelPtr needles = modelOf(sliverFan(3000, 50, 1e-4));
  const auto check = [](const PosedModel& a, const PosedModel& b) {
    const IntersectionReport all = sweepOracle(a, b);
    INFO(all.trianglePairs.size() << " pairs");
    CHECK(problemInAnySetting(a, b, Touching::include, all, false) == "");
  };
  SECTION("concentric spheres that almost touch") { check({ball, {}}, {otherBall, {}}); }
  SECTION("spheres through each other") {
    for (int i = 0; i < 3; ++i)
      check({ball, {}}, {otherBall, randomPlacement(PlacementClass::rigid, random, 0.5)});
  }
  SECTION("a sheet that lies on a face of a block") {
    check({block, Transform::translation({20, 20, -20})}, {sheet, {}});
  }
  SECTION("a sheet through a block") {
    for (PlacementClass kind : {PlacementClass::rigid, PlacementClass::mirrored, PlacementClass::sheared})
      check({block, {}}, {sheet, randomPlacement(kind, random, 10)});
  }
  SECTION("needles through a block") {
    check({block, {}}, {needles, randomPlacement(PlacementClass::rigid, random, 5)});
  }
}

}  // namespace oracles_tests

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/query/intersect.h>
#include <fitup/query/intersection_chains.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace intersection_chains_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Chained {
  std::vector<IntersectionChain> chains;
  IntersectionReport report;
};

Chained chained(const MeshPtr& a, const MeshPtr& b, const Transform& bAt, const Transform& world = {}) {
  const auto bodyA = SolidModel::build(modelOf(a)), bodyB = SolidModel::build(modelOf(b));
  const PosedSolid first{bodyA, world}, second{bodyB, world * bAt};
  Chained c{{}, intersect(first.posed(), second.posed())};
  c.chains = intersectionChains(first, second, c.report);
  for (const IntersectionChain& chain : c.chains) {
    CHECK(chain.stretches.size() ==
          (chain.closed || chain.points.size() == 1 ? chain.points.size() : chain.points.size() - 1));
    // Each stretch is a pair of the report with its surfaces.
    for (const ChainStretch& s : chain.stretches) {
      CHECK(std::binary_search(c.report.trianglePairs.begin(), c.report.trianglePairs.end(), s.triangles));
      CHECK(s.surfaces.a == a->surfaceOf(s.triangles.a));
      CHECK(s.surfaces.b == b->surfaceOf(s.triangles.b));
    }
  }
  return c;
}

double lengthOf(const IntersectionChain& chain) {
  double sum = 0;
  for (std::size_t i = 0; i < chain.stretches.size() && chain.points.size() > 1; ++i)
    sum += norm(chain.points[(i + 1) % chain.points.size()] - chain.points[i]);
  return sum;
}

}  // namespace

TEST_CASE("a bar through a plate meets it in two closed loops, wherever they stand") {
  const MeshPtr plate = sixSidedBox(10, 10, 1, 3), bar = sixSidedBox(1.5, 0.7, 6, 2);
  for (const Transform& world : {Transform{}, Transform::rigid(axisAngle({1, 2, 3}, 1), {4e5, -1e5, 3e5})}) {
    const Chained c = chained(plate, bar, shift(0.31, 0.17, 0.4), world);
    REQUIRE(c.chains.size() == 2);
    std::size_t stretches = 0;
    for (const IntersectionChain& chain : c.chains) {
      CHECK(chain.closed);
      CHECK(lengthOf(chain) == Approx(2 * (1.5 + 0.7)).margin(1e-5));
      stretches += chain.stretches.size();
      CHECK(chain.errorBound < 1e-8);
    }
    CHECK(stretches == c.report.trianglePairs.size());
    // One loop on each face of the plate, along all of it.
    CHECK(c.chains[0].stretches[0].surfaces.a != c.chains[1].stretches[0].surfaces.a);
    for (const IntersectionChain& chain : c.chains)
      for (const ChainStretch& s : chain.stretches) CHECK(s.surfaces.a == chain.stretches[0].surfaces.a);
  }
}

TEST_CASE("closed bodies in general position meet in closed loops only, the same for each run") {
  Random random(3);
  int loops = 0;
  for (int i = 0; i < 20; ++i) {
    const MeshPtr a = i % 2 == 0 ? uvSphere(1, 12, 8, 3) : lShape(2, 1), b = tube(1, 0.6, 1.5, 11);
    const Transform at =
        randomPlacement(i % 5 == 4 ? PlacementClass::mirrored : PlacementClass::rigid, random, 1);
    const Chained c = chained(a, b, at), again = chained(a, b, at);
    std::size_t stretches = 0;
    for (const IntersectionChain& chain : c.chains) {
      CHECK(chain.closed);
      CHECK(chain.points.size() >= 3);
      stretches += chain.stretches.size();
    }
    CHECK(stretches == c.report.trianglePairs.size());
    REQUIRE(again.chains.size() == c.chains.size());
    for (std::size_t k = 0; k < c.chains.size(); ++k) CHECK(again.chains[k].points == c.chains[k].points);
    loops += static_cast<int>(c.chains.size());
  }
  CHECK(loops > 20);
}

TEST_CASE("open parts, touching and coplanar triangles") {
  // Two sheets cross in one open line, from border to border.
  const Chained sheets =
      chained(flatSheet(4, 4), flatSheet(4, 4), Transform::rigid(axisAngle({1, 0, 0}, 1.2), {0.5, 1.3, -1}));
  REQUIRE(sheets.chains.size() == 1);
  CHECK_FALSE(sheets.chains[0].closed);
  CHECK(lengthOf(sheets.chains[0]) == Approx(3.5));
  // Box on box: the outline of the common area, once, although both faces are cut into triangles.
  const Chained mated = chained(sixSidedBox(4, 4, 1), sixSidedBox(2, 1, 1), shift(0.3, 0.2, 1));
  double length = 0;
  for (const IntersectionChain& chain : mated.chains) length += lengthOf(chain);
  REQUIRE(mated.chains.size() == 1);
  CHECK(mated.chains[0].closed);
  CHECK(length == Approx(6));
  // A corner on a face: one point.
  const Chained corner =
      chained(sixSidedBox(4, 4, 1), fromTriangle({{{0.1, 0.3, 0.5}, {0, 0, 2}, {1, 0, 2}}}), {});
  REQUIRE(corner.chains.size() == 1);
  CHECK(corner.chains[0].points.size() == 1);
  CHECK(chained(box(1, 1, 1), box(1, 1, 1), shift(3, 0, 0)).chains.empty());
}

TEST_CASE("chains need all triangle pairs") {
  const auto body = SolidModel::build(modelOf(box(1, 1, 1)));
  const PosedSolid a{body, {}}, b{body, shift(0.5, 0.2, 0.1)};
  IntersectionRequest request;
  request.mode = QueryMode::allSurfacePairs;
  CHECK_THROWS_AS(intersectionChains(a, b, intersect(a.posed(), b.posed(), request)), InputError);
}

}  // namespace intersection_chains_tests

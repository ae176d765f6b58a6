#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fitup/hierarchy/point_query.h>
#include <fitup/query/penetration.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

// Parts made of overlapping shells are the union of these (SolidModel::outer).
namespace unions_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

PosedSolid posed(const MeshPtr& mesh, const Transform& at = {}) { return {bodyOf(mesh), at}; }

}  // namespace

TEST_CASE(
    "inner walls of a union do not count: a solid cut into overlapping shells is as deep as in one piece") {
  Random random(20261128);
  int deep = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    // A bar, and the same bar as overlapping boxes. In every third case, their sides do not lie in one plane
    // because inner boxes are thinner.
    const double width = random.between(3, 6), height = random.between(2, 5), length = random.between(10, 20);
    const MeshPtr bar = boxBetween({0, 0, 0}, {length, width, height});
    std::vector<MeshPtr> shells;
    for (double from = 0; from < length;) {
      const double to = std::min(length, from + random.between(2, 6));
      shells.push_back(boxBetween({from, 0, 0}, {to, width, height}));
      from = to >= length ? length : to - random.between(0.2, 1.5);
    }
    if (i % 3 == 0) shells.push_back(boxBetween({0.5, 0.5, 0.5}, {length - 0.5, width - 0.5, height - 0.5}));
    if (i % 3 == 1) {
      // An inner bar through all of them, askew.
      const MeshPtr inner = sixSidedBox(0.8 * length, width / 4, height / 4);
      shells.push_back(transformed(
          inner, Transform::rigid(axisAngle({0, 1, 3}, 0.03), {length / 2, width / 2, height / 2})));
    }
    const MeshPtr cut = joined(shells);
    const MeshPtr probes[] = {sixSidedBox(1, 1.5, 9), icosphere(1.2, 2), cylinder(0.6, 8, 12)};
    const Transform place =
        Transform::rigid(randomRotation(random),
                         {random.between(0, length), random.between(0, width), random.between(0, height)});
    const PosedSolid probe = posed(probes[i % 3], place);
    const PenetrationReport whole = penetration(posed(bar), probe), pieces = penetration(posed(cut), probe);
    REQUIRE(whole.status == ReportStatus::complete);
    REQUIRE(pieces.status == ReportStatus::complete);
    const double bound = std::max(whole.regions.empty() ? 0 : whole.regions.front().errorBound,
                                  pieces.regions.empty() ? 0 : pieces.regions.front().errorBound);
    CHECK(std::abs(whole.depth() - pieces.depth()) <= bound + 1e-5);
    if (whole.depth() > 0.5) ++deep;
  }
  CHECK(deep > 30);
}

TEST_CASE("shells that cross at an angle: the depth is that of their outline") {
  // An L of one piece, and of two boxes that overlap in its corner.
  const MeshPtr whole = lShape(4, 2);
  const MeshPtr two = joined({boxBetween({0, 0, 0}, {4, 1, 2}), boxBetween({0, 0, 0}, {1, 4, 2})});
  Random random(5);
  for (int i = 0; i < 80; ++i) {
    CAPTURE(i);
    const PosedSolid probe =
        posed(i % 2 == 0 ? icosphere(0.7, 2) : sixSidedBox(0.5, 0.6, 5),
              Transform::rigid(randomRotation(random),
                               {random.between(0, 2), random.between(0, 2), random.between(0, 2)}));
    const PenetrationReport a = penetration(posed(whole), probe), b = penetration(posed(two), probe);
    const double bound = std::max(a.regions.empty() ? 0 : a.regions.front().errorBound,
                                  b.regions.empty() ? 0 : b.regions.front().errorBound);
    CHECK(std::abs(a.depth() - b.depth()) <= bound + 1e-5);
  }
}

TEST_CASE("shells that touch along a part of a face: the depth is that of their outline") {
  // An L of one piece; of two boxes that touch where they meet; and of three, two of which overlap besides.
  const MeshPtr whole = lShape(4, 2);
  const std::vector<MeshPtr> cut{joined({boxBetween({0, 0, 0}, {4, 1, 2}), boxBetween({0, 1, 0}, {1, 4, 2})}),
                                 joined({boxBetween({1, 0, 0}, {4, 1, 2}), boxBetween({0, 0, 0}, {1, 4, 1.2}),
                                         boxBetween({0, 0, 0.7}, {1, 4, 2})})};
  Random random(11);
  int deep = 0;
  for (int i = 0; i < 160; ++i) {
    CAPTURE(i);
    const PosedSolid probe =
        posed(i % 2 == 0 ? icosphere(0.7, 2) : sixSidedBox(0.5, 0.6, 5),
              Transform::rigid(randomRotation(random),
                               {random.between(0, 2), random.between(0, 2), random.between(0, 2)}));
    const PenetrationReport a = penetration(posed(whole), probe),
                            b = penetration(posed(cut[i / 2 % 2]), probe);
    const double bound = std::max(a.regions.empty() ? 0 : a.regions.front().errorBound,
                                  b.regions.empty() ? 0 : b.regions.front().errorBound);
    CHECK(std::abs(a.depth() - b.depth()) <= bound + 1e-5);
    if (a.depth() > 0.5) ++deep;
  }
  CHECK(deep > 20);
}

TEST_CASE("a face that too many shells cross counts as boundary as a whole") {
  // The middles of both triangles of the plate's upper face are in pins.
  constexpr int pins = 47;
  std::vector<MeshPtr> shells{boxBetween({0, 0, 0}, {pins, pins, 1})};
  for (int x = 0; x < pins; ++x)
    for (int y = 0; y < pins; ++y)
      shells.push_back(boxBetween({x + 0.1, y + 0.1, 0.5}, {x + 0.9, y + 0.9, 2}));
  const BodyPtr body = bodyOf(joined(shells));
  PointQuery onOuter(body->outer());
  for (int k = 1; k < pins; k += 5) {
    const Vec3 between = Vec3{static_cast<double>(k), 0.5 * pins, 0.97} - body->mesh().origin();
    CHECK(onOuter.closest(between)->distance == Approx(0.03).margin(1e-5));
  }
}

}  // namespace unions_tests

#include <fitup/query/detail/pair_preparation.h>

#include <hwy/targets.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>

#include "support/boxes_apart.h"
#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace boxes_apart_tests {

using namespace fitup;
using namespace fitup::test;
using fitup::detail::boxesApartAlongAxes;

namespace {

/// Runs the tests of a query for parts that the line between their centres does not separate.
bool apartOncePlaced(const PosedModel& first, const PosedModel& second) {
  return !detail::PairRoles::ifBoxesOverlap(first, second);
}
/// Returns the same part with its points elsewhere in the part's frame.
ModelPtr moved(const MeshPtr& mesh, const Vec3& by) {
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh->points().size(); ++i) points.push_back(mesh->pointInPart(i) + by);
  return modelOf(std::make_shared<const TriangleMesh>(withPoints(*mesh, points)));
}

/// As from a program that stores matrices in 32 bits.
Transform rounded(Transform f) {
  for (auto& row : f.m)
    for (double& v : row) v = static_cast<double>(static_cast<float>(v));
  return f;
}

constexpr bool (*bothWays[])(const PosedModel&, const PosedModel&) = {boxesApart, apartOncePlaced};

}  // namespace

TEST_CASE("boxes that are apart hold no triangles that meet", "[query][laws]") {
  Random random(77);
  int apart = 0, meeting = 0;
  for (int i = 0; i < 600; ++i)
    for (const PlacementClass kind : allPlacementClasses) {
      const ModelPtr a = modelOf(soup(12, static_cast<std::uint64_t>(i), 0.5)),
                     b = modelOf(box(0.2 + random.between(0, 1), 1, 0.1));
      const PosedModel first{a, randomPlacement(kind, random, 1.5)},
          second{b, randomPlacement(kind, random, 1.5)};
      const bool hits = bruteForce(first, second).intersects();
      meeting += hits;
      if (apartOncePlaced(first, second)) {
        CHECK_FALSE(hits);
        CHECK(apartOncePlaced(second, first));
      } else {
        // It tests the same axes and finds no smaller gaps.
        CHECK_FALSE(boxesApartAlongAxes(first, second));
      }
      if (!boxesApart(first, second)) continue;
      ++apart;
      CHECK_FALSE(hits);
      CHECK(boxesApart(second, first));
      const bool turned = kind == PlacementClass::rigid || kind == PlacementClass::mirrored;
      CHECK((turned || first.worldFromPart.kind() != TransformKind::affine));
    }
  CHECK(apart > 100);
  CHECK(meeting > 100);
}

TEST_CASE("boxes that touch are not apart, boxes a little off are", "[query][laws]") {
  Random random(78);
  const ModelPtr cube = modelOf(box(1, 1, 1));
  const bool byVectors = HWY_ARCH_X86 != 0 && (hwy::SupportedTargets() & HWY_AVX2) != 0;
  for (const double far : {0.0, 1e3, 1e6})
    for (int i = 0; i < 200; ++i) {
      const Transform both =
          Transform::translation({far, -far, far}) *
          randomPlacement(i % 2 == 0 ? PlacementClass::rigid : PlacementClass::mirrored, random, 2);
      Vec3 shift{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      shift[i % 3] = i % 2 == 0 ? 1 : -1;
      const PosedModel first{cube, both}, second{cube, both * Transform::translation(shift)};
      CHECK_FALSE(boxesApart(first, second));
      // Far from the origin, rounding may have moved one of them by more than a double's last place of its
      // size. Once it is placed, its triangles are apart too then.
      if (far == 0 || bruteForce(first, second).intersects()) CHECK_FALSE(apartOncePlaced(first, second));
      const Vec3 little = shift * (1 + 4e-5);
      // With vectors, after B is placed. In world coordinates the allowance is larger, for axes in 32 bits.
      if (byVectors) CHECK(apartOncePlaced({cube, both}, {cube, both * Transform::translation(little)}));
      shift[i % 3] *= 1.0002;
      for (const auto apart : bothWays)
        CHECK(apart({cube, both}, {cube, both * Transform::translation(shift)}));
    }
}

TEST_CASE("boxes of which an edge lies on an edge of the other are apart once they are moved apart",
          "[query][laws]") {
  Random random(80);
  const auto sign = [](double v) { return v < 0 ? -1.0 : 1.0; };
  for (int k = 0; k < 900; ++k) {
    const int i = k % 3, j = k / 3 % 3;
    const auto half = [&] { return Vec3{random.between(1, 3), random.between(1, 3), random.between(1, 3)}; };
    const Vec3 halfA = half(), halfB = half();
    const Transform turned = Transform::rotation(randomRotation(random));
    // Perpendicular to both edges, from A to B, and the edges that are farthest in that direction.
    Vec3 edge;
    edge[i] = 1;
    const auto axisOfB = [&](int axis) {
      Vec3 v;
      v[axis] = 1;
      return turned.applyToVector(v);
    };
    if (norm(cross(edge, axisOfB(j))) < 0.2) continue;  // the allowance counts five times then
    const Vec3 across = normalized(cross(edge, axisOfB(j)));
    Vec3 onA, onB;  // from the centres
    for (int axis = 0; axis < 3; ++axis) {
      onA[axis] = axis == i ? random.between(-0.5, 0.5) * halfA[axis] : sign(across[axis]) * halfA[axis];
      const Vec3 ofB = axisOfB(axis);
      onB = onB + ofB * (axis == j ? random.between(-0.5, 0.5) * halfB[axis]
                                   : -sign(dot(across, ofB)) * halfB[axis]);
    }
    const bool isFar = k % 2 == 1, isRounded = k % 4 >= 2, isMirrored = k % 5 == 0;
    const Vec3 farA = isFar ? Vec3{1e5, -3e4, 20} : Vec3{}, farB = isFar ? Vec3{-100, 7e4, 3e5} : Vec3{};
    const ModelPtr a = moved(box(2 * halfA.x, 2 * halfA.y, 2 * halfA.z), farA),
                   b = moved(box(2 * halfB.x, 2 * halfB.y, 2 * halfB.z), farB);
    const Transform world = randomPlacement(PlacementClass::rigid, random, 5);
    const auto apartBy = [&](double gap, const auto& apart) {
      Transform ofA = world, ofB = world * Transform::translation(onA - onB + across * gap) * turned *
                                   Transform::scaling(1, 1, isMirrored ? -1 : 1);
      if (isRounded) {
        ofA = rounded(ofA);
        ofB = rounded(ofB);
      }
      const PosedModel first{a, ofA * Transform::translation(-farA)},
          second{b, ofB * Transform::translation(-farB)};
      CHECK(apart(first, second) == apart(second, first));
      return apart(first, second);
    };
    INFO(k);
    for (const auto apart : bothWays) {
      CHECK_FALSE(apartBy(-1e-5, apart));
      CHECK(apartBy(2e-3, apart));
    }
  }
}

TEST_CASE("parts at one placement are apart where their boxes are in its frame", "[query]") {
  Random random(81);
  const ModelPtr here = moved(box(1, 1, 1), {}), there = moved(box(1, 1, 1), {1.5, 0, 0}),
                 near = moved(box(1, 1, 1), {0.5, 0.5, 0});
  for (int k = 0; k < 20; ++k) {
    const Transform both =
        randomPlacement(k % 2 == 0 ? PlacementClass::rigid : PlacementClass::mirrored, random, 5);
    for (const auto apart : bothWays) {
      CHECK(apart({here, both}, {there, both}));
      CHECK_FALSE(apart({here, both}, {near, both}));
    }
  }
}

TEST_CASE("what boxes cannot tell is left to the query", "[query][limits]") {
  const ModelPtr cube = modelOf(box(1, 1, 1)), empty = modelOf(emptyMesh());
  const Transform away = Transform::translation({10, 0, 0});
  for (const auto apart : bothWays) {
    REQUIRE(apart({cube, {}}, {cube, away}));
    CHECK_FALSE(apart({cube, {}}, {empty, away}));
    CHECK_FALSE(apart({cube, {}}, {cube, away * Transform::scaling(1, 1, 2)}));
  }
  Transform bad = away;
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    bad.t.y = value;
    CHECK_FALSE(boxesApart({cube, {}}, {cube, bad}));
    CHECK_THROWS_AS(intersect({cube, {}}, {cube, bad}), PlacementError);
    CHECK_THROWS_AS(intersect({cube, bad}, {cube, {}}), PlacementError);
    // The other one is placed in this frame, because ties are decided by numbers.
    bad.t.x = -10;
    CHECK_THROWS_AS(intersect({cube, {}}, {cube, bad}), PlacementError);
    bad.t.x = 10;
  }
  bad = away;
  bad.m[2] = {0, 0, 0};
  CHECK_FALSE(boxesApart({cube, {}}, {cube, bad}));
  CHECK_THROWS_AS(intersect({cube, {}}, {cube, bad}), PlacementError);
  bad = Transform::translation({0x1p161, 0, 0});
  CHECK_FALSE(boxesApart({cube, {}}, {cube, bad}));
  CHECK_THROWS_AS(intersect({cube, {}}, {cube, bad}), RangeError);
}

TEST_CASE("boxes whose corners look at each other are apart by their spheres, and no sooner",
          "[query][laws]") {
  Random random(79);
  // Turns the corner of a box into a direction along x.
  const auto cornerAlong = [](const Vec3& half, double sign) {
    const Vec3 corner = normalized(half), x{sign, 0, 0}, axis = cross(corner, x);
    return Transform::rotation(axis, std::atan2(norm(axis), dot(corner, x)));
  };
  for (int i = 0; i < 300; ++i) {
    const auto side = [&] { return std::pow(10, random.between(-2, 2)); };
    const Vec3 sizeA{side(), side(), side()}, sizeB = i % 3 == 0 ? sizeA : Vec3{side(), side(), side()};
    const ModelPtr a = modelOf(box(sizeA.x, sizeA.y, sizeA.z)), b = modelOf(box(sizeB.x, sizeB.y, sizeB.z));
    const double radii = 0.5 * (norm(sizeA) + norm(sizeB));
    const Transform both = randomPlacement(PlacementClass::rigid, random, 100);
    const auto apart = [&](double part) {
      return boxesApart({a, both * cornerAlong(sizeA, 1)},
                        {b, both * shift(part * radii, 0, 0) * cornerAlong(sizeB, -1)});
    };
    INFO(i);
    CHECK_FALSE(apart(1 - 1e-9));
    CHECK(apart(1.01));
    CHECK(apart(1.5));
  }
}

}  // namespace boxes_apart_tests

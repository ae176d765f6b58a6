#include <fitup/query/detail/boxes_apart.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include <fitup/base/error.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>
#include <fitup/query/pair_frame.h>

#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

using namespace fitup;
using namespace fitup::test;
using fitup::detail::boxesApart;
using fitup::detail::boxesApartAlongAxes;

namespace {

/// What a query asks whose parts the connection of their centres does not part.
bool apartOncePlaced(const PosedModel& first, const PosedModel& second) {
  return !PairRoles::unlessBoxesApart(first, second);
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
      const PosedModel first{*a, randomPlacement(kind, random, 1.5)},
          second{*b, randomPlacement(kind, random, 1.5)};
      const bool hits = bruteForce(first, second).intersects();
      meeting += hits;
      if (apartOncePlaced(first, second)) {
        CHECK_FALSE(hits);
        CHECK(apartOncePlaced(second, first));
      } else {
        // It looks along the same axes, more closely.
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
  for (const double far : {0.0, 1e3, 1e6})
    for (int i = 0; i < 200; ++i) {
      const Transform both =
          Transform::translation({far, -far, far}) *
          randomPlacement(i % 2 == 0 ? PlacementClass::rigid : PlacementClass::mirrored, random, 2);
      Vec3 shift{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      shift[i % 3] = i % 2 == 0 ? 1 : -1;
      for (const auto apart : bothWays)
        CHECK_FALSE(apart({*cube, both}, {*cube, both * Transform::translation(shift)}));
      shift[i % 3] *= 1.0002;
      for (const auto apart : bothWays)
        CHECK(apart({*cube, both}, {*cube, both * Transform::translation(shift)}));
    }
}

TEST_CASE("what boxes cannot tell is left to the query", "[query][limits]") {
  const ModelPtr cube = modelOf(box(1, 1, 1)), empty = modelOf(emptyMesh());
  const Transform away = Transform::translation({10, 0, 0});
  for (const auto apart : bothWays) {
    REQUIRE(apart({*cube, {}}, {*cube, away}));
    CHECK_FALSE(apart({*cube, {}}, {*empty, away}));
    CHECK_FALSE(apart({*cube, {}}, {*cube, away * Transform::scaling(1, 1, 2)}));
  }
  Transform bad = away;
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    bad.t.y = value;
    CHECK_FALSE(boxesApart({*cube, {}}, {*cube, bad}));
    CHECK_THROWS_AS(intersect({*cube, {}}, {*cube, bad}), PlacementError);
    CHECK_THROWS_AS(intersect({*cube, bad}, {*cube, {}}), PlacementError);
  }
  bad = away;
  bad.m[2] = {0, 0, 0};
  CHECK_FALSE(boxesApart({*cube, {}}, {*cube, bad}));
  CHECK_THROWS_AS(intersect({*cube, {}}, {*cube, bad}), PlacementError);
  bad = Transform::translation({0x1p161, 0, 0});
  CHECK_FALSE(boxesApart({*cube, {}}, {*cube, bad}));
  CHECK_THROWS_AS(intersect({*cube, {}}, {*cube, bad}), RangeError);
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
      return boxesApart({*a, both * cornerAlong(sizeA, 1)},
                        {*b, both * shift(part * radii, 0, 0) * cornerAlong(sizeB, -1)});
    };
    INFO(i);
    CHECK_FALSE(apart(1 - 1e-9));
    CHECK(apart(1.01));
    CHECK(apart(1.5));
  }
}

#include <fitup/query/detail/hull_separation.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include <fitup/query/detail/boxes_apart.h>
#include <fitup/query/detail/query_scratch.h>
#include <fitup/query/intersect.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

using namespace fitup;
using namespace fitup::test;
using detail::HullSeparation;

namespace {

const IntersectionRequest coherently{.mode = QueryMode::firstSurfacePair, .coherence = Coherence::on};

}  // namespace

TEST_CASE("parts that hulls tell apart do not intersect", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 3)), box = modelOf(sixSidedBox(0.3, 0.5, 3, 6)),
                 pipe = modelOf(cylinder(0.2, 4, 24)), rods = modelOf(lShape(1.5, 0.5));
  Random random(12);
  QueryContext plain;
  int apart = 0, missed = 0, boxesMeet = 0;
  for (const auto& [a, b] :
       {std::pair(ball, box), std::pair(pipe, box), std::pair(pipe, rods), std::pair(box, rods)}) {
    // From just in contact to just apart, so that a wrong bound shows.
    for (int k = 0; k < 400; ++k) {
      const Transform ofA = randomPlacement(PlacementClass::rigid, random, 50);
      const Vec3 way = normalized(random.inCube(1));
      const Transform turned = randomPlacement(PlacementClass::rigid, random, 0);
      double close = 0, open = 8;
      for (int halving = 0; halving < 30; ++halving) {
        const double middle = 0.5 * (close + open);
        const bool meet = intersect({*a, ofA}, {*b, ofA * Transform::translation(way * middle) * turned},
                                    {.mode = QueryMode::firstSurfacePair}, plain)
                              .intersects();
        (meet ? close : open) = middle;
      }
      for (const double beyond : {-1e-3, -1e-7, 1e-7, 1e-2, 0.1}) {
        const PosedModel first{*a, ofA},
            second{*b, ofA * Transform::translation(way * (close + beyond)) * turned};
        HullSeparation hulls;
        const bool told = hulls.areApart(first, second, 16);
        const bool meet = intersect(first, second, {.mode = QueryMode::firstSurfacePair}, plain).intersects();
        REQUIRE_FALSE((told && meet));
        CHECK(hulls.holds() == told);
        if (beyond < 0.01 || rods == b) continue;
        // Convex parts that are apart.
        (told ? apart : missed) += 1;
        boxesMeet += told && !detail::boxesApart(first, second);
      }
    }
  }
  CHECK(apart > 50 * missed);
  CHECK(boxesMeet > 200);
}

TEST_CASE("hulls judge nothing where placements are not rigid or out of range", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 2)), sheet = modelOf(flatSheet(2, 2));
  const auto apart = [](const ModelPtr& a, const Transform& ofA, const ModelPtr& b, const Transform& ofB) {
    return HullSeparation().areApart({*a, ofA}, {*b, ofB}, 4);
  };
  const Transform there = Transform::translation({3, 0, 0});
  CHECK(apart(ball, {}, ball, there));
  CHECK(apart(ball, {}, ball, there * Transform::scaling(-1, 1, 1)));
  CHECK_FALSE(apart(ball, {}, ball, there * Transform::scaling(1.1, 1, 1)));
  Transform sheared = there, singular = there, broken = there;
  sheared.m[0][1] = 0.1;
  singular.m[2] = {};
  broken.m[1][1] = std::numeric_limits<double>::quiet_NaN();
  for (const Transform& bad : {sheared, singular, broken, Transform::translation({1e300, 0, 0})}) {
    CHECK_FALSE(apart(ball, {}, ball, bad));
    CHECK_FALSE(apart(ball, bad, ball, {}));
  }
  CHECK_FALSE(apart(ball, {}, ball, {}));
  CHECK_FALSE(apart(ball, {}, sheet, there));
}

TEST_CASE("a part that passes close by another is told apart without its trees", "[query]") {
  const ModelPtr ball = modelOf(icosphere(1, 4)), pipe = modelOf(cylinder(0.2, 4, 24)),
                 block = modelOf(sixSidedBox(1, 2, 0.5, 8));
  QueryContext plain;
  for (const auto& [a, b] : {std::pair(ball, ball), std::pair(pipe, block), std::pair(block, ball)}) {
    QueryContext context;
    int near = 0, withoutTrees = 0;
    for (int k = 0; k < 400; ++k) {
      const Transform turned =
          Transform::rotation({0.3, 1, -0.2}, 0.004 * k) * Transform::rotation({1, -0.5, 0.1}, 0.003 * k);
      // Moved in along a way that turns, up to a hundredth of its size before contact.
      const Vec3 way{std::cos(0.005 * k), std::sin(0.005 * k), 0.3};
      double distance = 8;
      for (double step = 2; step > 0.01; step /= 2)
        while (!intersect({*a, {}}, {*b, Transform::translation(way * (distance - step)) * turned},
                          {.mode = QueryMode::firstSurfacePair}, plain)
                    .intersects())
          distance -= step;
      const PosedModel first{*a, {}}, second{*b, Transform::translation(way * distance) * turned};
      const IntersectionReport report = intersect(first, second, coherently, context);
      REQUIRE_FALSE(report.intersects());
      REQUIRE(report.status == ReportStatus::complete);
      if (detail::boxesApart(first, second)) continue;
      ++near;
      withoutTrees += report.stats.boxTests == 0;
    }
    INFO(a->mesh().name() << " and " << b->mesh().name());
    CHECK(near > 100);
    CHECK(withoutTrees > near * 2 / 3);
    // In contact again.
    CHECK(
        intersect({*a, {}}, {*b, Transform::translation({0.01, 0.02, 0})}, coherently, context).intersects());
  }
}

TEST_CASE("hulls that reach far into each other are left alone for a while", "[query]") {
  const ModelPtr rods = modelOf(lShape(4, 0.5)), ball = modelOf(icosphere(0.1, 2));
  HullSeparation hulls;
  // Between the legs of the L.
  const PosedModel first{*rods, {}},
      second{*ball, Transform::translation(rods->box().centre - Vec3{0.3, 0.3, 0})};
  QueryContext plain;
  REQUIRE_FALSE(intersect(first, second, {.mode = QueryMode::firstSurfacePair}, plain).intersects());
  int asked = 0;
  for (int k = 0; k < 200; ++k) {
    hulls.countQuestion();
    if (!hulls.isWanted()) continue;
    ++asked;
    REQUIRE_FALSE(hulls.areApart(first, second, 4));
  }
  CHECK(asked > 1);
  CHECK(asked < 10);
}

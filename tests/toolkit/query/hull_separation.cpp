#include <fitup/query/detail/hull_separation.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/intersect.h>

#include "support/boxes_apart.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace hull_separation_tests {

using namespace fitup;
using namespace fitup::test;
using detail::HullSeparation;

namespace {

const IntersectionRequest coherently{.mode = QueryMode::firstSurfacePair, .coherence = Coherence::on};

}  // namespace

TEST_CASE("parts that hulls tell apart do not intersect", "[query][laws]") {
  BuildOptions compact;
  compact.wide->layout = WideLayout::compact;
  const Transform off = Transform::translation({40, -7, 3});
  const ModelPtr ball = modelOf(icosphere(1, 2)), box = modelOf(sixSidedBox(0.3, 0.5, 3, 6)),
                 pipe = modelOf(transformed(cylinder(0.2, 4, 24), off)), rods = modelOf(lShape(1.5, 0.5)),
                 // With so many points and corners that boxes of the tree stand for them.
      many = modelOf(transformed(sixSidedBox(1, 0.7, 0.4, 24), off), compact),
                 round = modelOf(transformed(uvSphere(0.8, 50, 30, 4), off));
  REQUIRE(many->mesh().points().size() > PartHull::mostPoints);
  Random random(12);
  QueryContext plain;
  const auto meet = [&](const PosedModel& a, const PosedModel& b) {
    return intersect(a, b, {.mode = QueryMode::firstSurfacePair}, plain).intersects();
  };
  int apart = 0, missed = 0, boxesMeet = 0, held = 0;
  for (const auto& [a, b] :
       {std::pair(ball, box), std::pair(pipe, box), std::pair(pipe, rods), std::pair(box, rods),
        std::pair(many, ball), std::pair(many, pipe), std::pair(round, box), std::pair(round, many)}) {
    const bool tight = b != rods && a != many && a != round;
    for (int k = 0; k < 300; ++k) {
      const Transform ofA = randomPlacement(PlacementClass::rigid, random, 50);
      const Vec3 way = normalized(random.inCube(1));
      const Transform turned = randomPlacement(PlacementClass::rigid, random, 0);
      const auto at = [&](double distance) {
        const Vec3 centre = ofA.apply(a->box().centre) + way * distance - turned.apply(b->box().centre);
        return PosedModel{b, Transform::translation(centre) * turned};
      };
      const PosedModel first{a, ofA};
      double close = 0, open = 8;
      for (int halving = 0; halving < 30; ++halving) {
        const double middle = 0.5 * (close + open);
        (meet(first, at(middle)) ? close : open) = middle;
      }
      // Up to contact and beyond, with data kept from farther away, so that a wrong bound shows.
      HullSeparation kept;
      for (const double beyond : {0.1, 1e-2, 1e-3, 1e-5, 1e-7, -1e-7, -1e-5, -1e-3}) {
        const PosedModel second = at(close + beyond);
        const bool touches = meet(first, second);
        held += kept.holds();
        const bool reported = kept.areApart(first, second, 16);
        REQUIRE_FALSE((reported && touches));
        CHECK(kept.holds() == reported);
        HullSeparation fresh;
        REQUIRE_FALSE((fresh.areApart(first, second, 16) && touches));
        if (beyond < 0.01 || !tight) continue;
        // Convex, separated parts.
        (reported ? apart : missed) += 1;
        boxesMeet += reported && !boxesApart(first, second);
      }
    }
  }
  CHECK(apart > 50 * missed);
  CHECK(boxesMeet > 100);
  CHECK(held > 3000);
}

TEST_CASE("hulls judge nothing where placements are not rigid or out of range", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 2)), sheet = modelOf(flatSheet(2, 2));
  const auto apart = [](const ModelPtr& a, const Transform& ofA, const ModelPtr& b, const Transform& ofB) {
    return HullSeparation().areApart({a, ofA}, {b, ofB}, 4);
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

TEST_CASE("a part that passes close by another is separated without its trees", "[query]") {
  const ModelPtr ball = modelOf(icosphere(1, 3)), pipe = modelOf(cylinder(0.2, 4, 24)),
                 block = modelOf(sixSidedBox(1, 2, 0.5, 8));
  QueryContext plain;
  for (const auto& [a, b] : {std::pair(ball, ball), std::pair(pipe, block), std::pair(block, ball)}) {
    QueryContext context;
    int near = 0, withoutTrees = 0;
    for (int k = 0; k < 400; ++k) {
      const Transform turned =
          Transform::rotation({0.3, 1, -0.2}, 0.004 * k) * Transform::rotation({1, -0.5, 0.1}, 0.003 * k);
      // Moved in along a turning direction, up to a hundredth of its size before contact.
      const Vec3 way{std::cos(0.005 * k), std::sin(0.005 * k), 0.3};
      double distance = 8;
      for (double step = 2; step > 0.01; step /= 2)
        while (!intersect({a, {}}, {b, Transform::translation(way * (distance - step)) * turned},
                          {.mode = QueryMode::firstSurfacePair}, plain)
                    .intersects())
          distance -= step;
      const PosedModel first{a, {}}, second{b, Transform::translation(way * distance) * turned};
      const IntersectionReport report = intersect(first, second, coherently, context);
      REQUIRE_FALSE(report.intersects());
      REQUIRE(report.status == ReportStatus::complete);
      if (boxesApart(first, second)) continue;
      ++near;
      withoutTrees += report.stats.boxTests == 0;
    }
    INFO(a->mesh().name() << " and " << b->mesh().name());
    CHECK(near > 100);
    CHECK(withoutTrees > near * 2 / 3);
    // In contact again.
    CHECK(intersect({a, {}}, {b, Transform::translation({0.01, 0.02, 0})}, coherently, context).intersects());
  }
}

TEST_CASE("hulls that reach far into each other are left alone for a while", "[query]") {
  const ModelPtr rods = modelOf(lShape(4, 0.5)), ball = modelOf(icosphere(0.1, 2));
  HullSeparation hulls;
  // Between the legs of the L.
  const PosedModel first{rods, {}},
      second{ball, Transform::translation(rods->box().centre - Vec3{0.3, 0.3, 0})};
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

}  // namespace hull_separation_tests

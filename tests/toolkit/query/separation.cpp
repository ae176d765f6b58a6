#include <fitup/query/detail/separation.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/query/detail/boxes_apart.h>
#include <fitup/query/detail/query_scratch.h>
#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

using namespace fitup;
using namespace fitup::test;
using fitup::detail::gapBetweenBoxes;
using fitup::detail::Separation;

namespace {

Transform shift(double x, double y, double z) { return Transform::translation({x, y, z}); }

/// A little further, turned, or out of shape.
Transform nudged(const Transform& from, double step, Random& random) {
  Transform shape;
  if (random.below(3) == 0)
    for (auto& row : shape.m)
      for (double& v : row) v += random.between(-step, step);
  return Transform::translation(random.inCube(step)) * from *
         Transform::rotation(random.inCube(1), random.between(-step, step)) * shape;
}

}  // namespace

TEST_CASE("the gap between boxes is no larger than what they are apart", "[query][boxes]") {
  const ModelPtr a = modelOf(sixSidedBox(1, 2, 3)), b = modelOf(sixSidedBox(0.5, 4, 0.7));
  Random random(1);
  int told = 0, nearly = 0;
  for (int k = 0; k < 2000; ++k) {
    const PosedModel first{*a, randomPlacement(PlacementClass::rigid, random, 3)},
        second{*b, randomPlacement(PlacementClass::rigid, random, 3)};
    const double gap = gapBetweenBoxes(first, second, 1e30F);
    CHECK((gap > 0) == detail::boxesApart(first, second));
    if (!(gap > 0)) continue;
    const double distance = fitup::distance(first, second).distance();
    CHECK(gap <= distance * (1 + 1e-6));
    const double quick = gapBetweenBoxes(first, second, 0);
    CHECK(quick > 0);
    CHECK(quick <= gap);
    ++told;
    nearly += gap > 0.7 * distance;
  }
  CHECK(told > 1000);
  CHECK(nearly > told / 2);
  CHECK(gapBetweenBoxes({*a, {}}, {*b, shift(5, 0, 0)}, 1e30F) == Approx(4.25).epsilon(1e-3));
}

TEST_CASE("a separation holds no longer than parts are apart", "[query][laws]") {
  const ModelPtr a = modelOf(lShape(1.5, 0.5)), b = modelOf(icosphere(0.6, 2));
  Random random(2);
  int held = 0, ended = 0, met = 0;
  for (int k = 0; k < 300; ++k) {
    Transform ofA = randomPlacement(PlacementClass::rigid, random, 100), ofB = ofA * shift(0.9, 0.9, 0.3);
    ofB = ofB * Transform::rotation(random.inCube(1), random.between(-3, 3));
    ofB.t = ofB.t + random.inCube(1);
    const double distance = fitup::distance({*a, ofA}, {*b, ofB}).distance();
    if (distance == 0) continue;
    Separation separation;
    separation.keep({*a, ofA}, {*b, ofB}, distance);
    for (int i = 0; i < 20; ++i) {
      const double step = random.between(0, 0.3);
      const PosedModel first{*a, random.below(2) == 0 ? ofA : nudged(ofA, step, random)},
          second{*b, nudged(ofB, step, random)};
      const bool holds = separation.holds(first, second);
      // Told by content, in either order.
      CHECK(separation.holds(second, first) == holds);
      const bool meets = intersect(first, second).intersects();
      if (holds) CHECK_FALSE(meets);
      held += holds;
      ended += !holds;
      met += meets;
    }
  }
  CHECK(held > 200);
  CHECK(ended > 200);
  CHECK(met > 100);
}

TEST_CASE("a separation knows how far is too far", "[query][boxes]") {
  const ModelPtr a = modelOf(sixSidedBox(1, 1, 1)), b = modelOf(sixSidedBox(1, 1, 2));
  Separation separation;
  CHECK_FALSE(separation.holds({*a, {}}, {*b, shift(9, 0, 0)}));
  separation.keep({*a, {}}, {*b, shift(3, 0, 0)}, 2);
  CHECK(separation.holds({*a, {}}, {*b, shift(3, 0, 0)}));
  CHECK(separation.holds({*a, {}}, {*b, shift(1.01, 0, 0)}));
  CHECK_FALSE(separation.holds({*a, {}}, {*b, shift(1, 0, 0)}));
  CHECK(separation.motionPerQuestion() == Approx(2.0 / 3));
  // Both come closer.
  CHECK(separation.holds({*a, shift(0.9, 0, 0)}, {*b, shift(2, 0, 0)}));
  CHECK_FALSE(separation.holds({*a, shift(1.1, 0, 0)}, {*b, shift(2, 0, 0)}));
  // Another part, numbers that are none, and maps far from the one before.
  CHECK_FALSE(separation.holds({*a, {}}, {*a, shift(3, 0, 0)}));
  CHECK_FALSE(separation.holds({*a, {}}, {*b, shift(std::nan(""), 0, 0)}));
  CHECK_FALSE(separation.holds({*a, {}}, {*b, shift(3, 0, 0) * Transform::scaling(1e-9, 1, 1)}));
  separation.forget();
  CHECK_FALSE(separation.holds({*a, {}}, {*b, shift(3, 0, 0)}));
  // Less than what placed coordinates may be off by is no gap.
  separation.keep({*a, shift(1e9, 0, 0)}, {*b, shift(1e9 + 1, 0, 0)}, 1e-6);
  CHECK_FALSE(separation.holds({*a, shift(1e9, 0, 0)}, {*b, shift(1e9 + 1, 0, 0)}));
}

TEST_CASE("the gap that a query for the first pair tells is no larger than the distance", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 3)), fine = modelOf(icosphere(1, 5)),
                 rods = modelOf(lShape(1.5, 0.5)), cube = modelOf(sixSidedBox(1.2, 1.4, 1.3, 8));
  const IntersectionRequest request{.mode = QueryMode::firstSurfacePair, .coherence = Coherence::on};
  Random random(3);
  int told = 0;
  double unwanted = 0, looked = 0;
  for (const auto& [a, b] :
       {std::pair(fine, rods), std::pair(ball, rods), std::pair(cube, rods), std::pair(fine, cube)})
    for (int k = 0; k < 400; ++k) {
      QueryContext plain, wanting;
      // Boxes along the axes are as far apart as what they hold.
      Transform pose = b == cube ? shift(1.4, 1.4, 0.5) : shift(1.2, 1.2, 0.1);
      if (k % 2 == 0) pose = pose * Transform::rotation(random.inCube(1), random.between(-3, 3));
      pose.t = pose.t + random.inCube(0.5);
      // The front of the first question is used by the next.
      for (int i = 0; i < 3; ++i, pose = nudged(pose, 0.01, random)) {
        const PosedModel first{*a, {}}, second{*b, pose};
        const bool meets = intersect(first, second).intersects();
        if (!meets && detail::boxesApart(first, second)) continue;
        const double distance = meets ? 0 : fitup::distance(first, second).distance();
        for (QueryContext* context : {&plain, &wanting}) {
          WideScratch& scratch = context->scratch().wide;
          context->scratch().separation.forget();
          // The pace of the questions tells what gap is wanted: as if the parts came from a little away.
          const Transform away = shift(0, 0, 0.05) * pose;
          if (context == &wanting) context->scratch().separation.keep(first, {*b, away}, 1e-3);
          const IntersectionReport report = intersect(first, second, request, *context);
          CHECK(report.intersects() == meets);
          const double gap = gapFound(scratch);
          CHECK(gap <= distance * (1 + 1e-5));
          told += gap > 0;
          (context == &plain ? unwanted : looked) += gap;
        }
      }
    }
  CHECK(told > 200);
  CHECK(looked > 1.02 * unwanted);
}

TEST_CASE("a part that is stretched between two questions is seen to have grown", "[query][laws]") {
  // A long rod whose end looks at the inner side of an arm, inside the box of the other part.
  const ModelPtr rod = modelOf(sixSidedBox(4, 0.01, 0.01)), arms = modelOf(lShape(6, 1));
  const IntersectionRequest request{.mode = QueryMode::firstSurfacePair, .coherence = Coherence::on};
  for (const double gap : {0.02, 0.05, 0.085, 0.095, 0.099, 0.11}) {
    const Transform place = shift(1 + gap + 2, 3, 0.5);
    const PosedModel still{*arms, {}}, longer{*rod, place * Transform::scaling(1.05, 1, 1)};
    QueryContext context;
    CHECK_FALSE(intersect(still, {*rod, place}, request, context).intersects());
    CHECK(gapFound(context.scratch().wide) == Approx(gap).epsilon(0.01));
    CHECK(intersect(still, longer, request, context).intersects() == (gap < 0.1));
  }
}

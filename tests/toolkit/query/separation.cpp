#include <fitup/query/detail/separation.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include <fitup/hierarchy/wide_memory-inl.h>
#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/detail/query_scratch.h>
#include <fitup/query/intersect.h>
#include <models/grid.h>

#include "support/boxes_apart.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace separation_tests {

using namespace fitup;
using namespace fitup::test;
using detail::findSeparatingAxis;
using detail::isSeparatingAxis;
using detail::MotionRate;
using detail::RatedSafeSteps;
using detail::Separation;

namespace {

const IntersectionRequest coherently{.mode = QueryMode::firstSurfacePair, .coherence = Coherence::on};
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

Transform turn(const Vec3& axis, double angle) { return Transform::rotation(axis, angle); }

/// Returns a placement slightly further, turned, or deformed.
Transform nudged(const Transform& from, double step, Random& random) {
  Transform shape;
  if (random.below(3) == 0)
    for (auto& row : shape.m)
      for (double& v : row) v += random.between(-step, step);
  return Transform::translation(random.inCube(step)) * from *
         turn(random.inCube(1), random.between(-step, step)) * shape;
}

/// B at (3, 0, 0) beside A, both of side 1 along x, after a step of `moved`: 2 apart along x.
struct SideBySide {
  ModelPtr a = modelOf(sixSidedBox(1, 1, 1)), b = modelOf(sixSidedBox(1, 1, 2));
  Separation separation;
  MotionRate pace;

  explicit SideBySide(const Vec3& moved, unsigned questions = 1) {
    separation.keep(at({}), {b, shift(3, 0, 0) * Transform::translation(moved * -1.0)}, false, std::nullopt);
    for (unsigned i = 0; i < questions; ++i) separation.countQuestion();
    pace = separation.pace(at({}), to(shift(3, 0, 0)));
  }
  [[nodiscard]] PosedModel at(const Transform& ofA) const { return {a, ofA}; }
  [[nodiscard]] PosedModel to(const Transform& ofB) const { return {b, ofB}; }
  /// Keeps that B lies 2 beyond A in A's x.
  void keep() {
    const float steps = 2 * pace.along[detail::beyondInA][0];
    separation.keep(at({}), to(shift(3, 0, 0)), false,
                    RatedSafeSteps{pace, {steps, std::numeric_limits<float>::infinity()}});
  }
  bool holds(const Transform& ofA, const Transform& ofB) { return separation.holds(at(ofA), to(ofB)); }
};

}  // namespace

TEST_CASE("parts are separated along a direction only where their boxes are", "[query][laws]") {
  const ModelPtr a = modelOf(sixSidedBox(1, 2, 3)), b = modelOf(sixSidedBox(0.5, 4, 0.7));
  Random random(1);
  int found = 0, reported = 0, later = 0, notLater = 0;
  for (int k = 0; k < 3000; ++k) {
    const PlacementClass kind = allPlacementClasses[random.below(std::size(allPlacementClasses))];
    const PosedModel first{a, randomPlacement(PlacementClass::rigid, random, 3)},
        second{b, randomPlacement(kind, random, 3)};
    const std::optional<Vec3> direction = findSeparatingAxis(first, second);
    CHECK(direction.has_value() == boxesApart(first, second));
    if (!direction) continue;
    ++found;
    CHECK(norm(*direction) < 1 + 1e-6);
    reported += isSeparatingAxis(first, second, *direction);
    CHECK(isSeparatingAxis(second, first, *direction) == isSeparatingAxis(first, second, *direction));
    const PosedModel moved{b, nudged(second.worldFromPart, 0.5, random)};
    const bool still = isSeparatingAxis(first, moved, *direction);
    if (still) CHECK_FALSE(intersect(first, moved).intersects());
    (still ? later : notLater) += 1;
    // A map that is not rigid is rejected.
    CHECK_FALSE(
        isSeparatingAxis(first, {b, second.worldFromPart * Transform::scaling(1, 1, 1.001)}, *direction));
  }
  CHECK(found > 800);
  CHECK(reported > found - found / 20);
  CHECK(later > 200);
  CHECK(notLater > 200);
}

TEST_CASE("boxes that touch along a direction, or are hardly apart, are not separated", "[query][limits]") {
  const ModelPtr cube = modelOf(sixSidedBox(1, 1, 1)), empty = modelOf(emptyMesh());
  const Vec3 x{1, 0, 0};
  const auto along = [&](const Transform& ofA, const Transform& ofB, const Vec3& direction) {
    return isSeparatingAxis({cube, ofA}, {cube, ofB}, direction);
  };
  CHECK_FALSE(along({}, shift(1, 0, 0), x));
  CHECK(along({}, shift(1.00001, 0, 0), x));
  CHECK_FALSE(along({}, shift(5, 0, 0), {0, 1, 0}));
  CHECK_FALSE(along({}, shift(5, 0, 0), {0, 0, 0}));
  CHECK_FALSE(along({}, shift(5, 0, 0), {notANumber, 0, 0}));
  CHECK_FALSE(along({}, shift(notANumber, 0, 0), x));
  CHECK_FALSE(along({}, shift(std::numeric_limits<double>::infinity(), 0, 0), x));
  CHECK_FALSE(along({}, shift(0x1p161, 0, 0), x));
  CHECK_FALSE(isSeparatingAxis({cube, {}}, {empty, shift(5, 0, 0)}, x));
  // Less than the error of placed coordinates.
  CHECK_FALSE(along(shift(0x1p50, 0, 0), shift(0x1p50 + 2, 0, 0), x));
  CHECK(along(shift(0x1p30, 0, 0), shift(0x1p30 + 2, 0, 0), x));
}

TEST_CASE("a pace is what came nearer on each side", "[query]") {
  const auto same = [](float a, double b) { return a == Approx(b).epsilon(1e-4); };
  const SideBySide toX({0.1, 0, 0});
  // B moved on along x by 0.1; where it did not come nearer, a 64th of that is assumed.
  CHECK(same(toX.pace.anyWay, 10));
  for (const auto& [beyond, below] :
       {std::pair(detail::beyondInA, detail::shortInA), std::pair(detail::beyondInB, detail::shortInB)}) {
    CHECK(same(toX.pace.along[beyond][0], 640));
    CHECK(same(toX.pace.along[below][0], 10));
    CHECK(same(toX.pace.along[beyond][1], 640));
    CHECK(same(toX.pace.along[below][2], 640));
  }
  // The same way in five steps.
  CHECK(same(SideBySide({0.1, 0, 0}, 5).pace.along[detail::shortInA][0], 50));
  CHECK(same(SideBySide({0, -0.1, 0}).pace.along[detail::beyondInA][1], 10));
  CHECK(toX.pace.minUsefulSteps == 1);
  // If no motion is known, the half extents of both apply, in every direction.
  const auto isOfSize = [&](const MotionRate& pace, double size) {
    for (const auto& side : pace.along)
      for (const float steps : side) CHECK(same(steps, 1 / size));
    CHECK(same(pace.anyWay, 1 / size));
    CHECK(pace.minUsefulSteps == 0);
  };
  isOfSize(SideBySide({0, 0, 0}).pace, 3.5);
  // A turn of B about z by a hundredth moves its sides along x and y by half of that, because it extends half
  // as far, and not along z.
  Separation turned;
  const SideBySide s({0, 0, 0});
  turned.keep(s.at({}), s.to(shift(3, 0, 0)), false, std::nullopt);
  turned.countQuestion();
  const MotionRate pace = turned.pace(s.at({}), s.to(shift(3, 0, 0) * turn({0, 0, 1}, 0.01)));
  CHECK(pace.along[detail::beyondInA][0] == Approx(1 / 0.005).epsilon(0.02));
  CHECK(pace.along[detail::shortInB][1] == Approx(1 / 0.005).epsilon(0.02));
  CHECK(pace.along[detail::beyondInA][2] == Approx(64 * pace.anyWay).epsilon(1e-4));
  // Nothing is known of other parts.
  isOfSize(turned.pace(s.at({}), s.at(shift(3, 0, 0))), 3);
}

TEST_CASE("a separation knows how far is too far, and which way", "[query]") {
  SideBySide s({0, 0.1, 0});
  CHECK_FALSE(s.holds({}, shift(3, 0, 0)));  // nothing was reported
  s.keep();
  CHECK(s.holds({}, shift(3, 0, 0)));
  CHECK(s.separation.holds(s.to(shift(3, 0, 0)), s.at({})));
  // Along x no nearer than the gap; 64 times as far the way it came, or sideways no further than the gap.
  CHECK(s.holds({}, shift(1.01, 0, 0)));
  CHECK_FALSE(s.holds({}, shift(0.99, 0, 0)));
  CHECK(s.holds({}, shift(1.01, 127, 0)));
  CHECK_FALSE(s.holds({}, shift(3, 129, 0)));
  CHECK(s.holds({}, shift(3, -1.99, 0)));
  CHECK_FALSE(s.holds({}, shift(3, -2.01, 0)));
  CHECK(s.holds({}, shift(4.99, 0, 0)));
  // Both come closer, or move together.
  CHECK(s.holds(shift(1, 0, 0), shift(2.01, 0, 0)));
  CHECK_FALSE(s.holds(shift(1, 0, 0), shift(1.99, 0, 0)));
  CHECK(s.holds(shift(700, 0, 0), shift(703, 0, 0)));
  // When it turns about z, B extends further along x, by (|cos| - 1 + |sin|) / 2 of its sides; this is an
  // upper bound.
  const auto turned = [&](double x, double angle) {
    return s.holds({}, shift(x, 0, 0) * turn({0, 0, 1}, angle));
  };
  CHECK(turned(1.06, 0.1));
  CHECK_FALSE(turned(1.04, 0.1));
  CHECK_FALSE(turned(3, 0.6));  // too far for the bound
  // Other parts, numbers that are not finite, maps that are singular.
  CHECK_FALSE(s.separation.holds(s.at({}), s.at(shift(3, 0, 0))));
  CHECK_FALSE(s.holds({}, shift(notANumber, 0, 0)));
  Transform bad = shift(3, 0, 0);
  bad.m[1][1] = notANumber;
  CHECK_FALSE(s.holds({}, bad));
  CHECK_FALSE(s.holds({}, shift(3, 0, 0) * Transform::scaling(1e-9, 1, 1)));
  s.separation.end();
  CHECK_FALSE(s.holds({}, shift(3, 0, 0)));
}

TEST_CASE("a separation is not kept of parts out of shape, nor of gaps lost in the coordinates",
          "[query][limits]") {
  SideBySide s({0, 0.1, 0});
  const float infinity = std::numeric_limits<float>::infinity();
  const auto holdsAt = [&](const Transform& ofA, const Transform& ofB, float steps) {
    s.separation.keep(s.at(ofA), s.to(ofB), false, RatedSafeSteps{s.pace, {steps, infinity}});
    return s.holds(ofA, ofB);
  };
  CHECK(holdsAt({}, shift(3, 0, 0), 1));
  CHECK_FALSE(holdsAt({}, shift(3, 0, 0) * Transform::scaling(1, 1, 1 + 1e-6), 1));
  CHECK_FALSE(holdsAt(Transform::scaling(2, 2, 2), shift(3, 0, 0), 1));
  CHECK_FALSE(holdsAt({}, shift(3, 0, 0), 0));
  // 2^-38 of the coordinates.
  const auto far = [&](double gap) {
    return holdsAt(shift(1e9, 0, 0), shift(1e9 + 1 + gap, 0, 0),
                   static_cast<float>(gap) * s.pace.along[detail::beyondInA][0]);
  };
  CHECK_FALSE(far(1e-3));
  CHECK(far(1));
}

TEST_CASE("what a query returns holds no longer than parts are apart", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 3)), fine = modelOf(icosphere(1, 5)),
                 rods = modelOf(lShape(1.5, 0.5)), cube = modelOf(sixSidedBox(1.2, 1.4, 1.3, 8));
  // Rejected items: only children of two nodes; triangles whose boxes meet; nodes in axes of their own, with
  // cylinders and without.
  const ModelPtr few = modelOf(soup(8, 1, 0.2, 8)), others = modelOf(soup(8, 2, 0.2, 8)),
                 one = modelOf(soup(1, 3, 1)), another = modelOf(soup(1, 4, 1));
  const Transform slant = turn({1, 2, 3}, 0.7);
  BuildOptions compact;
  compact.wide->layout = WideLayout::compact;
  const MeshPtr bar = transformed(sixSidedBox(6, 0.3, 0.3, 8), slant),
                otherBar = transformed(sixSidedBox(5, 0.25, 0.3, 8), slant);
  const ModelPtr slanted = modelOf(bar), strut = modelOf(otherBar), slantedCompact = modelOf(bar, compact),
                 strutCompact = modelOf(otherBar, compact);
  const MeshPtr cross = std::make_shared<const TriangleMesh>(
      models::makeGrid({.bars = 1, .cells = 4, .size = 3, .thickness = 0.1}));
  const ModelPtr upright = modelOf(cross), slantedCross = modelOf(transformed(cross, slant)),
                 slantedCrossCompact = modelOf(transformed(cross, slant), compact);
  const Transform inCross = Transform::translation(slant.applyToVector({0, 0.5, 0.5}));
  const Transform besideBar = Transform::translation(slant.applyToVector({0, 0.5, 0}));
  struct Beside {
    ModelPtr a, b;
    Transform at;
    double turned, off;
  };
  Random random(3);
  int reported = 0, anyWay = 0, held = 0, ended = 0, met = 0;
  for (const Beside& beside :
       {Beside{fine, rods, shift(1.25, 1.25, 0.1), 3, 0.5},
        Beside{ball, rods, shift(1.25, 1.25, 0.1), 3, 0.5},
        Beside{cube, rods, shift(1.25, 1.25, 0.1), 3, 0.5}, Beside{fine, cube, shift(1.4, 1.4, 0.5), 3, 0.5},
        Beside{fine, ball, shift(1.25, 1.25, 0.1), 3, 0.5}, Beside{slanted, strut, besideBar, 0.02, 0.2},
        Beside{slantedCompact, strutCompact, besideBar, 0.02, 0.2}, Beside{few, others, {}, 3, 0.3},
        Beside{one, another, {}, 3, 0.7}, Beside{upright, strut, inCross, 0.05, 0.2},
        Beside{slantedCross, strut, inCross, 0.05, 0.2},
        Beside{slantedCrossCompact, strutCompact, inCross, 0.05, 0.2}})
    for (int k = 0; k < 1200; ++k) {
      const ModelPtr &a = beside.a, &b = beside.b;
      Transform ofA = randomPlacement(PlacementClass::rigid, random, 100), ofB = ofA * beside.at;
      ofB = ofB * turn(random.inCube(1), random.between(-beside.turned, beside.turned));
      ofB.t = ofB.t + random.inCube(beside.off);
      QueryContext context;
      IntersectionRequest request = coherently;
      request.vectorUse = k % 3 == 0 ? VectorUse::scalar : VectorUse::best;
      // Along an axis of A, or in any direction.
      Vec3 step{0, 0, 0};
      step[k % 3] = random.between(-0.02, 0.02);
      step = k % 5 < 3 ? ofA.applyToVector(step) : random.inCube(k % 2 == 0 ? 0.02 : 0.004);
      const auto moveOn = [&] { ofB = Transform::translation(step) * ofB * turn(step, 0.001); };
      (void)intersect({a, ofA}, {b, ofB}, request, context);
      Separation& separation = context.scratch().separation;
      // The first question knows no motion. The second does, and runs again because the first was useful.
      if (k % 4 > 0 && separation.holds({a, ofA}, {b, ofB})) {
        separation.end();
        context.scratch().separatingAxis.reset();
        moveOn();
        (void)intersect({a, ofA}, {b, ofB}, request, context);
      }
      if (!separation.holds({a, ofA}, {b, ofB})) continue;
      ++reported;
      anyWay +=
          detail::safeSteps(context.scratch().tree.wide()).anyWay < std::numeric_limits<float>::infinity();
      for (int i = 0; i < 30; ++i) {
        const double most = random.between(0, i < 15 ? 0.03 : 0.5);
        Transform nowA = random.below(2) == 0 ? ofA : nudged(ofA, most, random);
        Transform nowB = nudged(ofB, most, random);
        if (random.below(3) == 0) {  // straight on
          nowA = ofA;
          nowB = Transform::translation(step * random.between(-5, 40)) * ofB;
        }
        const PosedModel first{a, nowA}, second{b, nowB};
        const bool holds = separation.holds(first, second);
        // Identified by content, in either order.
        if (a != b) CHECK(separation.holds(second, first) == holds);
        const bool meets = intersect(first, second).intersects();
        if (holds) CHECK_FALSE(meets);
        held += holds;
        ended += !holds;
        met += meets;
      }
    }
  CHECK(reported > 100);
  CHECK(anyWay > 20);
  CHECK(anyWay < reported);
  CHECK(held > 500);
  CHECK(ended > 500);
  CHECK(met > 200);
}

TEST_CASE("a part that slides along another is asked little", "[query]") {
  // In the inner corner of an L, close to its wall: no direction separates the boxes.
  const ModelPtr arms = modelOf(lShape(20, 1)), block = modelOf(sixSidedBox(0.8, 0.8, 0.8, 4));
  QueryContext context;
  int traversals = 0;
  for (int k = 0; k < 100; ++k) {
    const Transform place = shift(1.4 + 0.01 + 0.005 * std::sin(0.1 * k), 2 + 0.1 * k, 0.5);
    const IntersectionReport report = intersect({arms, {}}, {block, place}, coherently, context);
    CHECK_FALSE(report.intersects());
    traversals += report.stats.boxTests > 0;
  }
  CHECK(traversals >= 1);
  CHECK(traversals < 20);
  CHECK(intersect({arms, {}}, {block, shift(1.39, 12, 0.5)}, coherently, context).intersects());
}

TEST_CASE("a part that is stretched between two questions is seen to have grown", "[query][laws]") {
  // A long rod whose end faces the inner side of an arm, inside the box of the other part.
  const ModelPtr rod = modelOf(sixSidedBox(4, 0.01, 0.01)), arms = modelOf(lShape(6, 1));
  for (const double gap : {0.02, 0.05, 0.085, 0.095, 0.099, 0.11}) {
    const Transform place = shift(1 + gap + 2, 3, 0.5);
    const PosedModel still{arms, {}}, longer{rod, place * Transform::scaling(1.05, 1, 1)};
    QueryContext context;
    CHECK_FALSE(intersect(still, {rod, place}, coherently, context).intersects());
    CHECK(context.scratch().separation.holds(still, {rod, place}));
    CHECK(intersect(still, longer, coherently, context).intersects() == (gap < 0.1));
  }
}

}  // namespace separation_tests

#include <fitup/query/detail/swept_depth.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/query/depth_along.h>
#include <fitup/query/detail/depth_cover.h>

#include "support/analytic_solids.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace swept_depth_tests {

using namespace fitup;
using namespace fitup::test;
using detail::SweptDepth;
using detail::SweptMotion;

namespace {

using Solid = std::shared_ptr<const SolidModel>;
Solid solidOf(const MeshPtr& mesh) { return SolidModel::build(CollisionModel::build(mesh)); }

Transform inWorld(const Solid& solid, const Transform& worldFromPart) {
  return worldFromPart * Transform::translation(solid->mesh().origin());
}

/// The motion of the source along a way through the world, from one place to another, as the target sees it.
SweptMotion motionOf(const Solid& target, const Transform& targetPlace, const Solid& source,
                     const Transform& sourcePlace, const RigidPath& path, double from, double to,
                     bool targetMoves) {
  const Transform start = path.at(from).transform(), end = path.at(to).transform();
  const auto stretch = path.stretch(from, to);
  const Transform targetAtStart = inWorld(target, targetMoves ? start * targetPlace : targetPlace),
                  targetAtEnd = inWorld(target, targetMoves ? end * targetPlace : targetPlace),
                  sourceAtStart = inWorld(source, targetMoves ? sourcePlace : start * sourcePlace),
                  sourceAtEnd = inWorld(source, targetMoves ? sourcePlace : end * sourcePlace);
  return {targetAtStart.inverse() * sourceAtStart, targetAtEnd.inverse() * sourceAtEnd,
          targetAtStart.inverse().apply(stretch.centre), stretch.turn, stretch.shift};
}

/// The largest depth of points of the source's surface in the target, by brute force over some points.
double sampledDepth(const Solid& target, const Solid& source, const Transform& targetFromSource,
                    Random& random) {
  PointQuery inside(target->model());
  double deepest = 0;
  const auto consider = [&](const Vec3& p) {
    if (inside.side(p, target->watertightness()) != PointSide::inside) return;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < target->mesh().triangleCount(); ++i)
      nearest = std::min(nearest, distancePointTriangle(p, target->mesh().triangle(TriangleId{i})).distance);
    deepest = std::max(deepest, nearest);
  };
  for (std::uint32_t i = 0; i < source->mesh().triangleCount(); ++i) {
    const Triangle t = source->mesh().triangle(TriangleId{i});
    double u = random.unit(), v = random.unit();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    for (const Vec3& p : {t.v[0], (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]),
                          t.v[0] + u * (t.v[1] - t.v[0]) + v * (t.v[2] - t.v[0])})
      consider(targetFromSource.apply(p));
  }
  return deepest;
}

}  // namespace

TEST_CASE("laws: what is proven of a depth along a motion holds at every pose", "[query][motion][laws]") {
  Random random(77);
  const Solid shapes[] = {solidOf(lShape(2, 1)), solidOf(icosphere(1, 1)), solidOf(sixSidedBox(3, 0.6, 2)),
                          solidOf(cylinder(0.4, 4, 10)), solidOf(tube(0.9, 0.45, 1.5, 16))};
  std::size_t proven = 0, refuted = 0, touching = 0;
  for (int round = 0; round < effort(150, 500); ++round) {
    INFO("round " << round);
    const Solid &target = shapes[random.below(5)], &source = shapes[random.below(5)];
    const Transform targetPlace = randomPlacement(
                        round % 5 == 0 ? PlacementClass::mirrored : PlacementClass::rigid, random, 1),
                    sourcePlace = Transform::rigid(randomRotation(random), random.inCube(1.8));
    const double size = std::pow(10, random.between(-2, 0.3));
    const Vec3 centre = random.inCube(1);
    const RigidMotion to{axisAngle(random.inCube(1), round % 3 == 0 ? 0.0 : random.between(-0.5, 0.5) * size),
                         random.inCube(size)};
    const RigidPath path({}, to, centre);
    double from = 0, until = 1;
    if (round % 4 == 0) from = random.between(0, 0.5), until = random.between(0.5, 1);
    const bool targetMoves = round % 2 == 0;
    const SweptMotion motion =
        motionOf(target, targetPlace, source, sourcePlace, path, from, until, targetMoves);
    // Depths near that of the poses are the hard ones.
    double deepest = 0;
    for (int k = 0; k <= 12; ++k) {
      const double s = from + (until - from) * k / 12;
      const SweptMotion at = motionOf(target, targetPlace, source, sourcePlace, path, s, s, targetMoves);
      deepest = std::max(deepest, sampledDepth(target, source, at.start, random));
    }
    touching += deepest > 0;
    for (const double share : {0.5, 0.9, 1.02, 1.2, 2.0}) {
      const double depth = std::max(deepest, 0.01) * share;
      SweptDepth search(*target, *source, motion);
      const bool stays = search.staysWithin(depth, 0, 20'000, {});
      CHECK(search.pieces() <= 20'000);
      if (stays) CHECK(deepest <= depth * (1 + 1e-9));
      proven += stays;
      refuted += !stays && deepest > depth;
      // A second search for the same says the same.
      if (share == 1.2) CHECK(search.staysWithin(depth, 0, 20'000, {}) == stays);
    }
  }
  CHECK(touching > effort(60U, 200U));
  CHECK(proven > effort(210U, 700U));
  CHECK(refuted > effort(90U, 300U));
}

TEST_CASE("laws: what is kept of proofs proves the next motions, and only what holds",
          "[query][motion][laws]") {
  Random random(78);
  const Solid shapes[] = {solidOf(lShape(2, 1)), solidOf(icosphere(1, 1)), solidOf(sixSidedBox(3, 0.6, 2)),
                          solidOf(cylinder(0.4, 4, 10)), solidOf(tube(0.9, 0.45, 1.5, 16))};
  std::size_t proven = 0, alsoAlone = 0, touching = 0, refuted = 0;
  for (int round = 0; round < effort(25, 60); ++round) {
    INFO("round " << round);
    const Solid &target = shapes[random.below(5)], &source = shapes[random.below(5)];
    const Transform targetPlace =
        randomPlacement(round % 5 == 0 ? PlacementClass::mirrored : PlacementClass::rigid, random, 1);
    Transform sourcePlace = Transform::rigid(randomRotation(random), random.inCube(1.8));
    detail::DepthCover cover(*target, *source);
    const double size = std::pow(10, random.between(-2.5, -0.7));
    double depth = 0;
    for (int step = 0; step < 20; ++step) {
      INFO("step " << step);
      const RigidMotion to{axisAngle(random.inCube(1), step % 3 == 0 ? 0.0 : random.between(-1, 1) * size),
                           random.inCube(size)};
      const Vec3 centre = random.inCube(1);
      const RigidPath path({}, to, centre);
      const bool targetMoves = step % 4 == 1;
      const SweptMotion motion = motionOf(target, targetPlace, source, sourcePlace, path, 0, 1, targetMoves);
      double deepest = 0;
      for (int k = 0; k <= 4; ++k)
        deepest = std::max(
            deepest,
            sampledDepth(
                target, source,
                motionOf(target, targetPlace, source, sourcePlace, path, k / 4.0, k / 4.0, targetMoves).start,
                random));
      touching += deepest > 0;
      // A depth that was set for many steps, as that of a drag is, and that is sometimes exceeded.
      if (step % 7 == 0) depth = std::max(deepest, 0.02) * random.between(0.95, 1.4);
      const bool stays = cover.staysWithin(motion, depth, 0, 20'000, {});
      if (stays) CHECK(deepest <= depth * (1 + 1e-9));
      proven += stays;
      refuted += !stays && deepest > depth;
      alsoAlone += SweptDepth(*target, *source, motion).staysWithin(depth, 0, 20'000, {});
      // The next motion begins where this one ended, or where it began, as after a refusal.
      if (!targetMoves && step % 5 != 4) sourcePlace = to.transform() * sourcePlace;
    }
  }
  CHECK(touching > effort(150U, 400U));
  CHECK(refuted > effort(25U, 70U));
  CHECK(proven > effort(180U, 500U));
  // What is kept leaves a little less of the depth.
  CHECK(proven > 0.97 * alsoAlone);
}

TEST_CASE("what was outside once is not taken to be so after motions that were not asked about",
          "[query][motion]") {
  // Two cubes in a bore, within the box around their target, near the wall on both sides.
  const MeshPtr cube = sixSidedBox(0.2, 0.2, 0.2);
  const Solid bush = solidOf(tube(2.5, 1, 4, 32)),
              cubes = solidOf(joined({cube, transformed(cube, Transform::translation({-1.6, 0, 0}))}));
  detail::DepthCover cover(*bush, *cubes);
  const auto stays = [&](double from, double to) {  // of the first cube from the axis
    const auto at = [&](double aside) {
      const Vec3 axis = 0.5 * (toVec3(bush->mesh().bounds().min) + toVec3(bush->mesh().bounds().max)),
                 first = 0.5 * (toVec3(cubes->mesh().bounds().min) + toVec3(cubes->mesh().bounds().max)) +
                         Vec3{0.8, 0, 0};
      return Transform::translation(axis - first + Vec3{aside, 0, 0});
    };
    return cover.staysWithin({at(from), at(to), {}, 0, std::abs(to - from)}, 0.05, 0, 1000, {});
  };
  CHECK(stays(0.85, 0.86));
  CHECK(stays(0.86, 0.85));
  CHECK_FALSE(stays(0.25, 0.24));  // the second one is in the wall
  CHECK(stays(0.85, 0.86));
}

TEST_CASE("what slides in small steps is searched only where it passes borders", "[query][motion]") {
  const Solid pin = solidOf(cylinder(1, 6, 24)), block = solidOf(tube(2, 1, 2, 32));
  Random random(79);
  const auto worldFromLocal = [](const Solid& solid) {
    return Transform::translation(solid->mesh().origin());
  };
  detail::DepthCover ofPin(*block, *pin), ofBlock(*pin, *block);
  Transform at;
  for (int step = 0; step < 200; ++step) {
    INFO("step " << step);
    const double turn = random.between(-0.02, 0.02), shift = random.between(-0.02, 0.03);
    const Transform next = Transform::translation({0, 0, shift}) * Transform::rotation({0, 0, 1}, turn) * at;
    const Transform start = worldFromLocal(block).inverse() * at * worldFromLocal(pin),
                    end = worldFromLocal(block).inverse() * next * worldFromLocal(pin);
    CHECK(ofPin.staysWithin({start, end, {}, std::abs(turn), std::abs(shift)}, 0.04, 0, 1000, {}));
    CHECK(ofBlock.staysWithin({start.inverse(), end.inverse(), {}, std::abs(turn), std::abs(shift)}, 0.04, 0,
                              1000, {}));
    at = next;
  }
  // Across the bore it is not true.
  const Transform aside = Transform::translation({0.06, 0, 0}) * at;
  const Transform start = worldFromLocal(block).inverse() * at * worldFromLocal(pin),
                  end = worldFromLocal(block).inverse() * aside * worldFromLocal(pin);
  CHECK_FALSE(ofPin.staysWithin({start, end, {}, 0, 0.06}, 0.04, 0, 1000, {}));
}

TEST_CASE("what slides in a bore or on a plane is proven as a whole", "[query][motion]") {
  // The facets of pin and bore overlap by less than 0.02.
  const Solid pin = solidOf(cylinder(1, 6, 24)), block = solidOf(tube(2, 1, 2, 32));
  // Plates along no axis, so that the boxes around them say nothing.
  const Transform turn = Transform::rotation({1, 2, 3}, 0.4);
  const Solid plate = solidOf(transformed(sixSidedBox(4, 4, 1, 12), turn)),
              other = solidOf(transformed(sixSidedBox(3, 3, 1, 9), turn));
  const Transform onPlate = turn * Transform::translation({0.3, -0.2, 1}) * turn.inverse();
  const auto onWay = [&](double x, double y, double z) { return RigidMotion{{}, turn.apply({x, y, z})}; };
  const auto pieces = [](const Solid& a, const Transform& placeA, const Solid& b, const RigidMotion& by,
                         double depth) {
    const RigidPath path({}, by, {});
    std::size_t sum = 0;
    for (const bool targetMoves : {true, false}) {
      const SweptMotion motion = targetMoves ? motionOf(a, placeA, b, {}, path, 0, 1, true)
                                             : motionOf(b, {}, a, placeA, path, 0, 1, false);
      SweptDepth search(targetMoves ? *a : *b, targetMoves ? *b : *a, motion);
      if (!search.staysWithin(depth, 0, 20'000, {})) return std::size_t{0};
      sum += search.pieces();
    }
    return sum;
  };
  for (const double way : {0.1, 1.0, 5.0, -3.0}) {
    INFO("way " << way);
    const std::size_t along = pieces(pin, {}, block, {{}, {0, 0, way}}, 0.04);
    CHECK(along > 0);
    CHECK(along < 700);
    const std::size_t sliding = pieces(other, onPlate, plate, onWay(way, 0.4 * way, 0), 0.01);
    CHECK(sliding > 0);
    CHECK(sliding < 4000);
  }
  CHECK(pieces(pin, {}, block, {axisAngle({0, 0, 1}, 0.1), {}}, 0.04) > 0);
  // Across the bore it is not true.
  CHECK(pieces(pin, {}, block, {{}, {0.2, 0, 0}}, 0.04) == 0);
  CHECK(pieces(other, onPlate, plate, onWay(0.5, 0, -0.05), 0.01) == 0);
}

TEST_CASE("the depth along a motion is known of closed bodies in rigid placements only", "[query][motion]") {
  const Solid pin = solidOf(cylinder(1, 6, 24)), block = solidOf(tube(2, 1, 2, 32));
  const Transform world = Transform::rotation({1, 2, 3}, 0.7) * Transform::translation({30, -20, 5});
  const auto keeps = [&](const PosedSolid& first, const PosedSolid& second, const Vec3& by, double depth) {
    const Vec3 way = world.applyToVector(by);
    return keepsDepthAlong(
        first, second,
        {Transform::translation(way) * first.worldFromPart, first.worldFromPart.apply({}), 0, norm(way)},
        depth, 0, 20'000);
  };
  CHECK(keeps({pin, world}, {block, world}, {0, 0, 5}, 0.04));
  CHECK(keeps({block, world}, {pin, world}, {0, 0, 5}, 0.04));
  CHECK_FALSE(keeps({pin, world}, {block, world}, {0.2, 0, 0}, 0.04));
  CHECK_FALSE(keeps({pin, world}, {block, world}, {0, 0, 5}, 0.001));  // their facets are deeper
  CHECK_FALSE(keeps({pin, world * Transform::scaling(1, 1, 2)}, {block, world}, {0, 0, 5}, 0.04));
  const Solid open = solidOf(flatSheet(3, 3));
  CHECK_FALSE(keeps({open, world * Transform::translation({50, 0, 0})}, {block, world}, {0, 0, 5}, 0.04));
  CHECK_THROWS_AS(keeps({nullptr, world}, {block, world}, {0, 0, 5}, 0.04), InputError);
}

}  // namespace swept_depth_tests

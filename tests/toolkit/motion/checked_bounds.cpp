// The bounds on which the checker of certificates rests.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/motion/detail/checked_body.h>
#include <fitup/motion/detail/checked_motion.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace checked_bounds_tests {

using namespace fitup;
using namespace fitup::test;
using detail::CheckedBody;
using detail::Corners;
using detail::StepMotion;

namespace {

StepMotion randomMotion(Random& random) {
  RigidMotion from{randomRotation(random), random.inCube(5)};
  StepWay way;
  if (random.below(2) == 0) {
    way.turn = AxisTurn{random.inCube(5), random.inCube(1), random.between(-400, 400), random.between(-2, 2)};
    return detail::stepMotion(from, way.turn->at(1) * from, way, {});
  }
  way.pivot = random.inCube(5);
  return detail::stepMotion(from, {randomRotation(random), random.inCube(5)}, way, {});
}

Corners cornersOf(const Triangle& t) { return {t.v[0], t.v[1], t.v[2]}; }

Vec3 inBall(Random& random, double radius) {
  for (;;)
    if (const Vec3 p = random.inCube(radius); norm(p) <= radius) return p;
}

}  // namespace

TEST_CASE("a step begins and ends at the poses of the track", "[motion][certificate]") {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const RigidMotion from{randomRotation(random), random.inCube(5)},
        to{randomRotation(random), random.inCube(5)};
    const StepMotion straight = detail::stepMotion(from, to, {{}, random.inCube(3)}, {});
    const AxisTurn turn{random.inCube(5), random.inCube(1), random.between(-900, 900), 2};
    const StepMotion turned = detail::stepMotion(from, turn.at(1) * from, {turn, {}}, {});
    for (int k = 0; k < 5; ++k) {
      const Vec3 p = random.inCube(5);
      const double s = random.unit();
      CHECK(norm(straight.at(0).apply(p) - from.transform().apply(p)) < 1e-12);
      CHECK(norm(straight.at(1).apply(p) - to.transform().apply(p)) < 1e-12);
      CHECK(norm(turned.at(s).apply(p) - (turn.at(s) * from).transform().apply(p)) < 1e-12);
    }
  }
}

TEST_CASE("points keep within the bend of a window of their straight paths", "[motion][certificate]") {
  Random random(2);
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const StepMotion first = randomMotion(random);
    const StepMotion second = random.below(3) == 0 ? StepMotion{} : randomMotion(random);
    const Vec3 centre = random.inCube(3);
    const double radius = random.between(0, 3);
    const detail::RelativeMotion motion(first, second, centre, radius);
    const double from = random.unit(), to = from + (1 - from) * random.unit();
    const detail::MotionWindow window = motion.over(from, to);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = centre + inBall(random, radius);
      const double tau = window.half * random.between(-1, 1), s = window.middle + tau;
      const Vec3 y = window.secondFromFirst.apply(p);
      const Vec3 exact = detail::undone(second.at(s)).apply(first.at(s).apply(p));
      const double off = norm(exact - (y + tau * window.velocity(y))), bound = 0.5 * window.bend * tau * tau;
      INFO("case " << i);
      CHECK(off <= bound + 1e-11);
      if (bound > 1e-6) worst = std::max(worst, off / bound);
    }
  }
  CHECK(worst > 0.5);  // the bound is not much larger than it has to be
}

TEST_CASE("the nearest points of triangles and surfaces are those of the exact queries",
          "[motion][certificate]") {
  Random random(3);
  for (const MeshPtr& mesh :
       {soup(60, 4, 0.5), sliverFan(20, 2, 1e-9), degenerateSet(), latticeSoup(40, 7, 3)}) {
    const CheckedBody body(*mesh, {});
    const std::vector<Triangle> triangles = trianglesOf(mesh);
    const auto any = [&] { return triangles[random.below(static_cast<std::uint32_t>(triangles.size()))]; };
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random.inCube(3);
      double least = 1e9;
      for (const Triangle& t : triangles) least = std::min(least, distancePointTriangle(p, t).distance);
      CHECK(std::abs(body.nearest(p).distance - least) < 1e-12);
      CHECK(std::abs(norm(body.nearest(p).point - p) - least) < 1e-12);
      CHECK(std::isinf(body.nearest(p, 0.5 * least).distance));
      const Triangle a = any(), b = any();
      const detail::PointPair pair = detail::nearestOfTriangles(cornersOf(a), cornersOf(b));
      CHECK(std::abs(pair.distance - distanceTriangleTriangle(a, b).distance) < 1e-12);
      CHECK(std::abs(norm(pair.b - pair.a) - pair.distance) < 1e-12);
      CHECK(distancePointTriangle(pair.a, a).distance < 1e-12);
      CHECK(distancePointTriangle(pair.b, b).distance < 1e-12);
    }
  }
}

TEST_CASE("bodies know what is inside of them, and whether they can", "[motion][certificate]") {
  Random random(5);
  const MeshPtr cavity = joined({sixSidedBox(4, 4, 4), insideOut(sixSidedBox(2, 2, 2))});
  for (const auto& [mesh, isInside] : std::vector<std::pair<MeshPtr, std::function<bool(const Vec3&)>>>{
           {sixSidedBox(2, 3, 4, 3),
            [](const Vec3& p) { return std::abs(p.x) < 1 && std::abs(p.y) < 1.5 && std::abs(p.z) < 2; }},
           {insideOut(box(2, 3, 4)),
            [](const Vec3& p) { return std::abs(p.x) < 1 && std::abs(p.y) < 1.5 && std::abs(p.z) < 2; }},
           {cavity, [](const Vec3& p) {
              const double most = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
              return most < 2 && most > 1;
            }}}) {
    const CheckedBody body(*mesh, {});
    REQUIRE(body.isSolid());
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = random.inCube(2.5);
      CHECK(body.contains(p) == isInside(p));
    }
    for (std::size_t t = 0; t < body.triangles().size(); ++t) {
      const Corners& c = body.triangles()[t];
      const Vec3 middle = (c[0] + c[1] + c[2]) * (1.0 / 3), off = body.outwardNormals()[t] * 1e-3;
      CHECK(isInside(middle - off));
      CHECK_FALSE(isInside(middle + off));
    }
  }
  CHECK(CheckedBody(*cavity, {}).cornersOfShells().size() == 2);
  CHECK(CheckedBody(*tube(8, 5, 6, 40), {}).isSolid());
  CHECK(CheckedBody(*icosphere(3, 3), Transform::rigid(randomRotation(random), {5, 5, 5})).isSolid());
  CHECK_FALSE(CheckedBody(*flatSheet(3, 3), {}).isSolid());
  CHECK_FALSE(CheckedBody(*emptyMesh(), {}).isSolid());
  // Shells that cross, touch, or lie on one another.
  for (const double x : {0.0, 1.0, 2.0})
    CHECK_FALSE(
        CheckedBody(*joined({box(2, 2, 2), transformed(box(2, 2, 2), Transform::translation({x, 0, 0}))}), {})
            .isSolid());
  CHECK(CheckedBody(*joined({box(2, 2, 2), transformed(box(2, 2, 2), Transform::translation({2.01, 0, 0}))}),
                    {})
            .isSolid());
}

TEST_CASE("walls are thin if they may be", "[motion][certificate]") {
  const auto isThin = [](const MeshPtr& mesh, double width) {
    return CheckedBody(*mesh, {}).mayHaveWallThinnerThan(width);
  };
  CHECK(isThin(box(5, 5, 1), 1.01));
  CHECK_FALSE(isThin(box(5, 5, 1), 0.99));
  CHECK(isThin(tube(8, 7.5, 6, 24), 0.6));
  CHECK_FALSE(isThin(tube(8, 5, 6, 24), 0.6));
  CHECK(isThin(lShape(4, 3), 1.01));
  CHECK_FALSE(isThin(lShape(4, 3), 0.9));
  CHECK(isThin(flatSheet(2, 2), 1e-3));  // not known
  // A slot is no wall.
  CHECK_FALSE(
      isThin(joined({box(5, 5, 5), transformed(box(5, 5, 5), Transform::translation({5.1, 0, 0}))}), 0.5));
  CHECK_FALSE(isThin(tetrahedron(3), 0.1));
}

}  // namespace checked_bounds_tests

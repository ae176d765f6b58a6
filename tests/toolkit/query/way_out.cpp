#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/way_out.h>

#include "support/analytic_solids.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace way_out_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Transform moved(Transform world, const Vec3& by) {
  world.t = world.t + by;
  return world;
}

/// True if a corner of `inner` is inside of `outer`.
bool hasInside(const PosedSolid& outer, const PosedSolid& inner) {
  PointQuery query(outer.solid->model());
  const Transform partFromWorld = outer.worldFromPart.inverse();
  for (const Point3f& p : inner.solid->mesh().points()) {
    const Vec3 local = partFromWorld.apply(inner.inWorld(toVec3(p))) - outer.solid->mesh().origin();
    if (query.side(local, outer.solid->watertightness()) == PointSide::inside) return true;
  }
  return false;
}

/// Returns the length of the way out, after checking by brute force that it frees the two, whichever moves,
/// and that exchanged arguments give the opposite.
double check(const PosedSolid& first, const PosedSolid& second, const WayOutRequest& request = {}) {
  const WayOut found = wayOut(first, second, request);
  REQUIRE(found.translation);
  CHECK(found.status == ReportStatus::complete);
  const PosedSolid firstMoved{first.solid, moved(first.worldFromPart, *found.translation)},
      secondMoved{second.solid, moved(second.worldFromPart, -*found.translation)};
  CHECK_FALSE(bruteForce(firstMoved.posed(), second.posed()).intersects());
  CHECK_FALSE(bruteForce(first.posed(), secondMoved.posed()).intersects());
  CHECK_FALSE(hasInside(firstMoved, second));
  CHECK_FALSE(hasInside(second, firstMoved));
  WayOutRequest opposite = request;
  for (Vec3& direction : opposite.directions) direction = -direction;
  const WayOut back = wayOut(second, first, opposite);
  REQUIRE(back.translation);
  CHECK(*back.translation == -*found.translation);
  return found.length();
}

/// The least translation that separates two convex bodies: along a face normal of one of them, or across an
/// edge of each.
double leastOfConvex(const PosedSolid& a, const PosedSolid& b) {
  const auto cornersOf = [](const PosedSolid& s) {
    std::vector<Vec3> all;
    for (const Point3f& p : s.solid->mesh().points()) all.push_back(s.inWorld(toVec3(p)));
    return all;
  };
  const auto edgesOf = [](const PosedSolid& s) {
    std::vector<Triangle> all;
    for (std::uint32_t i = 0; i < s.solid->mesh().triangleCount(); ++i) {
      Triangle t = s.solid->mesh().triangle(TriangleId{i});
      for (Vec3& p : t.v) p = s.inWorld(p);
      all.push_back({{t.v[1] - t.v[0], t.v[2] - t.v[1], t.v[0] - t.v[2]}});
    }
    return all;
  };
  const auto inA = cornersOf(a), inB = cornersOf(b);
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](const Vec3& direction) {
    if (!(norm(direction) > 1e-9)) return;
    const Vec3 d = normalized(direction);
    const auto along = [&](const Vec3& p, const Vec3& q) { return dot(p, d) < dot(q, d); };
    const double length =
        dot(*std::ranges::max_element(inB, along), d) - dot(*std::ranges::min_element(inA, along), d);
    least = std::min(least, std::max(0.0, length));
  };
  const auto ofA = edgesOf(a), ofB = edgesOf(b);
  for (const auto* triangles : {&ofA, &ofB})
    for (const Triangle& t : *triangles)
      for (const double sign : {1.0, -1.0}) look(cross(t.v[0], t.v[1]) * sign);
  for (const Triangle& t : ofA)
    for (const Triangle& s : ofB)
      for (const Vec3& p : t.v)
        for (const Vec3& q : s.v)
          for (const double sign : {1.0, -1.0}) look(cross(p, q) * sign);
  return least;
}

}  // namespace

TEST_CASE("the way out of two boxes is their least overlap along an axis", "[query][wayout]") {
  const BodyPtr a = bodyOf(box(2, 4, 6)), b = bodyOf(sixSidedBox(1, 3, 5, 3));
  Random random(1);
  for (const PlacementClass kind :
       {PlacementClass::identity, PlacementClass::translated, PlacementClass::quarterTurn,
        PlacementClass::rigid, PlacementClass::mirrored})
    for (int i = 0; i < effort(2, 20); ++i) {
      const Transform world = randomPlacement(kind, random, 10);
      CAPTURE(kind, i);
      CHECK(check({a, world}, {b, world * shift(1.2, 0.3, 0.1)}) == Approx(0.3).epsilon(1e-3));
      CHECK(check({a, world}, {b, world * shift(0.1, 0.2, -5)}) == Approx(0.5).epsilon(1e-3));
      CHECK(check({a, world}, {b, world * shift(0.1, 0.2, 0.3)}) == Approx(1.4).epsilon(1e-3));  // inside
    }
  const WayOut none = wayOut({a, {}}, {b, shift(5, 0, 0)});
  REQUIRE(none.translation);
  CHECK(none.length() == 0);
}

TEST_CASE("the way out of convex bodies is hardly longer than the least one", "[query][wayout]") {
  Random random(2);
  int overlapping = 0;
  for (int i = 0; i < effort(30, 500); ++i) {
    const Transform world = randomPlacement(PlacementClass::rigid, random, 3);
    const bool isTetrahedron = i % 2 == 0;
    const PosedSolid first{bodyOf(isTetrahedron ? tetrahedron(2) : icosphere(1, 0)), world},
        second{bodyOf(transformed(tetrahedron(2), Transform::scaling(1, 0.4, 1.7))),
               world * randomPlacement(PlacementClass::rigid, random, 0.6)};
    const double least = leastOfConvex(first, second);
    if (least == 0) continue;
    ++overlapping;
    CAPTURE(i, least);
    const double found = check(first, second);
    CHECK(found >= least * (1 - 1e-6));
    CHECK(found <= least * 1.02);
  }
  CHECK(overlapping > 15);
}

TEST_CASE("the way out of spheres, a press fit and a pocket", "[query][wayout]") {
  const Transform world = Transform::rigid(axisAngle({1, 2, 3}, 0.7), {5, -3, 2});
  const BodyPtr sphere = bodyOf(icosphere(1, 3));
  CHECK(check({sphere, world}, {sphere, world * shift(0.5, 0.3, 0.2)}) ==
        Approx(2 - norm({0.5, 0.3, 0.2})).epsilon(0.02));

  // Half of both lengths, although nothing is deeper than 0.05.
  const BodyPtr shaft = bodyOf(cylinder(10, 20, 60)), hub = bodyOf(tube(20, 9.95, 12, 60));
  const double out = check({hub, world}, {shaft, world * shift(0, 0, 3)}, {.atLeast = 0.05});
  CHECK(out == Approx(13).epsilon(1e-3));

  // A block in a pocket is lifted out; one in the wall of a cavity has room in it.
  const std::vector<MeshPtr> walls{box(6, 6, 1), transformed(box(1, 6, 4), shift(-2.5, 0, 1.5)),
                                   transformed(box(1, 6, 4), shift(2.5, 0, 1.5))};
  const BodyPtr pocket = bodyOf(joined(walls));
  const BodyPtr block = bodyOf(box(4.2, 5, 3));
  CHECK(check({block, world * shift(0, 0, 2.1)}, {pocket, world}) == Approx(2.9).epsilon(1e-3));
  const BodyPtr hollow = bodyOf(joined({box(8, 8, 8), insideOut(box(6, 6, 6))}));
  const BodyPtr small = bodyOf(box(1, 1, 1));
  CHECK(check({small, world * shift(2.75, 0.1, 0.2)}, {hollow, world}) == Approx(0.25).epsilon(1e-3));
}

TEST_CASE("scaling scales the way out, and moving both turns it", "[query][wayout]") {
  const BodyPtr a = bodyOf(lShape(3, 1)), b = bodyOf(cylinder(1, 4, 24));
  const Transform beside = Transform::rigid(axisAngle({1, 0, 0}, 0.4), {1.2, 0.5, 0.3});
  const double length = check({a, {}}, {b, beside});
  Random random(3);
  for (int i = 0; i < effort(2, 20); ++i) {
    const Transform world = randomPlacement(PlacementClass::rigid, random, 10);
    CHECK(check({a, world}, {b, world * beside}) == Approx(length).epsilon(0.03));
    const double s = std::pow(10, random.integer(-3, 3));
    const Transform scaled = Transform::scaling(s, s, s);
    Transform besideScaled = beside;
    besideScaled.t = besideScaled.t * s;
    CHECK(check({bodyOf(transformed(lShape(3, 1), scaled)), {}},
                {bodyOf(transformed(cylinder(1, 4, 24), scaled)), besideScaled}) ==
          Approx(s * length).epsilon(0.03));
  }
}

TEST_CASE("a limit ends the search for a way out, and what it found so far is free", "[query][wayout]") {
  const BodyPtr a = bodyOf(box(2, 4, 6));
  const PosedSolid first{a, {}}, second{a, shift(0.5, 0.3, 0.1)};
  for (const std::size_t poses : {0, 1, 2, 5, 20}) {
    const WayOut found = wayOut(first, second, {.maxPoses = poses});
    CHECK(found.status == ReportStatus::truncated);
    if (!found.translation) continue;
    CHECK_FALSE(bruteForce({a->sharedModel(), moved({}, *found.translation)}, second.posed()).intersects());
  }
  CHECK(wayOut(first, second, {.maxPoses = 5}).translation);
  std::stop_source source;
  source.request_stop();
  WayOutRequest cancelled;
  cancelled.limits.cancel = source.get_token();
  const WayOut found = wayOut(first, second, cancelled);
  CHECK(found.status == ReportStatus::cancelled);
  CHECK_FALSE(found.translation);
  CHECK_THROWS_AS(wayOut(first, second, {.directions = {{}}}), InputError);
  CHECK_THROWS_AS(wayOut(first, second, {.atLeast = -1}), InputError);
  CHECK_THROWS_AS(wayOut({nullptr, {}}, second), InputError);
}

TEST_CASE("a sheet is free where it meets nothing and nothing may enclose it", "[query][wayout]") {
  const PosedSolid sheet{bodyOf(flatSheet(2, 2)), {}}, block{bodyOf(box(1, 1, 1)), shift(1, 1, 0.2)};
  const double length = check(sheet, block);
  CHECK(length == Approx(0.3).epsilon(1e-3));
}

}  // namespace way_out_tests

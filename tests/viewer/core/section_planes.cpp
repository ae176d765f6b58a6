#include <viewer/core/section_planes.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/base/error.h>

#include "support/placements.h"

namespace section_planes_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

const Box visible{{10, 20, 30}, {14, 26, 40}};
const Vec3 isometric = normalized(Vec3{-1, 1, -1});  // the line of sight from +x, -y, +z

}  // namespace

TEST_CASE("the first section goes through the middle and opens towards the viewer", "[viewer][section]") {
  std::vector<SectionPlane> planes;
  toggleAll(planes, visible, isometric);
  CHECK(planes == std::vector<SectionPlane>{{{1, 0, 0}, 12, true}});
  CHECK(isCutAway(planes, {13, 23, 35}));
  CHECK_FALSE(isCutAway(planes, {11, 23, 35}));
  toggleAll(planes, visible, isometric);
  CHECK_FALSE(anyEnabled(planes));
  CHECK_FALSE(isCutAway(planes, {13, 23, 35}));
  planes.front().offset = 11;  // one that is switched off keeps its place
  toggleAll(planes, visible, isometric);
  CHECK(planes == std::vector<SectionPlane>{{{1, 0, 0}, 11, true}});
  for (const Vec3& forward : {Vec3{0, 0, -1}, Vec3{0.1, 0.9, 0.2}, Vec3{-0.9, 0.1, 0}}) {
    const Vec3 axis = axisTowardsViewer(forward);
    CHECK(norm(axis) == 1);
    CHECK(dot(axis, forward) < -0.8 * norm(forward));
    CHECK(planeThroughMiddle(visible, axis).offset == Approx(dot(axis, visible.centre())));
  }
}

TEST_CASE("planes are added across free axes, up to six", "[viewer][section]") {
  std::vector<SectionPlane> planes;
  for (int i = 0; i < 3; ++i) addPlane(planes, visible, isometric);
  CHECK(std::abs(planes[0].normal.x) == 1);
  CHECK(std::abs(planes[1].normal.y) == 1);
  CHECK(std::abs(planes[2].normal.z) == 1);
  for (const SectionPlane& plane : planes) {
    CHECK(plane.offset == Approx(dot(plane.normal, visible.centre())));
    CHECK(dot(plane.normal, isometric) < 0);
  }
  while (planes.size() < mostSections) addPlane(planes, visible, isometric);
  CHECK_THROWS_AS(addPlane(planes, visible, isometric), InputError);
}

TEST_CASE("a section along an axis contains it, faces the viewer and is near an axis of the world",
          "[viewer][section]") {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Vec3 axis = normalized(random.inCube(1)), forward = normalized(random.inCube(1)),
               point = random.inCube(50);
    const SectionPlane plane = planeAlong(axis, point, forward);
    CHECK(plane.enabled);
    CHECK(norm(plane.normal) == Approx(1));
    CHECK(std::abs(dot(plane.normal, axis)) < 1e-12);
    CHECK(std::abs(dot(plane.normal, point) - plane.offset) < 1e-9);
    CHECK(dot(plane.normal, forward) <= 0);
  }
  // A bolt along z, seen from the front and from the right.
  CHECK(planeAlong({0, 0, 1}, {1, 2, 3}, {0, 1, 0}).normal == Vec3{0, -1, 0});
  CHECK(planeAlong({0, 0, -1}, {1, 2, 3}, {-1, 0.1, 0}).normal == Vec3{1, 0, 0});
}

TEST_CASE("a box section keeps what it is around", "[viewer][section]") {
  const std::vector<SectionPlane> planes = boxSection(visible);
  CHECK(planes.size() == 6);
  for (const Vec3& corner : {visible.min, visible.max, Vec3{10, 26, 30}})
    CHECK_FALSE(isCutAway(planes, corner));
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0}) {
      Vec3 outside = visible.centre();
      outside[i] += side * 1.2 * visible.halfExtent()[i];
      CHECK(isCutAway(planes, outside));
    }
}

TEST_CASE("a flipped section cuts away what was kept", "[viewer][section]") {
  const SectionPlane plane{normalized(Vec3{1, -2, 0.5}), 0.3, true};
  const SectionPlane other = flipped(plane);
  for (const Vec3& point : {Vec3{2, 1, 0}, Vec3{-1, 0, 3}, Vec3{0.5, -4, 1}})
    CHECK((dot(plane.normal, point) > plane.offset) == (dot(other.normal, point) < other.offset));
  CHECK(flipped(other) == plane);
}

}  // namespace section_planes_tests

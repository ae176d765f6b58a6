#include <viewer/core/nudge.h>

#include <catch2/catch.hpp>
#include <cmath>

namespace nudge_tests {

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("nudges go along the axes of the world as one sees them", "[viewer][nudge]") {
  Camera camera;
  camera.setPicture(800, 600);
  const Box box{{-1, -1, -1}, {1, 1, 1}};
  camera.look(StandardView::front, box);
  CHECK(nudgeAxis(camera, NudgeWay::right) == Vec3{1, 0, 0});
  CHECK(nudgeAxis(camera, NudgeWay::up) == Vec3{0, 0, 1});
  CHECK(nudgeAxis(camera, NudgeWay::away) == Vec3{0, 1, 0});
  camera.look(StandardView::back, box);
  CHECK(nudgeAxis(camera, NudgeWay::right) == Vec3{-1, 0, 0});
  camera.look(StandardView::top, box);
  CHECK(nudgeAxis(camera, NudgeWay::up) == Vec3{0, 1, 0});
  CHECK(nudgeAxis(camera, NudgeWay::away) == Vec3{0, 0, -1});
}

TEST_CASE("the three ways of a nudge have three axes, from wherever one looks", "[viewer][nudge]") {
  Camera camera;
  camera.setPicture(800, 600);
  camera.look(StandardView::isometric, {{-1, -1, -1}, {1, 1, 1}});
  for (int i = 0; i < 200; ++i) {
    camera.orbit(37, 11, {});
    const Vec3 right = nudgeAxis(camera, NudgeWay::right), up = nudgeAxis(camera, NudgeWay::up),
               away = nudgeAxis(camera, NudgeWay::away);
    CHECK(std::abs(dot(cross(right, up), away)) == 1);
    CHECK(dot(right, camera.right()) > 0);
    CHECK(dot(up, camera.up()) >= 0);
    CHECK(dot(away, camera.forward()) >= 0);
  }
}

}  // namespace nudge_tests

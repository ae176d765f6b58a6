#include <viewer/core/gizmo.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

namespace gizmo_tests {

using namespace fitup;
using namespace fitup::viewer;

namespace {

Camera camera() {
  Camera result;
  result.setPicture(800, 600);
  result.look(StandardView::isometric, {{-2, -2, -2}, {2, 2, 2}});
  return result;
}

PicturePoint at(const Camera& camera, const Vec3& point) { return camera.project(point).value(); }

}  // namespace

TEST_CASE("a handle is found where it is drawn", "[viewer][gizmo]") {
  const Camera view = camera();
  const Gizmo gizmo{{0.2, -0.1, 0.3}, 1};
  for (const GizmoHandle handle : allGizmoHandles) {
    const std::vector<Vec3> line = gizmo.outline(handle);
    // The tip of an arrow; for a ring, the point that is farthest from the others.
    const Vec3 place = turns(handle) ? line[5] : line.back();
    const auto found = gizmo.handleAt(view, at(view, place), 5);
    CAPTURE(static_cast<int>(handle));
    REQUIRE(found);
    CHECK(*found == handle);
  }
  CHECK_FALSE(gizmo.handleAt(view, {3, 3}, 5));
}

TEST_CASE("an arrow moves along its axis, and what was grabbed stays under the cursor", "[viewer][gizmo]") {
  const Camera view = camera();
  const Vec3 centre{0.2, -0.1, 0.3};
  for (const GizmoHandle handle : {GizmoHandle::moveX, GizmoHandle::moveY, GizmoHandle::moveZ}) {
    const Vec3 grabbed = centre + axisOf(handle) * 0.6;
    GizmoDrag drag(handle, centre, view.ray(at(view, grabbed)));
    for (const double way : {0.5, -1.25, 0.0}) {
      const RigidMotion motion = drag.moveTo(view.ray(at(view, grabbed + axisOf(handle) * way)));
      CHECK(motion.rotation == Quaternion{});
      CHECK(norm(motion.translation - axisOf(handle) * way) < 1e-9);
    }
  }
}

TEST_CASE("a ring turns about its axis, beyond a full turn too", "[viewer][gizmo]") {
  const Camera view = camera();
  const Vec3 centre{0.2, -0.1, 0.3};
  const auto onRing = [&](double angle) { return centre + Vec3{std::cos(angle), std::sin(angle), 0} * 0.7; };
  GizmoDrag drag(GizmoHandle::turnZ, centre, view.ray(at(view, onRing(0.3))));
  for (double angle = 0; angle < 7; angle += 0.25) {
    const RigidMotion motion = drag.moveTo(view.ray(at(view, onRing(0.3 + angle))));
    const Vec3 expected = onRing(0.3 + angle);
    CHECK(norm(motion.transform().apply(onRing(0.3)) - expected) < 1e-9);
    CHECK(norm(motion.transform().apply(centre) - centre) < 1e-9);
    REQUIRE(drag.turn());
    CHECK(drag.turn()->degrees == Approx(angle * 180 / std::numbers::pi).margin(1e-6));
    CHECK(drag.turn()->at(1) == motion);
  }
}

TEST_CASE("a free drag keeps what was grabbed under the cursor", "[viewer][gizmo]") {
  const Camera view = camera();
  const Vec3 grabbed{0.5, 0.5, 1};
  GizmoDrag drag = GizmoDrag::inPlane(grabbed, view.forward());
  const PicturePoint wanted{at(view, grabbed).x + 55, at(view, grabbed).y - 40};
  const RigidMotion motion = drag.moveTo(view.ray(wanted));
  const PicturePoint now = at(view, grabbed + motion.translation);
  CHECK(std::hypot(now.x - wanted.x, now.y - wanted.y) < 1e-6);
  CHECK(std::abs(dot(motion.translation, view.forward())) < 1e-9);
}

TEST_CASE("a ray that says nothing leaves the motion as it is", "[viewer][gizmo]") {
  GizmoDrag along(GizmoHandle::moveZ, {}, {{-5, 0, 0}, {1, 0, 0}});
  CHECK(along.moveTo({{-5, 0, 2}, {1, 0, 0}}).translation == Vec3{0, 0, 2});
  CHECK(along.moveTo({{0, 0, 9}, {0, 0, -1}}).translation == Vec3{0, 0, 2});
  GizmoDrag plane = GizmoDrag::inPlane({}, {1, 0, 0});
  CHECK(plane.moveTo({{-5, 1, 2}, {1, 0, 0}}).translation == Vec3{0, 1, 2});
  CHECK(plane.moveTo({{-5, 4, 4}, {0, 1, 0}}).translation == Vec3{0, 1, 2});
  CHECK(plane.moveTo({{-5, 4, 4}, {-1, 0, 0}}).translation == Vec3{0, 1, 2});
}

TEST_CASE("drags snap to steps from where they began", "[viewer][gizmo]") {
  GizmoDrag along(GizmoHandle::moveZ, {}, {{-5, 0, 0.3}, {1, 0, 0}});
  CHECK(along.moveTo({{-5, 0, 2.9}, {1, 0, 0}}, {0.5, 15}).translation == Vec3{0, 0, 2.5});
  CHECK(along.moveTo({{-5, 0, 2.9}, {1, 0, 0}}).translation.z == Approx(2.6));
  GizmoDrag plane = GizmoDrag::inPlane({}, {1, 0, 0});
  CHECK(plane.moveTo({{-5, 1.3, -2.1}, {1, 0, 0}}, {0.5, 15}).translation == Vec3{0, 1.5, -2});
  GizmoDrag ring(GizmoHandle::turnZ, {}, {{1, 0, 5}, {0, 0, -1}});
  const auto turnedTo = [&](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return ring.moveTo({{std::cos(angle), std::sin(angle), 5}, {0, 0, -1}}, {0.5, 15}).rotation;
  };
  CHECK(turnedTo(7) == Quaternion{});
  CHECK(turnedTo(8).z == Approx(std::sin(7.5 * std::numbers::pi / 180)));
  CHECK(turnedTo(50).z == Approx(std::sin(22.5 * std::numbers::pi / 180)));
}

}  // namespace gizmo_tests

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

Vec3 axisOf(GizmoHandle handle) { return Gizmo{}.axisOf(handle); }

PicturePoint at(const Camera& camera, const Vec3& point) { return camera.project(point).value(); }

}  // namespace

TEST_CASE("a handle is found where it is drawn", "[viewer][gizmo]") {
  const Camera view = camera();
  const Gizmo gizmo{{0.2, -0.1, 0.3}, 1};
  for (const GizmoHandle handle : allGizmoHandles) {
    const std::vector<Vec3> line = gizmo.outline(handle);
    // The tip of an arrow; for a ring, one that no square covers; the middle of a square.
    const Vec3 place = turns(handle)         ? line[40]
                       : movesAcross(handle) ? 0.5 * (line[0] + line[2])
                                             : line.back();
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
    GizmoDrag drag(handle, Gizmo{centre}, view, view.ray(at(view, grabbed)));
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
  GizmoDrag drag(GizmoHandle::turnZ, Gizmo{centre}, view, view.ray(at(view, onRing(0.3))));
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
  GizmoDrag along = GizmoDrag::along({}, {0, 0, 1}, {{-5, 0, 0}, {1, 0, 0}});
  CHECK(along.moveTo({{-5, 0, 2}, {1, 0, 0}}).translation == Vec3{0, 0, 2});
  CHECK(along.moveTo({{0, 0, 9}, {0, 0, -1}}).translation == Vec3{0, 0, 2});
  GizmoDrag plane = GizmoDrag::inPlane({}, {1, 0, 0});
  CHECK(plane.moveTo({{-5, 1, 2}, {1, 0, 0}}).translation == Vec3{0, 1, 2});
  CHECK(plane.moveTo({{-5, 4, 4}, {0, 1, 0}}).translation == Vec3{0, 1, 2});
  CHECK(plane.moveTo({{-5, 4, 4}, {-1, 0, 0}}).translation == Vec3{0, 1, 2});
}

TEST_CASE("drags snap to steps from where they began", "[viewer][gizmo]") {
  GizmoDrag along = GizmoDrag::along({}, {0, 0, 1}, {{-5, 0, 0.3}, {1, 0, 0}});
  CHECK(along.moveTo({{-5, 0, 2.9}, {1, 0, 0}}, {0.5, 15}).translation == Vec3{0, 0, 2.5});
  CHECK(along.moveTo({{-5, 0, 2.9}, {1, 0, 0}}).translation.z == Approx(2.6));
  GizmoDrag plane = GizmoDrag::inPlane({}, {1, 0, 0});
  CHECK(plane.moveTo({{-5, 1.3, -2.1}, {1, 0, 0}}, {0.5, 15}).translation == Vec3{0, 1.5, -2});
  GizmoDrag ring(GizmoHandle::turnZ, Gizmo{}, camera(), {{1, 0, 5}, {0, 0, -1}});
  const auto turnedTo = [&](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return ring.moveTo({{std::cos(angle), std::sin(angle), 5}, {0, 0, -1}}, {0.5, 15}).rotation;
  };
  CHECK(turnedTo(7) == Quaternion{});
  CHECK(turnedTo(8).z == Approx(std::sin(7.5 * std::numbers::pi / 180)));
  CHECK(turnedTo(50).z == Approx(std::sin(22.5 * std::numbers::pi / 180)));
}

TEST_CASE("a square moves in its plane, the centre in that of the picture", "[viewer][gizmo]") {
  const Camera view = camera();
  const Gizmo gizmo{{0.2, -0.1, 0.3}, 1, axesOf(Transform::rotation({1, 2, 3}, 0.7))};
  for (const GizmoHandle handle : {GizmoHandle::acrossX, GizmoHandle::acrossY, GizmoHandle::acrossZ}) {
    const std::vector<Vec3> square = gizmo.outline(handle);
    const Vec3 grabbed = 0.5 * (square[0] + square[2]), to = grabbed + 2 * (square[1] - square[0]);
    GizmoDrag drag(handle, gizmo, view, view.ray(at(view, grabbed)));
    CHECK_FALSE(drag.hasAxis());
    CHECK(norm(drag.moveTo(view.ray(at(view, to))).translation - (to - grabbed)) < 1e-9);
    CHECK(std::abs(dot(gizmo.axisOf(handle), to - grabbed)) < 1e-12);
    // Steps are along the axes of the gizmo.
    const Vec3 shift = drag.moveTo(view.ray(at(view, to)), {0.1, 15}).translation;
    for (const Vec3& axis : gizmo.axes) CHECK(std::abs(std::remainder(dot(axis, shift), 0.1)) < 1e-9);
  }
  GizmoDrag free(GizmoHandle::centre, gizmo, view, view.ray(at(view, gizmo.centre)));
  const PicturePoint wanted{at(view, gizmo.centre).x + 30, at(view, gizmo.centre).y + 20};
  const Vec3 shift = free.moveTo(view.ray(wanted)).translation;
  CHECK(std::abs(dot(shift, view.forward())) < 1e-9);
  CHECK(std::hypot(at(view, gizmo.centre + shift).x - wanted.x, at(view, gizmo.centre + shift).y - wanted.y) <
        1e-6);
}

TEST_CASE("axes are those of the part, or about an axis, and right-handed", "[viewer][gizmo]") {
  const auto isRightHanded = [](const GizmoAxes& axes) {
    for (int i = 0; i < 3; ++i) {
      if (std::abs(norm(axes[i]) - 1) > 1e-12) return false;
      if (norm(cross(axes[i], axes[(i + 1) % 3]) - axes[(i + 2) % 3]) > 1e-12) return false;
    }
    return true;
  };
  const Transform turned = Transform::rotation({1, 2, 3}, 0.7);
  CHECK(isRightHanded(axesOf(turned)));
  CHECK(norm(axesOf(turned)[1] - turned.applyToVector({0, 1, 0})) < 1e-12);
  CHECK(isRightHanded(axesOf(turned * Transform::scaling(2, 3, -4))));
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{-1, 0, 0}, normalized(Vec3{1, 1, -2})}) {
    CHECK(isRightHanded(axesAbout(axis)));
    CHECK(axesAbout(axis)[2] == axis);
  }
}

TEST_CASE("a number moves along the axis or about it, and shown motions are read back", "[viewer][gizmo]") {
  const Gizmo gizmo{{1, 2, 3}, 1, axesAbout(normalized(Vec3{1, 1, 0}))};
  const Camera view = camera();
  GizmoDrag along(GizmoHandle::moveZ, gizmo, view, view.ray({100, 100}));
  REQUIRE(along.hasAxis());
  CHECK(norm(along.moveBy(-2.5).translation + gizmo.axes[2] * 2.5) < 1e-12);
  CHECK(along.valueOf(along.moveBy(-2.5)) == Approx(-2.5));
  CHECK(along.valueOf({{}, gizmo.axes[2] * 0.5}) == Approx(0.5));  // stopped by something
  GizmoDrag about(GizmoHandle::turnZ, gizmo, view, view.ray({100, 100}));
  for (const double degrees : {-30.0, 90.0, 179.0, 270.0, 725.0}) {
    const RigidMotion motion = about.moveBy(degrees);
    CHECK(about.valueOf(motion) == Approx(degrees));
    CHECK(about.turn()->degrees == degrees);
    CHECK(norm(motion.transform().apply(gizmo.centre) - gizmo.centre) < 1e-12);
  }
}

}  // namespace gizmo_tests

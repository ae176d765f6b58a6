#include <viewer/core/section_handle.h>

#include <catch2/catch.hpp>
#include <cmath>

namespace section_handle_tests {

using namespace fitup;
using namespace fitup::viewer;

namespace {

const Box cut{{-1, -2, -3}, {3, 2, 1}};

Camera camera() {
  Camera result;
  result.setPicture(800, 600);
  result.look(StandardView::isometric, cut);
  return result;
}

}  // namespace

TEST_CASE("the handle of a section lies in its plane and points to what is cut away", "[viewer][section]") {
  CHECK_FALSE(SectionHandle::of({{1, 0, 0}, 1, false}, cut, 1));
  CHECK_FALSE(SectionHandle::of({{1, 0, 0}, 1, true}, {}, 1));
  for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, normalized(Vec3{1, 2, -2})}) {
    const SectionPlane plane{normal, 0.4, true};
    const auto handle = SectionHandle::of(plane, cut, 0.5);
    REQUIRE(handle);
    CHECK(dot(handle->foot, normal) == Approx(0.4));
    CHECK(dot(handle->tip, normal) == Approx(0.9));
    for (const Vec3& corner : handle->border) CHECK(dot(corner, normal) == Approx(0.4));
    // The border contains the box, seen along the normal.
    const Vec3 across = normalized(handle->border[1] - handle->border[0]);
    const double reach = 0.5 * norm(handle->border[1] - handle->border[0]);
    const Vec3 half = cut.halfExtent();
    CHECK(std::abs(across.x) * half.x + std::abs(across.y) * half.y + std::abs(across.z) * half.z <= reach);
  }
}

TEST_CASE("the section follows the cursor along its normal", "[viewer][section]") {
  const Camera view = camera();
  const SectionPlane plane{normalized(Vec3{0, 1, 1}), 0.2, true};
  const SectionHandle handle = SectionHandle::of(plane, cut, 1).value();
  const Vec3 grabbed = handle.foot + plane.normal * 0.7;
  const PicturePoint at = view.project(grabbed).value();
  CHECK(handle.isAt(view, at, 3));
  CHECK_FALSE(handle.isAt(view, {at.x + 200, at.y + 200}, 3));
  SectionDrag drag(plane, handle, view.ray(at));
  for (const double way : {0.6, -1.1, 0.0}) {
    const SectionPlane moved = drag.moveTo(view.ray(view.project(grabbed + plane.normal * way).value()));
    CHECK(moved.offset == Approx(0.2 + way));
    CHECK(moved.normal == plane.normal);
    CHECK(moved.enabled);
  }
}

TEST_CASE("a flipped section cuts away what was kept", "[viewer][section]") {
  const SectionPlane plane{normalized(Vec3{1, -2, 0.5}), 0.3, true};
  const SectionPlane other = flipped(plane);
  for (const Vec3& point : {Vec3{2, 1, 0}, Vec3{-1, 0, 3}, Vec3{0.5, -4, 1}})
    CHECK((dot(plane.normal, point) > plane.offset) == (dot(other.normal, point) < other.offset));
  CHECK(flipped(other) == plane);
}

}  // namespace section_handle_tests

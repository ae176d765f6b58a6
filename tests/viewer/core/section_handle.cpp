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
  const auto of = [](const SectionPlane& plane, const Box& box, double length) {
    return SectionHandle::of(std::span(&plane, 1), 0, box, length);
  };
  CHECK_FALSE(of({{1, 0, 0}, 1, false}, cut, 1));
  CHECK_FALSE(of({{1, 0, 0}, 1, true}, {}, 1));
  for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, normalized(Vec3{1, 2, -2})}) {
    const SectionPlane plane{normal, 0.4, true};
    const auto handle = of(plane, cut, 0.5);
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
  const SectionHandle handle = SectionHandle::of(std::span(&plane, 1), 0, cut, 1).value();
  const Vec3 grabbed = handle.foot + plane.normal * 0.7;
  const PicturePoint at = view.project(grabbed).value();
  CHECK(handle.isAt(view, at, 3));
  CHECK_FALSE(handle.isAt(view, {at.x + 200, at.y + 200}, 3));
  SectionDrag drag(std::span(&plane, 1), handle, view.ray(at));
  for (const double way : {0.6, -1.1, 0.0}) {
    const SectionPlane moved = drag.moveTo(view.ray(view.project(grabbed + plane.normal * way).value()));
    CHECK(moved.offset == Approx(0.2 + way));
    CHECK(moved.normal == plane.normal);
    CHECK(moved.enabled);
  }
}

TEST_CASE("a face of a box is not dragged past the opposite one", "[viewer][section]") {
  const Camera view = camera();
  std::vector<SectionPlane> planes{{{1, 0, 0}, 1.5, true}, {{-1, 0, 0}, 1, true}, {{0, 1, 0}, 1, true}};
  const auto dragged = [&](double way) {
    const SectionHandle handle = SectionHandle::of(planes, 0, cut, 1).value();
    const Vec3 grabbed = handle.foot + planes[0].normal * 0.5;
    SectionDrag drag(planes, handle, view.ray(view.project(grabbed).value()));
    return drag.moveTo(view.ray(view.project(grabbed + planes[0].normal * way).value())).offset;
  };
  CHECK(dragged(-1) == Approx(0.5));
  CHECK(dragged(-9) == Approx(-1 + 0.01 * 2.5));  // a hundredth of the box stays
  planes[1].enabled = false;
  CHECK(dragged(-9) == Approx(-7.5));
}

TEST_CASE("the handle of a face of a box lies in the middle of the face", "[viewer][section]") {
  const std::vector<SectionPlane> planes{{{1, 0, 0}, 2, true},  {{-1, 0, 0}, 1, true}, {{0, 1, 0}, 1, true},
                                         {{0, -1, 0}, 0, true}, {{0, 0, 1}, 0, true},  {{0, 0, -1}, 2, true}};
  const auto top = SectionHandle::of(planes, 4, cut, 1);
  REQUIRE(top);
  CHECK(top->plane == 4);
  CHECK(norm(top->foot - Vec3{0.5, 0.5, 0}) < 1e-9);
  CHECK(norm(top->tip - Vec3{0.5, 0.5, 1}) < 1e-9);
  CHECK(top->border.size() == 4);
  CHECK(norm(SectionHandle::of(planes, 1, cut, 1)->foot - Vec3{-1, 0.5, -1}) < 1e-9);
  // Where the others leave nothing, the handle can still be grabbed.
  std::vector<SectionPlane> inverted = planes;
  inverted[0].offset = -5;
  CHECK(SectionHandle::of(inverted, 4, cut, 1));
}

}  // namespace section_handle_tests

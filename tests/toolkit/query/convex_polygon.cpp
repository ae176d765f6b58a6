#include <fitup/query/detail/convex_polygon.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "support/placements.h"

namespace convex_polygon_tests {

using namespace fitup;
using namespace fitup::test;
using fitup::detail::ConvexPolygon;

TEST_CASE("a polygon is cut in two, which have its area and the points on the line in common", "[query]") {
  const ConvexPolygon triangle = ConvexPolygon::of({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  CHECK(triangle.area() == 8);
  CHECK(triangle.longestEdge() == Approx(std::sqrt(32)));
  // Along x = 1: a quadrilateral of area 3.5 and a triangle of 4.5.
  const auto [beyond, before] = triangle.cut({-1, 3, -1});
  CHECK(beyond.count == 3);
  CHECK(beyond.area() == Approx(4.5));
  CHECK(before.count == 4);
  CHECK(before.area() == Approx(3.5));
  std::size_t common = 0;
  for (std::size_t i = 0; i < beyond.count; ++i)
    for (std::size_t j = 0; j < before.count; ++j) common += beyond.p[i] == before.p[j] ? 1 : 0;
  CHECK(common == 2);

  const auto [whole, nothing] = triangle.cut({0, 1, 0});  // along an edge
  CHECK(whole.area() == 8);
  CHECK(nothing.count == 0);

  Random random(3);
  for (int i = 0; i < 500; ++i) {
    ConvexPolygon polygon = ConvexPolygon::of(random.inCube(1), random.inCube(1), random.inCube(1));
    const double area = polygon.area();
    double rest = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 normal = random.inCube(1), on = random.inCube(0.3);
      const auto [above, below] = polygon.cut(on, normal);
      for (std::size_t j = 0; j < above.count; ++j) CHECK(dot(normal, above.p[j] - on) >= -1e-12);
      rest += below.area();
      polygon = above;
    }
    CHECK(polygon.count <= 6);
    CHECK(rest + polygon.area() == Approx(area).margin(1e-12));
  }
}

TEST_CASE("a fan begins at the corner whose diagonals are shortest", "[query]") {
  ConvexPolygon kite;
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{5, -1, 0}, Vec3{10, 0, 0}, Vec3{5, 1, 0}}) kite.add(p);
  CHECK(kite.fanCorner() % 2 == 1);
  CHECK(ConvexPolygon::of({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).fanCorner() == 0);
}

TEST_CASE("a polygon halved at corners has fewer corners, even if it has no size", "[query]") {
  for (std::size_t count = 5; count < ConvexPolygon::most; ++count) {
    ConvexPolygon round, point;
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(count);
      round.add({std::cos(angle), std::sin(angle), 1});
      point.add({1, 2, 3});
    }
    const auto [one, other] = round.halvedAtCorners();
    CHECK(one.count + other.count == count + 2);
    CHECK(one.area() + other.area() == Approx(round.area()));
    for (const ConvexPolygon& half :
         {one, other, point.halvedAtCorners().first, point.halvedAtCorners().second}) {
      CHECK(half.count >= 3);
      CHECK(half.count < count);
    }
  }
}

}  // namespace convex_polygon_tests

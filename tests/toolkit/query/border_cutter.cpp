#include <fitup/query/detail/border_cutter.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <catch2/catch.hpp>

#include "support/placements.h"

namespace border_cutter_tests {

using namespace fitup;
using namespace fitup::test;
using fitup::detail::BorderCrossings;
using fitup::detail::BorderCutter;
using fitup::detail::BorderStretch;
using fitup::detail::ConvexPolygon;

namespace {

constexpr double rounding = 0x1p-40;

std::vector<std::uint32_t> allOf(const std::vector<BorderStretch>& border) {
  std::vector<std::uint32_t> places(border.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

using Loop = std::vector<Vec3>;  ///< in the plane z = 0

/// Makes corners at two radii in turn; a regular polygon if the radii are equal.
Loop starAt(const Vec3& centre, double outer, double inner, double turn, int corners) {
  Loop loop;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 2 * std::numbers::pi * i / corners;
    loop.push_back(centre + Vec3{std::cos(angle), std::sin(angle), 0} * (i % 2 == 0 ? outer : inner));
  }
  return loop;
}

/// The place of a point in the plane z = 0: whether it is in an odd number of loops, and its distance from
/// the nearest one.
struct Place {
  bool inside = false;
  double toBorder = 1e9;
};
Place placeOf(const Vec3& p, const std::vector<Loop>& loops) {
  Place place;
  for (const Loop& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec3 &a = loop[i], &b = loop[(i + 1) % loop.size()];
      const Vec3 along = b - a;
      const double t = std::clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0);
      place.toBorder = std::min(place.toBorder, norm(a + along * t - p));
      if ((a.y > p.y) == (b.y > p.y)) continue;
      if (p.x < a.x + (p.y - a.y) / (b.y - a.y) * along.x) place.inside = !place.inside;
    }
  return place;
}

Vec3 pointIn(const ConvexPolygon& polygon, Random& random) {
  Vec3 sum;
  double weights = 0;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const double weight = random.unit();
    sum = sum + polygon.p[i] * weight;
    weights += weight;
  }
  return sum * (1 / weights);
}

/// Cuts a triangle in the plane z = 0, placed anywhere, along loops; returns how many of its cells are
/// inside.
std::size_t checkCells(const std::array<Vec3, 3>& corners, const std::vector<Loop>& loops,
                       const Transform& place, Random& random) {
  std::vector<BorderStretch> border;
  for (const Loop& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i)
      border.push_back({place.apply(loop[i]), place.apply(loop[(i + 1) % loop.size()])});
  const ConvexPolygon triangle =
      ConvexPolygon::of(place.apply(corners[0]), place.apply(corners[1]), place.apply(corners[2]));
  const BorderCutter cutter(border, rounding);
  const auto crossings = cutter.crossings(triangle, allOf(border));
  REQUIRE(crossings);
  const auto cells = cutter.cells(triangle, *crossings, 0, 100'000);
  CHECK(cells.size() < 8 * crossings->count());

  const Transform back = place.inverse();
  double area = 0;
  std::size_t inside = 0;
  for (const BorderCutter::Cell& cell : cells) {
    area += cell.polygon.area();
    if (cell.polygon.area() < 1e-9) continue;
    REQUIRE(cell.uncrossed);
    const bool first = placeOf(back.apply(cell.polygon.middle()), loops).inside;
    inside += first ? 1 : 0;
    for (int i = 0; i < 10; ++i) {
      const Place other = placeOf(back.apply(pointIn(cell.polygon, random)), loops);
      if (other.toBorder > 1e-9) REQUIRE(other.inside == first);
    }
  }
  CHECK(area == Approx(triangle.area()));
  CHECK(inside < cells.size());
  return inside;
}

}  // namespace

TEST_CASE("cells of a triangle with rings on it are in a ring or beside all as wholes", "[query]") {
  Random random(11);
  for (int run = 0; run < 20; ++run) {
    // Rings of 3 to 40 sides on a lattice, some across the triangle's edges.
    std::vector<Loop> rings;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const double radius = random.between(0.1, 0.95);
        rings.push_back(
            starAt({i * 2.0, j * 2.0, 0}, radius, radius, random.between(0, 6), random.integer(3, 40)));
      }
    const Transform place = Transform::rigid(randomRotation(random), random.inCube(10));
    CHECK(checkCells({Vec3{-1, -1.1, 0}, Vec3{10.2, -1.3, 0}, Vec3{4, 11, 0}}, rings, place, random) > 15);
  }
}

TEST_CASE("cuts through one point, and halves of halves, leave corners in one place but lose no stretch",
          "[query]") {
  Random random(12);
  for (int run = 0; run < 200; ++run) {
    // Many lines of a star's spikes go through one point. Its middle is at the middle of a right triangle's
    // longest edge, or on the lines that bisect it.
    std::vector<Loop> stars;
    const int corners = 2 * random.integer(3, 20);
    stars.push_back(starAt({2, 2, 0}, random.between(0.5, 1.9), random.between(1e-3, 0.1),
                           0.25 * std::numbers::pi * random.integer(0, 7), corners));
    if (run % 2 == 0) stars.push_back(starAt({1, 1, 0}, 0.4, 0.01, random.between(0, 6), 24));
    const Transform place = Transform::rigid(randomRotation(random), random.inCube(10));
    CHECK(checkCells({Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}}, stars, place, random) > 0);
  }
  // The edge between two nearly coincident corners may have any direction.
  ConvexPolygon square;
  for (const Vec3& p :
       {Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{4, 4, 0}, Vec3{4 - 0x1p-51, 4 - 0x1p-50, 0}, Vec3{0, 4, 0}})
    square.add(p);
  const std::vector<BorderStretch> border{{Vec3{1, -1, 0}, Vec3{1, 5, 0}}, {Vec3{3, -1, 0}, Vec3{3, 5, 0}}};
  CHECK(BorderCutter(border, rounding).crossings(square, allOf(border))->count() == 2);
}

TEST_CASE("cells are left crossed where they are small or enough", "[query]") {
  const Loop ring = starAt({2, 2, 0}, 1, 1, 0.1, 32);
  std::vector<BorderStretch> border;
  for (std::size_t i = 0; i < ring.size(); ++i) border.push_back({ring[i], ring[(i + 1) % ring.size()]});
  const ConvexPolygon triangle = ConvexPolygon::of({0, 0, 0}, {8, 0, 0}, {0, 8, 0});
  const BorderCutter cutter(border, rounding);
  const BorderCrossings crossings = *cutter.crossings(triangle, allOf(border));
  CHECK(crossings.count() == 32);
  const auto crossed = [](const std::vector<BorderCutter::Cell>& cells) {
    return std::count_if(cells.begin(), cells.end(), [](const auto& c) { return !c.uncrossed; });
  };
  const auto area = [](const std::vector<BorderCutter::Cell>& cells) {
    return std::accumulate(cells.begin(), cells.end(), 0.0,
                           [](double sum, const auto& c) { return sum + c.polygon.area(); });
  };
  const auto all = cutter.cells(triangle, crossings, 0, 1000);
  CHECK(crossed(all) == 0);
  CHECK(area(all) == Approx(32));
  const auto few = cutter.cells(triangle, crossings, 0, 10);
  CHECK(few.size() <= 11);
  CHECK(crossed(few) > 0);
  CHECK(area(few) == Approx(32));
  const auto large = cutter.cells(triangle, crossings, 0.25, 1000);
  CHECK(large.size() < all.size());
  CHECK(crossed(large) > 0);
  CHECK(area(large) == Approx(32));
}

TEST_CASE("what lies along an edge or reaches a corner does not cross, of needles nothing is decided",
          "[query]") {
  const ConvexPolygon triangle = ConvexPolygon::of({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const std::vector<BorderStretch> border{
      {Vec3{0, 0, 0}, Vec3{4, 0, 0}},         // an edge
      {Vec3{1, 1e-13, 0}, Vec3{3, 0, 0}},     // along it
      {Vec3{-1, 1, 0}, Vec3{1, -1, 0}},       // through a corner
      {Vec3{5, 5, 0}, Vec3{6, 5, 0}},         // beside it
      {Vec3{1, -1, 0}, Vec3{1, 5, 0}},        // through
      {Vec3{0.5, 0.5, 0}, Vec3{0.5, 1, 0}},   // inside it
      {Vec3{0.5, 0.5, 0}, Vec3{0.5, 0.5, 0}}  // a point
  };
  const BorderCutter cutter(border, rounding);
  const auto crossings = cutter.crossings(triangle, allOf(border));
  REQUIRE(crossings);
  CHECK(crossings->stretches == std::vector<std::uint32_t>{4, 5});
  CHECK(crossings->longest == 4);
  const std::vector<std::uint32_t> some{0, 5};
  CHECK(cutter.crossings(triangle, some)->stretches == std::vector<std::uint32_t>{5});
  CHECK(cutter.crossings(triangle, {})->none());
  CHECK_FALSE(cutter.crossings(ConvexPolygon::of({0, 0, 0}, {4, 0, 0}, {2, 1e-12, 0}), some));
  CHECK_FALSE(cutter.crossings(ConvexPolygon::of({0, 0, 0}, {0, 0, 0}, {2, 0, 0}), some));
}

TEST_CASE("a stretch along two edges in line does not cross, one across the tip of a needle does",
          "[query]") {
  // The corner at (2, -1e-12) is hardly a corner.
  ConvexPolygon bent;
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{2, -1e-12, 0}, Vec3{4, 0, 0}, Vec3{2, 3, 0}}) bent.add(p);
  const ConvexPolygon needle = ConvexPolygon::of({0, 0, 0}, {1000, -1e-9, 0}, {1000, 1e-9, 0});
  const std::vector<BorderStretch> border{{Vec3{1, 0, 0}, Vec3{3, 0, 0}}, {Vec3{1, -1, 0}, Vec3{1, 1, 0}}};
  const BorderCutter cutter(border, rounding);
  CHECK(cutter.crossings(bent, allOf(border))->stretches == std::vector<std::uint32_t>{1});
  CHECK(cutter.crossings(needle, std::vector<std::uint32_t>{1})->count() == 1);
}

}  // namespace border_cutter_tests

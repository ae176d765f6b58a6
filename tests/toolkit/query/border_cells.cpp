#include <fitup/query/detail/border_cells.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <catch2/catch.hpp>

#include "support/placements.h"

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

/// A regular polygon in the plane z = 0: in it, or not.
struct Ring {
  Vec3 centre;
  double radius, turn;
  int sides;

  [[nodiscard]] Vec3 corner(int i) const {
    const double angle = turn + 2 * std::numbers::pi * i / sides;
    return centre + Vec3{std::cos(angle), std::sin(angle), 0} * radius;
  }
  /// How far a point is inside; negative outside.
  [[nodiscard]] double depth(const Vec3& p) const {
    double least = radius;
    for (int i = 0; i < sides; ++i) {
      const Vec3 a = corner(i), along = normalized(corner(i + 1) - a);
      least = std::min(least, along.x * (p.y - a.y) - along.y * (p.x - a.x));
    }
    return least;
  }
};

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

}  // namespace

TEST_CASE("cells of a triangle with rings on it are in a ring or beside all as wholes", "[query]") {
  Random random(11);
  for (int run = 0; run < 20; ++run) {
    // Rings of 3 to 40 sides on a lattice, some across the triangle's edges.
    std::vector<Ring> rings;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        rings.push_back(
            {{i * 2.0, j * 2.0, 0}, random.between(0.1, 0.95), random.between(0, 6), random.integer(3, 40)});
    const Transform place = Transform::rigid(randomRotation(random), random.inCube(10));
    std::vector<BorderStretch> border;
    for (const Ring& ring : rings)
      for (int i = 0; i < ring.sides; ++i)
        border.push_back({place.apply(ring.corner(i)), place.apply(ring.corner(i + 1))});
    const ConvexPolygon triangle =
        ConvexPolygon::of(place.apply({-1, -1.1, 0}), place.apply({10.2, -1.3, 0}), place.apply({4, 11, 0}));
    const BorderCutter cutter(border, rounding);
    const auto crossings = cutter.crossings(triangle, allOf(border));
    REQUIRE(crossings);
    REQUIRE(crossings->count() > 100);
    const auto cells = cutter.cells(triangle, *crossings, 0, 100'000);
    CHECK(cells.size() < 6 * crossings->count());

    const Transform back = place.inverse();
    double area = 0;
    std::size_t inside = 0;
    for (const BorderCutter::Cell& cell : cells) {
      area += cell.polygon.area();
      if (cell.polygon.area() < 1e-9) continue;
      REQUIRE(cell.uncrossed);
      const auto ringOf = [&](const Vec3& point) {
        const Vec3 p = back.apply(point);
        return std::find_if(rings.begin(), rings.end(), [&](const Ring& r) { return r.depth(p) > 0; });
      };
      const auto ring = ringOf(cell.polygon.middle());
      inside += ring != rings.end() ? 1 : 0;
      for (int i = 0; i < 10; ++i) {
        const Vec3 p = pointIn(cell.polygon, random);
        const auto own = ringOf(p);
        const auto which = own != rings.end() ? own : ring;
        if (which != rings.end() && std::abs(which->depth(back.apply(p))) < 1e-9) continue;
        REQUIRE(own == ring);
      }
    }
    CHECK(area == Approx(triangle.area()));
    CHECK(inside > 15);
    CHECK(inside < cells.size());
  }
}

TEST_CASE("cells are left crossed where they are small or enough", "[query]") {
  const Ring ring{{2, 2, 0}, 1, 0.1, 32};
  std::vector<BorderStretch> border;
  for (int i = 0; i < ring.sides; ++i) border.push_back({ring.corner(i), ring.corner(i + 1)});
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

TEST_CASE("what lies along an edge or reaches a corner does not cross; of needles nothing is told",
          "[query]") {
  const ConvexPolygon triangle = ConvexPolygon::of({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const std::vector<BorderStretch> border{
      {Vec3{0, 0, 0}, Vec3{4, 0, 0}},         // an edge
      {Vec3{1, 1e-13, 0}, Vec3{3, 0, 0}},     // along it
      {Vec3{-1, 1, 0}, Vec3{1, -1, 0}},       // through a corner
      {Vec3{5, 5, 0}, Vec3{6, 5, 0}},         // beside
      {Vec3{1, -1, 0}, Vec3{1, 5, 0}},        // through
      {Vec3{0.5, 0.5, 0}, Vec3{0.5, 1, 0}},   // in it
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
  // The corner at (2, -1e-12) is nearly none.
  ConvexPolygon bent;
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{2, -1e-12, 0}, Vec3{4, 0, 0}, Vec3{2, 3, 0}}) bent.add(p);
  const ConvexPolygon needle = ConvexPolygon::of({0, 0, 0}, {1000, -1e-9, 0}, {1000, 1e-9, 0});
  const std::vector<BorderStretch> border{{Vec3{1, 0, 0}, Vec3{3, 0, 0}}, {Vec3{1, -1, 0}, Vec3{1, 1, 0}}};
  const BorderCutter cutter(border, rounding);
  CHECK(cutter.crossings(bent, allOf(border))->stretches == std::vector<std::uint32_t>{1});
  CHECK(cutter.crossings(needle, std::vector<std::uint32_t>{1})->count() == 1);
}

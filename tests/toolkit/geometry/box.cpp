#include <fitup/geometry/aabb.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include <fitup/geometry/transform.h>

#include "support/placements.h"

namespace box_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("rounding outward never cuts and is tight", "[geometry]") {
  Random random(31);
  for (int i = 0; i < 100000; ++i) {
    const double d = std::ldexp(random.between(-1, 1), random.integer(-120, 120));
    const float below = floatBelow(d), above = floatAbove(d);
    REQUIRE(double(below) <= d);
    REQUIRE(double(above) >= d);
    REQUIRE((below == above || std::nextafterf(below, INFINITY) == above));
  }
  CHECK(floatBelow(0.5) == 0.5F);
  CHECK(floatAbove(0.5) == 0.5F);
  CHECK(floatAbove(1e-60) > 0);
  CHECK(floatBelow(-1e-60) < 0);
  // Beyond the range: its end, or infinity.
  constexpr float largest = std::numeric_limits<float>::max();
  for (const double beyond : {3.5e38, 1e300, double(INFINITY)}) {
    CHECK(floatBelow(beyond) == largest);
    CHECK(floatAbove(beyond) == INFINITY);
    CHECK(floatBelow(-beyond) == -INFINITY);
    CHECK(floatAbove(-beyond) == -largest);
  }
  for (const double exact : {double(largest), -double(largest), 0.0}) {
    CHECK(floatBelow(exact) == exact);
    CHECK(floatAbove(exact) == exact);
  }
  CHECK(std::isnan(floatBelow(std::nan(""))));
}

TEST_CASE("boxes are closed and the overlap box is what they share", "[geometry]") {
  const Aabb unit{{0, 0, 0}, {1, 1, 1}}, corner{{1, 1, 1}, {2, 2, 2}}, apart{{1.5F, 0, 0}, {2, 1, 1}};
  CHECK(Aabb{}.empty());
  CHECK_FALSE(unit.empty());
  CHECK(unit.overlaps(corner));
  CHECK(unit.intersection(corner) == Aabb{{1, 1, 1}, {1, 1, 1}});
  CHECK_FALSE(unit.intersection(corner).empty());
  CHECK_FALSE(unit.overlaps(apart));
  CHECK(unit.intersection(apart).empty());
  CHECK_FALSE(unit.overlaps(Aabb{}));
  Aabb grown = unit;
  grown.extend(Aabb{});
  CHECK(grown == unit);
  grown.extend(apart);
  CHECK(grown == Aabb{{0, 0, 0}, {2, 1, 1}});
  CHECK(grown.contains(unit));
  CHECK_FALSE(unit.contains(grown));
}

TEST_CASE("a placed box holds the placed points", "[geometry]") {
  Random random(32);
  for (PlacementClass kind : allPlacementClasses)
    for (int i = 0; i < 500; ++i) {
      const Transform m = randomPlacement(kind, random, std::ldexp(1.0, random.integer(-10, 30)));
      Box box;
      const Vec3 offset = random.inCube(std::ldexp(1.0, random.integer(-10, 30)));
      for (int k = 0; k < 4; ++k) box.extend(offset + random.inCube(1));
      const Box image = placedBox(m, box);
      for (int c = 0; c < 8; ++c) {
        const Vec3 p = m.apply(
            {c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y, c & 4 ? box.max.z : box.min.z});
        for (int k = 0; k < 3; ++k) REQUIRE((image.min[k] <= p[k] && p[k] <= image.max[k]));
      }
    }
  CHECK(placedBox({}, Box{}).empty());
}

}  // namespace box_tests

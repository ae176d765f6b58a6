#include <fitup/geometry/predicates.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <sstream>

#include "support/cgal_oracle.h"
#include "support/placements.h"

namespace predicates_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Four = std::array<Vec3, 4>;

double ulps(double x, int n) {
  for (; n > 0; --n) x = std::nextafter(x, std::numeric_limits<double>::infinity());
  for (; n < 0; ++n) x = std::nextafter(x, -std::numeric_limits<double>::infinity());
  return x;
}

Vec3 jittered(Random& random, const Vec3& p, int most) {
  return {ulps(p.x, random.integer(-most, most)), ulps(p.y, random.integer(-most, most)),
          ulps(p.z, random.integer(-most, most))};
}

Four randomFour(Random& random) {
  return {random.inCube(1), random.inCube(1), random.inCube(1), random.inCube(1)};
}

Four latticeFour(Random& random) {
  Four f;
  for (Vec3& p : f)
    for (int k = 0; k < 3; ++k) p[k] = random.integer(-2, 2);
  return f;
}

/// Makes the fourth point near the plane of the others: rounded onto it and moved by a few ulps.
Four nearPlaneFour(Random& random) {
  Four f = randomFour(random);
  const double u = random.between(-1, 2), v = random.between(-1, 2);
  f[3] = jittered(random, f[0] + u * (f[1] - f[0]) + v * (f[2] - f[0]), 2);
  return f;
}

/// Makes four points near one line.
Four nearLineFour(Random& random) {
  const Vec3 p = random.inCube(1), d = random.inCube(1);
  Four f;
  for (Vec3& q : f) q = jittered(random, p + random.between(-1, 1) * d, 1);
  return f;
}

/// Makes coordinates whose magnitudes cover the whole range of placed coordinates (limits.h): multiples of
/// 2^-253 up to 2^203.
Four wideFour(Random& random) {
  Four f;
  for (Vec3& p : f)
    for (int k = 0; k < 3; ++k)
      p[k] = random.below(5) == 0 ? 0 : std::ldexp(random.between(-1, 1), random.integer(-199, 202));
  return f;
}

/// Makes four points, coplanar up to one ulp, at an extreme scale. Before scaling they are multiples of
/// 2^-52, so that the tiny ones stay within limits.h.
Four scaledNearPlaneFour(Random& random, int exponent) {
  Four f = nearPlaneFour(random);
  for (Vec3& p : f)
    for (int k = 0; k < 3; ++k) p[k] = std::ldexp(std::nearbyint(p[k] * 0x1p52) * 0x1p-52, exponent);
  return f;
}

template <typename Make>
void checkOrient3d(Make make, int cases, int rationalCases) {
  int wrong = 0, wrongValue = 0, zeros = 0;
  Four witness{};
  for (int i = 0; i < cases; ++i) {
    const Four f = make();
    const int sign = orient3d(f[0], f[1], f[2], f[3]);
    const int expected =
        i < rationalCases ? rationalOrient3d(f[0], f[1], f[2], f[3]) : cgalOrient3d(f[0], f[1], f[2], f[3]);
    const int exchanged = orient3d(f[1], f[0], f[2], f[3]);
    zeros += expected == 0;
    if (sign != expected || exchanged != -sign) {
      ++wrong;
      witness = f;
    }
    if (i < rationalCases) {
      const double value = orient3dValue(f[0], f[1], f[2], f[3]);
      if (!orient3dWithin(value, 0x1p-50, f[0], f[1], f[2], f[3]) || (value > 0) - (value < 0) != expected) {
        ++wrongValue;
        witness = f;
      }
    }
  }
  std::ostringstream text;
  for (const Vec3& p : witness) text << std::hexfloat << "{" << p.x << ", " << p.y << ", " << p.z << "} ";
  INFO(text.str());
  INFO(zeros << " zeros of " << cases);
  CHECK(wrong == 0);
  CHECK(wrongValue == 0);
}

}  // namespace

TEST_CASE("orient3d has the exact sign and orient3dValue its relative bound", "[geometry][oracle]") {
  Random random(11);
  SECTION("random") {
    checkOrient3d([&] { return randomFour(random); }, 200000, 4000);
  }
  SECTION("small lattice") {
    checkOrient3d([&] { return latticeFour(random); }, 200000, 4000);
  }
  SECTION("near a plane") {
    checkOrient3d([&] { return nearPlaneFour(random); }, 100000, 10000);
  }
  SECTION("near a line") {
    checkOrient3d([&] { return nearLineFour(random); }, 50000, 5000);
  }
  SECTION("wide range of magnitudes") {
    checkOrient3d([&] { return wideFour(random); }, 20000, 5000);
  }
  SECTION("near a plane, huge") {
    checkOrient3d([&] { return scaledNearPlaneFour(random, 199); }, 20000, 3000);
  }
  SECTION("near a plane, tiny") {
    checkOrient3d([&] { return scaledNearPlaneFour(random, -199); }, 20000, 3000);
  }
}

TEST_CASE("orient3d: a point one ulp off a plane is seen", "[geometry]") {
  const Vec3 a{0, 0, 1}, b{1, 0, 1}, c{0, 1, 1};
  CHECK(orient3d(a, b, c, {0.25, 0.25, 1}) == 0);
  CHECK(orient3d(a, b, c, {0.25, 0.25, std::nextafter(1.0, 0.0)}) == 1);
  CHECK(orient3d(a, b, c, {0.25, 0.25, std::nextafter(1.0, 2.0)}) == -1);
  CHECK(orient3dValue(a, b, c, {0.25, 0.25, 1}) == 0);
}

TEST_CASE("orient2d has the exact sign in each projection", "[geometry][oracle]") {
  Random random(12);
  int wrong = 0;
  for (int i = 0; i < 30000; ++i) {
    const Four f = i % 4 == 0   ? randomFour(random)
                   : i % 4 == 1 ? latticeFour(random)
                   : i % 4 == 2 ? nearLineFour(random)
                                : wideFour(random);
    for (int axis = 0; axis < 3; ++axis)
      wrong += orient2d(f[0], f[1], f[2], axis) != rationalOrient2d(f[0], f[1], f[2], axis);
  }
  CHECK(wrong == 0);
  CHECK(orient2d({0, 0, 7}, {1, 0, 8}, {0, 1, 9}, 2) == 1);
}

TEST_CASE("isDegenerate is exact", "[geometry][oracle]") {
  Random random(13);
  int wrong = 0, degenerate = 0;
  for (int i = 0; i < 30000; ++i) {
    const Four f = i % 3 == 0 ? latticeFour(random) : i % 3 == 1 ? nearLineFour(random) : wideFour(random);
    const Triangle t{{f[0], f[1], f[2]}};
    degenerate += rationalDegenerate(t);
    wrong += isDegenerate(t) != rationalDegenerate(t);
  }
  CHECK(wrong == 0);
  CHECK(degenerate > 100);
}

}  // namespace predicates_tests

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include <fitup/motion/track.h>

#include "support/placements.h"

namespace track_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

bool near(const Vec3& a, const Vec3& b, double tolerance = 1e-9) { return norm(a - b) <= tolerance; }

/// Returns the angle of the rotation from a to b.
double angleBetween(const Quaternion& a, const Quaternion& b) {
  const double cosine = std::abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
  return 2 * std::acos(std::min(1.0, cosine));
}

RigidMotion randomMotion(Random& random, double reach) {
  const Quaternion rotation = randomRotation(random);
  return {rotation, random.inCube(reach)};
}

}  // namespace

TEST_CASE("a motion about a centre turns there, then shifts", "[motion][track]") {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 centre = random.inCube(100), shift = random.inCube(50), offset = random.inCube(10);
    const Quaternion turn = randomRotation(random);
    const Transform motion = motionAbout(centre, turn, shift).transform();
    CHECK(near(motion.apply(centre), centre + shift));
    CHECK(near(motion.apply(centre + offset), centre + shift + Transform::rotation(turn).apply(offset)));
  }
  CHECK(motionAbout({1, 2, 3}, {}, {}) == RigidMotion{});
}

TEST_CASE("motions compose as their maps do, and are taken back", "[motion][track]") {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const RigidMotion first = randomMotion(random, 10), second = randomMotion(random, 10);
    const Vec3 p = random.inCube(10);
    const Vec3 moved = first.transform().apply(p);
    CHECK(near((second * first).transform().apply(p), second.transform().apply(moved)));
    CHECK(near(inverse(first).transform().apply(moved), p));
    CHECK(angleBetween((inverse(first) * first).rotation, {}) < 1e-7);
  }
}

TEST_CASE("interpolation meets both ends", "[motion][track]") {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const RigidMotion a = randomMotion(random, 20), b = randomMotion(random, 20);
    const Vec3 centre = random.inCube(30), point = centre + random.inCube(5);
    CHECK(near(interpolate(a, b, centre, 0).transform().apply(point), a.transform().apply(point)));
    CHECK(near(interpolate(a, b, centre, 1).transform().apply(point), b.transform().apply(point)));
  }
}

TEST_CASE("between the ends the centre moves along a line", "[motion][track]") {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const RigidMotion a = randomMotion(random, 20), b = randomMotion(random, 20);
    const Vec3 centre = random.inCube(30);
    const Vec3 from = a.transform().apply(centre), to = b.transform().apply(centre);
    for (double s : {0.125, 0.5, 0.9})
      CHECK(near(interpolate(a, b, centre, s).transform().apply(centre), from + s * (to - from)));
  }
}

TEST_CASE("between the ends the rotation turns evenly along the shorter arc", "[motion][track]") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const RigidMotion a = randomMotion(random, 20);
    RigidMotion b = randomMotion(random, 20);
    const Vec3 centre = random.inCube(30);
    const double whole = angleBetween(a.rotation, b.rotation);
    CHECK(whole <= std::numbers::pi + 1e-9);
    for (double s : {0.25, 0.5, 0.75}) {
      const RigidMotion between = interpolate(a, b, centre, s);
      CHECK(angleBetween(a.rotation, between.rotation) == Approx(s * whole).margin(1e-7));
      CHECK(angleBetween(between.rotation, b.rotation) == Approx((1 - s) * whole).margin(1e-7));
      CHECK(between.transform().kind() == TransformKind::rigid);
      // q and -q are the same rotation.
      const Quaternion& q = b.rotation;
      const RigidMotion same{{-q.x, -q.y, -q.z, -q.w}, b.translation};
      CHECK(near(interpolate(a, same, centre, s).transform().apply({1, 2, 3}),
                 between.transform().apply({1, 2, 3})));
    }
  }
}

TEST_CASE("interpolating between equal poses stays there", "[motion][track]") {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const RigidMotion a = randomMotion(random, 20);
    const RigidMotion between = interpolate(a, a, {1, 2, 3}, 0.3);
    CHECK(near(between.transform().apply({4, 5, 6}), a.transform().apply({4, 5, 6})));
  }
}

}  // namespace track_tests

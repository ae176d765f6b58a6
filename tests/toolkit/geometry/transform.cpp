#include <fitup/geometry/transform.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include <fitup/base/error.h>

#include "support/placements.h"

namespace transform_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

double largestDifference(const Transform& a, const Transform& b) {
  double d = norm(a.t - b.t);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) d = std::max(d, std::abs(a.m[i][j] - b.m[i][j]));
  return d;
}

double largestDifference(const Quaternion& a, const Quaternion& b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z), std::abs(a.w - b.w)});
}

}  // namespace

TEST_CASE("a transform and its inverse compose to the identity", "[geometry]") {
  Random random(21);
  for (PlacementClass kind : allPlacementClasses)
    for (int i = 0; i < 200; ++i) {
      const Transform m = randomPlacement(kind, random, 10);
      CHECK(largestDifference(m * m.inverse(), {}) < 1e-13);
      CHECK(largestDifference(m.inverse() * m, {}) < 1e-13);
    }
}

TEST_CASE("composition applies the right one first", "[geometry]") {
  Random random(22);
  for (int i = 0; i < 200; ++i) {
    const Transform m = randomPlacement(PlacementClass::sheared, random, 3);
    const Transform n = randomPlacement(PlacementClass::mirrored, random, 3);
    const Vec3 p = random.inCube(5);
    CHECK(norm((m * n).apply(p) - m.apply(n.apply(p))) < 1e-13);
    CHECK((m * n).determinant() == Approx(m.determinant() * n.determinant()));
    CHECK(norm(m.applyToVector(p) - (m.apply(p) - m.t)) < 1e-13);
  }
}

TEST_CASE("kinds of transform", "[geometry]") {
  Random random(23);
  CHECK(Transform{}.kind() == TransformKind::rigid);
  for (int i = 0; i < 100; ++i) {
    CHECK(randomPlacement(PlacementClass::rigid, random, 1e6).kind() == TransformKind::rigid);
    CHECK(randomPlacement(PlacementClass::quarterTurn, random, 9).kind() == TransformKind::rigid);
    CHECK(randomPlacement(PlacementClass::mirrored, random, 1e6).kind() == TransformKind::mirrored);
    CHECK(randomPlacement(PlacementClass::sheared, random, 1).kind() == TransformKind::affine);
  }
  CHECK(Transform::scaling(2, 2, 2).kind() == TransformKind::affine);
  CHECK(Transform::scaling(1, 1, 0).kind() == TransformKind::affine);
  CHECK(Transform::scaling(1 + 1e-11, 1, 1).kind() == TransformKind::rigid);
  CHECK(Transform::scaling(1 + 1e-8, 1, 1).kind() == TransformKind::affine);
}

TEST_CASE("singular and not finite transforms have no inverse", "[geometry]") {
  CHECK_THROWS_AS(Transform::scaling(1, 0, 1).inverse(), PlacementError);
  Transform flat;
  flat.m = {{{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}};
  CHECK_THROWS_AS(flat.inverse(), PlacementError);
  Transform bad;
  bad.t.y = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(bad.isFinite());
  CHECK_THROWS_AS(bad.inverse(), PlacementError);
  bad = {};
  bad.m[2][1] = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(bad.inverse(), PlacementError);
  // Whether a map is singular depends on shape, not on size.
  CHECK_NOTHROW(Transform::scaling(1e-20, 1e-20, 1e-20).inverse());
  CHECK_NOTHROW(Transform::scaling(1e20, 1e-5, 3).inverse());
}

TEST_CASE("rotations", "[geometry]") {
  const Transform quarter = Transform::rotation({0, 0, 1}, std::numbers::pi / 2);
  CHECK(norm(quarter.apply({1, 0, 0}) - Vec3{0, 1, 0}) < 1e-15);
  Random random(24);
  for (int i = 0; i < 500; ++i) {
    const Quaternion q = randomRotation(random), r = randomRotation(random);
    CHECK(largestDifference(Transform::rotation(q * r), Transform::rotation(q) * Transform::rotation(r)) <
          1e-14);
    Quaternion back = rotationOf(Transform::rotation(q));
    if (back.w * q.w + back.x * q.x + back.y * q.y + back.z * q.z < 0)
      back = {-back.x, -back.y, -back.z, -back.w};
    CHECK(largestDifference(back, q) < 1e-13);
  }
  // Half turns: the trace is -1, which takes each branch of rotationOf in turn.
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0.8, 0}}) {
    const Transform half = Transform::rotation(axis, std::numbers::pi);
    CHECK(largestDifference(Transform::rotation(rotationOf(half)), half) < 1e-14);
  }
}

TEST_CASE("slerp goes the shorter way at even speed", "[geometry]") {
  Random random(25);
  for (int i = 0; i < 200; ++i) {
    const Quaternion a = randomRotation(random), b = randomRotation(random);
    const Transform start = Transform::rotation(a), end = Transform::rotation(b);
    CHECK(largestDifference(Transform::rotation(slerp(a, b, 0)), start) < 1e-14);
    CHECK(largestDifference(Transform::rotation(slerp(a, b, 1)), end) < 1e-14);
    const Quaternion minusB{-b.x, -b.y, -b.z, -b.w};
    CHECK(largestDifference(Transform::rotation(slerp(a, minusB, 0.3)),
                            Transform::rotation(slerp(a, b, 0.3))) < 1e-12);
    // A third, then half of the rest, is two thirds.
    const Quaternion third = slerp(a, b, 1.0 / 3);
    CHECK(largestDifference(Transform::rotation(slerp(third, b, 0.5)),
                            Transform::rotation(slerp(a, b, 2.0 / 3))) < 1e-10);
  }
  const Quaternion none{}, quarter = axisAngle({0, 0, 1}, std::numbers::pi / 2);
  CHECK(largestDifference(slerp(none, quarter, 0.5), axisAngle({0, 0, 1}, std::numbers::pi / 4)) < 1e-15);
  CHECK(largestDifference(slerp(quarter, quarter, 0.5), quarter) < 1e-15);
}

}  // namespace transform_tests

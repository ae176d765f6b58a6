#include <fitup/geometry/distance_triangle_triangle.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_segment_segment.h>
#include <fitup/geometry/intersect_triangle_triangle.h>

#include "support/cgal_oracle.h"
#include "support/permutations.h"
#include "support/placements.h"

namespace distance_triangle_triangle_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Returns the largest difference of two corners on an axis.
double spreadOf(const Triangle& a, const Triangle& b) {
  double spread = 0;
  for (int k = 0; k < 3; ++k) {
    double low = a.v[0][k], high = low;
    for (const Triangle* t : {&a, &b})
      for (const Vec3& p : t->v) {
        low = std::min(low, p[k]);
        high = std::max(high, p[k]);
      }
    spread = std::max(spread, high - low);
  }
  return spread;
}

double magnitudeOf(const Triangle& a, const Triangle& b) {
  double largest = 0;
  for (const Triangle* t : {&a, &b})
    for (const Vec3& p : t->v) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return largest;
}

/// Compares the distance with the exact one; witnesses must lie on the triangles and have that distance.
void check(const Triangle& a, const Triangle& b, double sliver = 0) {
  const ClosestPoints found = distanceTriangleTriangle(a, b);
  const double exact = exactDistance(a, b), spread = spreadOf(a, b);
  const double rounding = (1e-14 + sliver) * spread;
  REQUIRE(std::abs(found.distance - exact) <= rounding);
  REQUIRE((found.distance == 0) == intersectTriangleTriangle(a, b));
  // Witnesses are rounded to the precision of the coordinates.
  const double witnessRounding = 1e-13 * (magnitudeOf(a, b) + spread) + sliver * spread;
  REQUIRE(std::abs(norm(found.onB - found.onA) - found.distance) <= witnessRounding);
  REQUIRE(distancePointTriangle(found.onA, a).distance <= witnessRounding);
  REQUIRE(distancePointTriangle(found.onB, b).distance <= witnessRounding);
  REQUIRE(std::abs(distanceTriangleTriangle(b, a).distance - found.distance) <= rounding);
}

Triangle randomTriangle(Random& random, double size) {
  const Vec3 centre = random.inCube(1);
  Triangle t;
  for (Vec3& v : t.v) v = centre + random.inCube(size);
  return t;
}

Triangle latticeTriangle(Random& random, int range) {
  Triangle t;
  for (Vec3& v : t.v)
    for (int k = 0; k < 3; ++k) v[k] = random.integer(0, range);
  return t;
}

Triangle mapped(const Triangle& t, double scale, const Vec3& shift) {
  return {{t.v[0] * scale + shift, t.v[1] * scale + shift, t.v[2] * scale + shift}};
}

struct NamedPair {
  const char* name;
  Triangle a, b;
  double distance;
};

const Triangle base{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
const NamedPair namedPairs[] = {
    {"parallel planes", base, {{{0, 0, 3}, {4, 0, 3}, {0, 4, 3}}}, 3},
    {"corner above the face", base, {{{1, 1, 2}, {1, 1, 5}, {2, 1, 5}}}, 2},
    {"corner beside an edge, in the plane", base, {{{1, -2, 0}, {0, -5, 0}, {3, -5, 0}}}, 2},
    {"corner to corner", base, {{{-3, 0, 4}, {-5, 0, 6}, {-5, 1, 6}}}, 5},
    {"edges crossing at a distance", base, {{{2, 0, 1}, {2, -4, 3}, {2, 0, 7}}}, 1},
    {"edges above each other, parallel", base, {{{0, 0, 2}, {4, 0, 2}, {0, 0, 6}}}, 2},
    {"edges side by side in the plane", base, {{{0, -1, 0}, {4, -1, 0}, {0, -4, 0}}}, 1},
    {"edges in one line, a gap between", base, {{{6, 0, 0}, {9, 0, 0}, {7, -3, 0}}}, 2},
    {"a point", base, {{{1, 1, 7}, {1, 1, 7}, {1, 1, 7}}}, 7},
    {"a segment", base, {{{1, 1, 3}, {1, 1, 9}, {1, 1, 5}}}, 3},
    {"two points", {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, {{{1, 2, 5}, {1, 2, 5}, {1, 2, 5}}}, 2},
    {"two parallel segments", {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}}, {{{1, 0, 1}, {5, 0, 1}, {3, 0, 1}}}, 1},
    {"two crossing segments", {{{-1, 0, 0}, {1, 0, 0}, {1, 0, 0}}}, {{{0, -1, 2}, {0, 1, 2}, {0, 0, 2}}}, 2},
    {"a corner touches", base, {{{1, 1, 0}, {1, 1, 2}, {2, 1, 2}}}, 0},
    {"an edge is shared", base, {{{0, 0, 0}, {4, 0, 0}, {1, 1, 3}}}, 0},
    {"crossing", base, {{{1, 1, -1}, {1, 1, 1}, {2, 2, 3}}}, 0},
    {"one in the other", base, {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, 0},
    {"the same", base, base, 0},
};

}  // namespace

TEST_CASE("named pairs of triangles have the distance that everybody sees", "[geometry]") {
  for (const NamedPair& p : namedPairs) {
    INFO(p.name);
    for (const double scale : {1.0, 0x1p-10, 0x1p10, 0x1p-110, 0x1p90}) {
      INFO("scale " << scale);
      const Triangle a = mapped(p.a, scale, {}), b = mapped(p.b, scale, {});
      const ClosestPoints found = distanceTriangleTriangle(a, b);
      CHECK(found.distance == Approx(p.distance * scale).epsilon(1e-14).margin(0));
      CHECK((found.distance == 0) == (p.distance == 0));
      check(a, b);
    }
    const Vec3 far{0x1p40, -0x1p41, 0x1p39};
    check(mapped(p.a, 1, far), mapped(p.b, 1, far));
  }
}

TEST_CASE("random pairs of triangles have the exact distance", "[geometry]") {
  Random random(11);
  for (int k = 0; k < 1500; ++k) {
    INFO("pair " << k);
    const double size = std::pow(10.0, random.between(-3, 0.5));
    check(randomTriangle(random, size), randomTriangle(random, size));
  }
}

TEST_CASE("lattice pairs of triangles: degenerate, coplanar, parallel, touching", "[geometry]") {
  Random random(12);
  int touching = 0;
  for (int k = 0; k < 1500; ++k) {
    INFO("pair " << k);
    Triangle a = latticeTriangle(random, 4), b = latticeTriangle(random, 4);
    const Vec3 shift{double(random.integer(0, 3)), double(random.integer(0, 3)), 0};
    b = mapped(b, 1, shift);
    check(a, b);
    touching += distanceTriangleTriangle(a, b).distance == 0;
    const double scale = 0.1;
    const Vec3 far{1e6, 2e6, -1e6};
    check(mapped(a, scale, far), mapped(b, scale, far));
  }
  CHECK(touching > 100);
  CHECK(touching < 1300);
}

TEST_CASE("slivers and nearly parallel edges keep their distance", "[geometry]") {
  Random random(13);
  for (int k = 0; k < 1500; ++k) {
    INFO("pair " << k);
    const double thin = std::pow(10.0, random.between(-15, -2)), gap = std::pow(10.0, random.between(-12, 0));
    Triangle a, b;
    for (Triangle* t : {&a, &b}) {
      const Vec3 start = random.inCube(0.5), along = random.inCube(1);
      *t = {{start, start + along, start + along * random.unit() + thin * random.inCube(1)}};
    }
    if (k % 2 == 0)  // nearly the same triangle, lifted
      for (int i = 0; i < 3; ++i) b.v[i] = a.v[i] + Vec3{0, 0, gap} + thin * random.inCube(1);
    check(a, b, thin < 0x1p-20 ? 0x1p-34 : 0);
  }
}

TEST_CASE("segments and points against triangles, alone", "[geometry]") {
  Random random(14);
  for (int k = 0; k < 500; ++k) {
    INFO("case " << k);
    const Triangle t = k % 2 == 0 ? randomTriangle(random, 0.7) : latticeTriangle(random, 3);
    const Vec3 p = random.inCube(2), q = random.inCube(2), r = random.inCube(2), s = random.inCube(2);
    const Triangle point{{p, p, p}}, first{{p, q, q}}, second{{r, s, s}};
    CHECK(std::abs(distancePointTriangle(p, t).distance - exactDistance(point, t)) < 1e-14 * 4);
    CHECK(std::abs(distanceSegmentSegment(p, q, r, s).distance - exactDistance(first, second)) < 1e-14 * 4);
    // Moved without rounding, because only differences of coordinates count.
    const auto far = [](const Vec3& v) {
      const Vec3 near{std::round(v.x * 0x1p20) * 0x1p-20, std::round(v.y * 0x1p20) * 0x1p-20,
                      std::round(v.z * 0x1p20) * 0x1p-20};
      return std::pair{near, near + Vec3{0x1p30, -0x1p31, 0x1p29}};
    };
    CHECK(distanceSegmentSegment(far(p).second, far(q).second, far(r).second, far(s).second).distance ==
          distanceSegmentSegment(far(p).first, far(q).first, far(r).first, far(s).first).distance);
  }
}

}  // namespace distance_triangle_triangle_tests

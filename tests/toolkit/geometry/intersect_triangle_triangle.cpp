#include <fitup/geometry/intersect_triangle_triangle.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <sstream>

#include <fitup/geometry/triangle_intersection.h>

#include "support/cgal_oracle.h"
#include "support/effort.h"
#include "support/permutations.h"
#include "support/placements.h"

namespace intersect_triangle_triangle_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Pair {
  Triangle a, b;
};

Triangle randomTriangle(Random& random, double size) {
  const Vec3 centre = random.inCube(0.5);
  Triangle t;
  for (Vec3& v : t.v) v = centre + random.inCube(size);
  return t;
}

Vec3 latticePoint(Random& random, int low, int high) {
  Vec3 p;
  for (int k = 0; k < 3; ++k) p[k] = random.integer(low, high);
  return p;
}

Triangle latticeTriangle(Random& random, int low, int high) {
  Triangle t;
  for (Vec3& v : t.v) v = latticePoint(random, low, high);
  return t;
}

/// Returns a point of the triangle with barycentric weights in quarters: exact for lattice corners, and often
/// on an edge.
Vec3 quarterPoint(Random& random, const Triangle& t) {
  const int i = random.integer(0, 4), j = random.integer(0, 4 - i);
  return t.v[0] * (i / 4.0) + t.v[1] * (j / 4.0) + t.v[2] * ((4 - i - j) / 4.0);
}

/// Makes a pair in which one, two or all three corners of b lie exactly on corners, edges or the face of a.
Pair touchingPair(Random& random) {
  Pair p{latticeTriangle(random, -64, 64), latticeTriangle(random, -64, 64)};
  const int shared = random.integer(1, 3);
  for (int i = 0; i < shared; ++i)
    p.b.v[i] = random.below(2) == 0 ? quarterPoint(random, p.a) : p.a.v[random.below(3)];
  return p;
}

/// Makes a pair in one skew plane through lattice points.
Pair coplanarPair(Random& random) {
  const Vec3 u = latticePoint(random, -3, 3), v = latticePoint(random, -3, 3),
             o = latticePoint(random, -5, 5);
  Pair p;
  for (Triangle* t : {&p.a, &p.b})
    for (Vec3& q : t->v) q = o + double(random.integer(-3, 3)) * u + double(random.integer(-3, 3)) * v;
  return p;
}

double moved(double x, int ulps) {
  for (; ulps > 0; --ulps) x = std::nextafter(x, std::numeric_limits<double>::infinity());
  for (; ulps < 0; ++ulps) x = std::nextafter(x, -std::numeric_limits<double>::infinity());
  return x;
}

/// Changes every coordinate by up to two ulps; zero stays, because its neighbours are below the limits of the
/// predicates.
Pair jittered(Random& random, Pair p) {
  for (Triangle* t : {&p.a, &p.b})
    for (Vec3& q : t->v)
      for (int k = 0; k < 3; ++k)
        if (q[k] != 0 && random.below(2) == 0) q[k] = moved(q[k], random.integer(-2, 2));
  return p;
}

/// Makes segments and points, on the other triangle and beside it.
Pair degeneratePair(Random& random) {
  Pair p{latticeTriangle(random, 0, 3), latticeTriangle(random, 0, 3)};
  Triangle& t = random.below(2) == 0 ? p.a : p.b;
  Triangle& other = &t == &p.a ? p.b : p.a;
  switch (random.below(5)) {
    case 0:
      t.v[1] = t.v[2] = t.v[0];
      break;
    case 1:
      t.v[2] = t.v[random.below(2)];
      break;
    case 2:
      t.v[2] = 0.5 * (t.v[0] + t.v[1]);
      break;
    case 3:
      t.v[0] = t.v[1] = t.v[2] = quarterPoint(random, other);
      break;
    default:
      t.v[0] = quarterPoint(random, other);
      t.v[1] = random.below(2) == 0 ? quarterPoint(random, other) : latticePoint(random, 0, 3);
      t.v[2] = 2.0 * t.v[1] - t.v[0];
  }
  if (random.below(3) == 0) other.v[2] = random.below(2) == 0 ? other.v[0] : 0.5 * (other.v[0] + other.v[1]);
  return p;
}

Pair scaled(Pair p, double factor) {
  for (Triangle* t : {&p.a, &p.b})
    for (Vec3& q : t->v) q = q * factor;
  return p;
}

Pair shifted(Pair p, const Vec3& offset) {
  for (Triangle* t : {&p.a, &p.b})
    for (Vec3& q : t->v) q = q + offset;
  return p;
}

/// Returns the corners in hexadecimal, to be pasted into a named case.
std::string text(const Pair& p) {
  std::ostringstream out;
  out << std::hexfloat;
  for (const Triangle* t : {&p.a, &p.b})
    for (const Vec3& q : t->v)
      out << "{" << q.x << ", " << q.y << ", " << q.z << "}" << (&q == t->v + 2 ? "\n" : ", ");
  return out.str();
}

struct Wrong {
  int include = 0, rationalInclude = 0, exclude = 0, order = 0, touchingOnly = 0, tester = 0, hits = 0;
  Pair witness{};
};

/// Compares every pair with CGAL, one in `rationalEvery` with the definition (include and exclude), and one
/// in eight in all orders of corners and arguments.
template <typename Make>
void checkPairs(Make make, int cases, int rationalEvery, bool expectsHits = true) {
  Wrong wrong;
  cases = effort(cases / 10, cases);
  for (int i = 0; i < cases; ++i) {
    const Pair p = make();
    const bool got = intersectTriangleTriangle(p.a, p.b);
    const bool gotInside = intersectTriangleTriangle(p.a, p.b, Touching::exclude);
    wrong.hits += got;
    int bad = 0;
    const auto count = [&](int& counter, bool isWrong) {
      counter += isWrong;
      bad += isWrong;
    };
    count(wrong.include, got != cgalIntersect(p.a, p.b));
    count(wrong.tester, TriangleTester(p.a).intersects(p.b) != got ||
                            TriangleTester(p.b, Touching::exclude).intersects(p.a) != gotInside);
    count(wrong.touchingOnly, gotInside && !got);
    if (i % rationalEvery == 0) {
      count(wrong.rationalInclude, got != rationalIntersect(p.a, p.b, Touching::include));
      count(wrong.exclude, gotInside != rationalIntersect(p.a, p.b, Touching::exclude));
    }
    if (i % 8 == 0)
      for (const Triangle& a : permutations(p.a))
        for (const Triangle& b : permutations(p.b))
          count(wrong.order, intersectTriangleTriangle(a, b) != got ||
                                 intersectTriangleTriangle(b, a) != got ||
                                 intersectTriangleTriangle(a, b, Touching::exclude) != gotInside ||
                                 intersectTriangleTriangle(b, a, Touching::exclude) != gotInside);
    if (bad > 0) wrong.witness = p;
  }
  INFO(text(wrong.witness));
  INFO(wrong.hits << " of " << cases << " intersect");
  CHECK(wrong.include == 0);
  CHECK(wrong.rationalInclude == 0);
  CHECK(wrong.exclude == 0);
  CHECK(wrong.touchingOnly == 0);
  CHECK(wrong.order == 0);
  CHECK(wrong.tester == 0);
  if (expectsHits) CHECK(wrong.hits > cases / 100);
}

template <typename Make>
void checkCommonParts(Make make, int cases) {
  std::string problem;
  Pair witness{};
  int wrong = 0;
  cases = effort(cases / 5, cases);
  for (int i = 0; i < cases; ++i) {
    const Pair p = make();
    const TriangleIntersection found = triangleIntersection(p.a, p.b);
    std::string now = problemOf(found, p.a, p.b);
    if (now.empty() &&
        (found.kind != TriangleIntersection::Kind::none) != intersectTriangleTriangle(p.a, p.b))
      now = "kind none differs from the predicate";
    if (!now.empty()) {
      ++wrong;
      problem = now;
      witness = p;
    }
  }
  INFO(text(witness));
  INFO(problem);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("pairs of triangles of every kind against CGAL", "[geometry][oracle]") {
  Random random(41);
  SECTION("random") {
    checkPairs([&] { return Pair{randomTriangle(random, 0.7), randomTriangle(random, 0.7)}; }, 250000, 50);
  }
  SECTION("lattice of 3") {
    checkPairs(
        [&] {
          return Pair{latticeTriangle(random, 0, 2), latticeTriangle(random, 0, 2)};
        },
        200000, 20);
  }
  SECTION("lattice of 5") {
    checkPairs(
        [&] {
          return Pair{latticeTriangle(random, -2, 2), latticeTriangle(random, -2, 2)};
        },
        100000, 20);
  }
  SECTION("corners on corners, edges and faces") {
    checkPairs([&] { return touchingPair(random); }, 100000, 10);
  }
  SECTION("coplanar") {
    checkPairs([&] { return coplanarPair(random); }, 100000, 10);
  }
  SECTION("touching, moved by ulps") {
    checkPairs([&] { return jittered(random, touchingPair(random)); }, 60000, 10);
  }
  SECTION("coplanar, moved by ulps") {
    checkPairs([&] { return jittered(random, coplanarPair(random)); }, 60000, 10);
  }
  SECTION("degenerate") {
    checkPairs([&] { return degeneratePair(random); }, 50000, 10);
  }
  SECTION("degenerate, moved by ulps") {
    checkPairs([&] { return jittered(random, degeneratePair(random)); }, 30000, 10, false);
  }
  SECTION("touching, far from the origin") {
    checkPairs([&] { return shifted(touchingPair(random), {0x1p40, -0x1p42, 0x1p41}); }, 20000, 10);
  }
  SECTION("touching, tiny") {
    checkPairs([&] { return scaled(jittered(random, touchingPair(random)), 0x1p-190); }, 15000, 10);
  }
  SECTION("touching, huge") {
    checkPairs([&] { return scaled(jittered(random, touchingPair(random)), 0x1p190); }, 15000, 10);
  }
  SECTION("one small, one large") {
    checkPairs(
        [&] {
          Pair p = touchingPair(random);  // a grows about a corner, so it still contains its former area
          for (int i = 1; i < 3; ++i) p.a.v[i] = p.a.v[0] + (p.a.v[i] - p.a.v[0]) * 0x1p20;
          return p;
        },
        15000, 10);
  }
}

TEST_CASE("the common part of two triangles", "[geometry][oracle]") {
  Random random(42);
  SECTION("random") {
    checkCommonParts([&] { return Pair{randomTriangle(random, 0.7), randomTriangle(random, 0.7)}; }, 20000);
  }
  SECTION("lattice") {
    checkCommonParts(
        [&] {
          return Pair{latticeTriangle(random, -2, 2), latticeTriangle(random, -2, 2)};
        },
        20000);
  }
  SECTION("touching") {
    checkCommonParts([&] { return touchingPair(random); }, 20000);
  }
  SECTION("coplanar") {
    checkCommonParts([&] { return coplanarPair(random); }, 20000);
  }
  SECTION("touching, moved by ulps") {
    checkCommonParts([&] { return jittered(random, touchingPair(random)); }, 10000);
  }
  SECTION("coplanar, moved by ulps") {
    checkCommonParts([&] { return jittered(random, coplanarPair(random)); }, 10000);
  }
  SECTION("degenerate") {
    checkCommonParts([&] { return degeneratePair(random); }, 20000);
  }
  SECTION("degenerate, moved by ulps") {
    checkCommonParts([&] { return jittered(random, degeneratePair(random)); }, 10000);
  }
  SECTION("far from the origin") {
    checkCommonParts([&] { return shifted(touchingPair(random), {0x1p40, -0x1p42, 0x1p41}); }, 5000);
  }
  SECTION("huge") {
    checkCommonParts([&] { return scaled(touchingPair(random), 0x1p190); }, 5000);
  }
  SECTION("tiny") {
    checkCommonParts([&] { return scaled(touchingPair(random), 0x1p-190); }, 5000);
  }
}

}  // namespace intersect_triangle_triangle_tests

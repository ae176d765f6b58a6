// Tests the floating-point filters of the wide hierarchy where their error bounds matter, against the sweep
// with CGAL in every mode and setting: pairs a few units in the last place from touching, boxes that barely
// meet, sizes at which 32-bit numbers overflow or underflow.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/placements.h"
#include "support/report_checks.h"
#include "support/sweep_oracle.h"
#include "support/tiny_meshes.h"

namespace wide_filters_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::string problem(const MeshPtr& a, const Transform& poseA, const MeshPtr& b, const Transform& poseB,
                    std::size_t* found = nullptr) {
  const ModelPtr modelA = modelOf(a), modelB = modelOf(b);
  const PosedModel first{modelA, poseA}, second{modelB, poseB};
  const IntersectionReport all = sweepOracle(first, second);
  if (found != nullptr) *found += all.trianglePairs.size();
  return problemInAnySetting(first, second, Touching::include, all, false);
}

/// How two triangles almost touch.
enum class Contact { vertexOnFace, edgeOnEdge, coplanar, needle, almostParallel };
constexpr int contactCount = 5;

/// Returns multiples of 1/64 in [-1, 1], so that sums and halves are exact.
Vec3 dyadic(Random& random) {
  return Vec3{double(random.integer(-64, 64)), double(random.integer(-64, 64)),
              double(random.integer(-64, 64))} *
         0x1p-6;
}

/// Makes triangles that touch exactly, unless something is rounded.
std::pair<Triangle, Triangle> touchingPair(Contact contact, Random& random) {
  Triangle a{{dyadic(random), dyadic(random), dyadic(random)}}, b;
  const Vec3 middle = (a.v[0] + a.v[1]) * 0.5;
  const Vec3 inside = (middle + a.v[2]) * 0.5;
  const Vec3 normal = cross(a.v[1] - a.v[0], a.v[2] - a.v[0]);
  switch (contact) {
    case Contact::vertexOnFace:
      b = {{inside, inside + normal + dyadic(random) * 0.25, inside + normal - dyadic(random) * 0.25}};
      break;
    case Contact::edgeOnEdge: {
      const Vec3 along = dyadic(random);
      b = {{middle + along, middle - along, middle + (middle - a.v[2]) + normal}};
      break;
    }
    case Contact::coplanar: {
      const Vec3 e = a.v[1] - a.v[0], f = a.v[2] - a.v[0];
      // Its corner lies on an edge, the rest beyond it.
      b = {{middle, middle - f * 0.5 + e * 0.25, middle - f * 0.25 - e * 0.25}};
      break;
    }
    case Contact::needle: {
      const Vec3 out = dyadic(random), side = dyadic(random) * 0x1p-20;
      b = {{inside, inside + out - side, inside + out + side}};
      break;
    }
    case Contact::almostParallel: {
      b = a;
      for (Vec3& v : b.v) v = v + normal * (random.integer(-2, 2) * 0x1p-22);
      break;
    }
  }
  return {a, b};
}

struct Pairs {
  MeshPtr a, b;
};

/// Makes n pairs, each in a cell of its own, `spacing` times as far from the next as triangles extend. B's
/// triangles are stored so that `aFromB` moves them back to A's, up to rounding. Some corners are moved by a
/// few units in the last place.
Pairs almostTouching(std::uint32_t n, std::uint64_t seed, const Transform& aFromB, double scale,
                     double spacing = 2) {
  Random random(seed);
  const Transform bFromA = aFromB.inverse();
  std::vector<Triangle> a, b;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::cbrt(n)));
  for (std::uint32_t i = 0; i < n; ++i) {
    auto [inA, touching] = touchingPair(static_cast<Contact>(i % contactCount), random);
    const Vec3 cell = Vec3{double(i % side), double(i / side % side), double(i / side / side)} * spacing;
    for (Vec3& v : inA.v) v = (v + cell) * scale;
    for (Vec3& v : touching.v) {
      v = (v + cell) * scale;
      if (random.below(3) == 0)
        for (int k = 0; k < 3; ++k) v[k] *= 1 + random.integer(-2, 2) * 0x1p-23;
      v = bFromA.apply(v);
    }
    a.push_back(inA);
    b.push_back(touching);
  }
  return {fromTriangles("fixed", a, 7), fromTriangles("placed", b, 5)};
}

}  // namespace

TEST_CASE("triangles that almost touch, at all sizes", "[hierarchy][wide][oracle]") {
  std::size_t found = 0;
  Random random(501);
  for (PlacementClass kind : allPlacementClasses)
    for (const int exponent : {-90, -60, -40, -30, 0, 30, 36, 37, 38, 40, 60, 90}) {
      const double scale = std::ldexp(1.0, exponent);
      Transform placement = randomPlacement(kind, random, 3);
      placement.t = placement.t * scale;
      const Pairs pairs = almostTouching(400, random.next(), placement, scale);
      INFO("placement class " << int(kind) << ", scaled by 2^" << exponent);
      CHECK(problem(pairs.a, {}, pairs.b, placement, &found) == "");
    }
  CHECK(found > 10000);
}

TEST_CASE("triangles that almost touch, thousands in one mesh", "[hierarchy][wide][oracle]") {
  Random random(502);
  std::size_t found = 0;
  for (PlacementClass kind : allPlacementClasses) {
    const Transform placement = randomPlacement(kind, random, 3);
    const Pairs pairs = almostTouching(8000, random.next(), placement, 1);
    INFO("placement class " << int(kind));
    CHECK(problem(pairs.a, {}, pairs.b, placement, &found) == "");
  }
  CHECK(found > 10000);
}

TEST_CASE("triangles that almost touch, far from others in their leaves", "[hierarchy][wide][oracle]") {
  // Corners of a leaf are relative to one point, so the loss of floats depends on the size of the leaf.
  Random random(505);
  std::size_t found = 0;
  for (PlacementClass kind : allPlacementClasses)
    for (const double spacing : {0x1p4, 0x1p7, 0x1p10, 0x1p13})
      for (const std::uint32_t count : {8U, 27U, 125U}) {
        const Transform placement = randomPlacement(kind, random, 3);
        const Pairs pairs = almostTouching(count, random.next(), placement, 1, spacing);
        INFO("placement class " << int(kind) << ", " << count << " pairs, " << spacing << " apart");
        CHECK(problem(pairs.a, {}, pairs.b, placement, &found) == "");
      }
  CHECK(found > 500);
}

TEST_CASE("triangles that almost touch, a unit in the last place of a double apart",
          "[hierarchy][wide][oracle]") {
  // The stored corners touch exactly; the placement separates them by less than 32-bit numbers can represent.
  const Pairs pairs = almostTouching(400, 503, {}, 1);
  std::size_t found = 0;
  for (const Vec3& t : {Vec3{0x1p-50, 0, 0}, Vec3{0, -0x1p-45, 0x1p-50}, Vec3{0x1p-30, 0x1p-31, 0x1p-28},
                        Vec3{-0x1p-90, 0x1p-140, 0}})
    CHECK(problem(pairs.a, {}, pairs.b, Transform::translation(t), &found) == "");
  CHECK(found > 100);
}

TEST_CASE("triangles that almost touch, far from the origin", "[hierarchy][wide][oracle]") {
  Random random(504);
  std::size_t found = 0;
  for (const double distance : {1e4, 1e9, 1e15}) {
    const Transform placement = randomPlacement(PlacementClass::rigid, random, 3);
    const Pairs pairs = almostTouching(200, random.next(), placement, 1);
    const Transform away =
        randomPlacement(PlacementClass::rigid, random, 0) * Transform::translation({distance, 0, -distance});
    INFO("distance " << distance);
    CHECK(problem(pairs.a, away, pairs.b, away * placement, &found) == "");
    // The mesh itself is large: one triangle far away keeps the origin of the coordinates in place.
    if (distance > 1e5) continue;
    const auto withOutlier = [&](const MeshPtr& mesh) {
      std::vector<Triangle> triangles;
      for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i)
        triangles.push_back(mesh->triangle(TriangleId(i)));
      triangles.push_back({{{distance, 0, 0}, {-distance, 1, 0}, {0, distance, 1}}});
      return fromTriangles("with an outlier", triangles, 3);
    };
    CHECK(problem(withOutlier(pairs.a), {}, withOutlier(pairs.b), placement, &found) == "");
  }
  CHECK(found > 100);
}

TEST_CASE("tiny triangles that almost touch, placed from far away", "[hierarchy][wide][oracle]") {
  // The rounding of their placement is far more than a unit in the last place of their own size.
  Random random(506);
  constexpr double size = 0x1p-34, far = 1024;
  std::size_t found = 0;
  for (int k = 0; k < 4; ++k) {
    Transform placement = randomPlacement(PlacementClass::rigid, random, 0);
    const Vec3 normal = placement.applyToVector({1, 0, 0});
    placement.t = normal * -far;
    // B lies in a plane; corners of A are as far from it as that rounding.
    std::vector<Triangle> a, b;
    for (int i = 0; i < 60; ++i) {
      Triangle inB;
      Vec3 middle;
      for (Vec3& v : inB.v) {
        v = dyadic(random) * size;
        v.x = far;
        middle = middle + placement.apply(v) * (1.0 / 3);
      }
      b.push_back(inB);
      const Vec3 corner = middle + normal * (random.integer(-4, 4) * 0x1p-45);
      const auto beyond = [&] { return corner + normal * size + dyadic(random) * (size / 4); };
      a.push_back({{corner, beyond(), beyond()}});
    }
    b.push_back({{{-far, 0, 0}, {-far, 1, 0}, {-far, 0, 1}}});  // keeps the origin of the coordinates
    const MeshPtr meshA = fromTriangles("near", a, 7), meshB = fromTriangles("far", b, 5);
    REQUIRE(meshB->origin() == Vec3{});
    std::size_t hits = 0;
    CHECK(problem(meshA, {}, meshB, placement, &hits) == "");
    CHECK(hits < 60 * 60);
    found += hits;
  }
  CHECK(found > 100);
}

namespace {

/// Makes triangles whose centroid is exactly the origin: at any two sizes, all triangles of one meet all of
/// the other.
MeshPtr star(std::uint32_t n, std::uint64_t seed, double scale) {
  Random random(seed);
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 p = dyadic(random) * scale, q = dyadic(random) * scale;
    triangles.push_back({{p, q, Vec3{} - p - q}});
  }
  return fromTriangles("star", triangles, 3);
}

}  // namespace

TEST_CASE("parts of very different size", "[hierarchy][wide][oracle]") {
  // If the larger one is beyond 32-bit numbers in the frame of the smaller one, boxes are useless.
  Random random(505);
  struct Sizes {
    int a, b, matrix;
  };
  for (const Sizes& s :
       {Sizes{0, 0, 0}, Sizes{-90, -90, 0}, Sizes{90, 90, 0}, Sizes{-90, 90, 0}, Sizes{90, -90, 0},
        Sizes{35, -90, -98}, Sizes{60, 60, -98}, Sizes{90, 90, -60}, Sizes{90, 60, 98}, Sizes{90, 90, 98},
        Sizes{-90, 90, 98}, Sizes{-90, -90, -98}, Sizes{35, 0, 60}, Sizes{0, 35, 0}, Sizes{0, -40, 40}}) {
    const double matrix = std::ldexp(1.0, s.matrix);
    const Transform placement = randomPlacement(allPlacementClasses[random.below(7)], random, 0) *
                                Transform::scaling(matrix, matrix, matrix);
    INFO("sizes 2^" << s.a << " and 2^" << s.b << ", placed by a matrix of 2^" << s.matrix);
    CHECK(problem(star(20, random.next(), std::ldexp(1.0, s.a)), {},
                  star(12, random.next(), std::ldexp(1.0, s.b)), placement) == "");
  }
}

TEST_CASE("a small part at a large one", "[hierarchy][wide][oracle]") {
  Random random(506);
  std::size_t found = 0;
  // Either of them may be the one with more triangles, which stays.
  for (const auto& [large, small] : {std::pair{sixSidedBox(1e5, 1e5, 1e5, 1), icosphere(1, 2)},
                                     std::pair{sixSidedBox(1e5, 1e5, 1e5, 20), tetrahedron(2)},
                                     std::pair{icosphere(1e5, 3), icosphere(2, 1)}})
    for (int i = 0; i < 12; ++i) {
      const double s = i % 3 == 0 ? 1 : random.between(0.3, 1.1);
      const Transform placement = Transform::rigid(randomRotation(random), {-49999.5 * s, 3.25, 777});
      CHECK(problem(large, {}, small, placement, &found) == "");
      CHECK(problem(large, Transform::scaling(1, 0.5, 1), small, placement, &found) == "");
    }
  CHECK(found > 30);
}

TEST_CASE("parts of extreme proportions", "[hierarchy][wide][oracle]") {
  Random random(507);
  std::size_t found = 0;
  for (int i = 0; i < 40; ++i) {
    Transform shape, tilt;
    for (std::size_t k = 0; k < 3; ++k) shape.m[k][k] = std::ldexp(1.0, random.integer(-80, 35));
    // Long, and so thin that products of the other two coordinates leave the range of normal numbers.
    if (i % 2 == 0)
      shape = Transform::scaling(std::ldexp(1.0, random.integer(28, 34)), 0x1p-75,
                                 std::ldexp(1.0, random.integer(-79, -69)));
    tilt.m[2][0] = std::ldexp(1.0, random.integer(-99, 0));
    tilt.m[1][2] = std::ldexp(1.0, random.integer(-99, 0));
    const MeshPtr a = transformed(latticeSoup(40, random.next(), 6, 2), shape),
                  b = transformed(latticeSoup(40, random.next(), 6, 2), shape);
    INFO("scene " << i);
    CHECK(problem(a, {}, b, i % 4 < 2 ? Transform{} : tilt, &found) == "");
  }
  CHECK(found > 1000);
}

TEST_CASE("flat parts at distances below the range of 32-bit numbers", "[hierarchy][wide][oracle]") {
  Random random(508);
  std::size_t found = 0;
  for (int i = 0; i < 40; ++i) {
    const double size = std::ldexp(1.0, random.integer(8, 26)),
                 thin = std::ldexp(1.0, random.integer(-52, -46));
    std::vector<Triangle> a(30), b(30);
    for (Triangle& t : a)
      for (Vec3& v : t.v) v = {random.integer(-4, 4) * size, random.integer(-4, 4) * size, 0};
    for (Triangle& t : b)
      for (Vec3& v : t.v) v = {random.integer(-8, 8) * thin, random.integer(-4, 4) * size, 0};
    Transform tilt;
    tilt.m[2][0] = 0x1p-100 * random.integer(1, 3);
    tilt.t.z = random.integer(-1, 1) * 0x1p-149;
    CHECK(problem(fromTriangles("a", a, 2), {}, fromTriangles("b", b, 2), tilt, &found) == "");
  }
  CHECK(found > 1000);
}

TEST_CASE("corners on a point, placed below the range of 32-bit numbers", "[hierarchy][wide][oracle]") {
  Random random(509);
  std::size_t found = 0;
  const MeshPtr points = fromTriangles("points", std::vector<Triangle>(2));
  for (int i = 0; i < 1000; ++i) {
    Transform placement = randomPlacement(PlacementClass::quarterTurn, random, 0) *
                          Transform::scaling(0x1p-98, 0x1p-98, 0x1p-98);
    Triangle t;
    for (Vec3& v : t.v)
      for (int k = 0; k < 3; ++k) v[k] = static_cast<float>(random.between(-0x1p-49, 0x1p-49));
    placement.t = Vec3{} - placement.apply(t.v[0]);
    CHECK(problem(points, {}, fromTriangle(t), placement, &found) == "");
  }
  CHECK(found > 1900);
}

TEST_CASE("smooth surfaces close to each other", "[hierarchy][wide][oracle]") {
  Random random(510);
  std::size_t found = 0;
  for (const double gap : {1e-1, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 0.0}) {
    const std::uint32_t level = gap == 3e-3 ? 4 : 3;
    for (PlacementClass kind : {PlacementClass::rigid, PlacementClass::mirrored}) {
      INFO("gap " << gap << ", placement class " << int(kind));
      CHECK(problem(icosphere(1, level), {}, icosphere(1 + gap, level), randomPlacement(kind, random, 0),
                    &found) == "");
      // Beside each other, within the bulge of the polyhedra.
      Transform beside = randomPlacement(kind, random, 0);
      beside.t = Transform::rotation(randomRotation(random)).apply({1.98 + gap, 0, 0});
      CHECK(problem(icosphere(1, level), {}, icosphere(1, level), beside, &found) == "");
    }
  }
  CHECK(found > 10000);
}

TEST_CASE("boxes that meet in a point", "[hierarchy][wide][oracle]") {
  // Tiny triangles, each with one corner on a lattice and the rest on its side of the lattice point.
  const auto corners = [](double side) {
    std::vector<Triangle> triangles;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        const Vec3 p{double(i), double(j), (i * j) % 5 * 0.25};
        triangles.push_back({{p, p + Vec3{side, side / 2, side}, p + Vec3{side / 2, side, side}}});
      }
    return fromTriangles("corners", triangles, 6);
  };
  Random random(511);
  std::size_t found = 0;
  for (const double side : {0x1p-4, 0x1p-12})
    for (PlacementClass kind : allPlacementClasses) {
      // Turning both does not change the contact, up to rounding.
      const Transform turn = randomPlacement(kind, random, 2);
      CHECK(problem(corners(side), turn, corners(-side), turn, &found) == "");
      CHECK(problem(corners(side), {}, transformed(corners(-side), turn.inverse()), turn, &found) == "");
      CHECK(problem(corners(side), turn, corners(-side), turn * Transform::translation({1, 0, 0}), &found) ==
            "");
    }
  CHECK(found > 2000);
}

}  // namespace wide_filters_tests

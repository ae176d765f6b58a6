#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>

#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace hard_cases_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// The numbers of pairs of triangles and surfaces, and of triangles without mere touching; equal in every
/// setting.
struct Expected {
  std::size_t triangles, surfaces, trianglesWithoutTouching;
};

void check(const std::string& what, const PosedModel& a, const PosedModel& b, const Expected& expected) {
  INFO(what);
  const IntersectionReport all = bruteForce(a, b), strict = bruteForce(a, b, {.touching = Touching::exclude});
  CHECK(all.trianglePairs.size() == expected.triangles);
  CHECK(all.surfacePairs.size() == expected.surfaces);
  CHECK(strict.trianglePairs.size() == expected.trianglesWithoutTouching);
  CHECK(problemInAnySetting(a, b, Touching::include, all, true) == "");
  CHECK(problemInAnySetting(a, b, Touching::exclude, strict, true) == "");
}

const Triangle corner{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

}  // namespace

TEST_CASE("named hard cases: two triangles", "[query][hard]") {
  const ModelPtr base = modelOf(fromTriangle(corner));
  const auto with = [&](const std::string& what, const Triangle& t, const Expected& e) {
    check(what, {base, {}}, {modelOf(fromTriangle(t)), {}}, e);
  };
  with("shared edge", {{{0, 0, 0}, {4, 0, 0}, {1, 1, 3}}}, {1, 1, 0});
  with("shared vertex", {{{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}}, {1, 1, 0});
  with("vertex on face", {{{1, 1, 0}, {1, 1, 2}, {2, 1, 2}}}, {1, 1, 0});
  with("vertex on edge", {{{2, 0, 0}, {2, -1, 2}, {3, -1, 2}}}, {1, 1, 0});
  with("edge on face", {{{1, 1, 0}, {2, 1, 0}, {1, 1, 3}}}, {1, 1, 0});
  with("coplanar overlap", {{{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}}, {1, 1, 1});
  with("coplanar contained", {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, {1, 1, 1});
  with("coplanar touching", {{{2, 2, 0}, {3, 3, 0}, {4, 3, 0}}}, {1, 1, 0});
  with("coplanar apart", {{{3, 3, 0}, {4, 3, 0}, {3, 4, 0}}}, {0, 0, 0});
  with("a hair above", {{{0, 0, 0x1p-90}, {4, 0, 0x1p-90}, {0, 4, 0x1p-90}}}, {0, 0, 0});
  with("sliver through the face", {{{1, 1, -1e6}, {1, 1, 1e6}, {1.0000001, 1, 1e6}}}, {1, 1, 1});
  with("segment through the face", {{{1, 1, -1}, {1, 1, 1}, {1, 1, 1}}}, {1, 1, 1});
  with("point on the face", {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, {1, 1, 1});
  with("point on an edge", {{{2, 2, 0}, {2, 2, 0}, {2, 2, 0}}}, {1, 1, 0});
}

TEST_CASE("named hard cases: parts", "[query][hard]") {
  const ModelPtr cube = modelOf(sixSidedBox(2, 2, 2)), small = modelOf(sixSidedBox(1, 1, 1));
  SECTION("contained part: surfaces do not meet") {
    check("contained", {cube, {}}, {small, {}}, {0, 0, 0});
    check("contained, turned", {cube, {}}, {small, Transform::rotation({1, 2, 3}, 1)}, {0, 0, 0});
  }
  SECTION("face on face") {
    // The small one's bottom lies on the cube's top; its sides touch there.
    const PosedModel a{cube, {}}, b{small, shift(0, 0, 1.5)};
    const IntersectionReport all = intersect(a, b);
    CHECK(all.surfacePairs.size() == 5);
    for (const SurfacePair& p : all.surfacePairs) CHECK(p.a == SurfaceId(5));
    const IntersectionReport strict = intersect(a, b, {.touching = Touching::exclude});
    REQUIRE(strict.surfacePairs.size() == 1);
    CHECK(strict.surfacePairs[0] == SurfacePair{SurfaceId(5), SurfaceId(4)});
    CHECK(problemInAnySetting(a, b, Touching::include, bruteForce(a, b), true) == "");
  }
  SECTION("corner on corner") {
    const IntersectionReport all = intersect({cube, {}}, {small, shift(1.5, 1.5, 1.5)});
    CHECK(all.surfacePairs.size() == 9);
    CHECK_FALSE(
        intersect({cube, {}}, {small, shift(1.5, 1.5, 1.5)}, {.touching = Touching::exclude}).intersects());
  }
  SECTION("one step of storage apart") {
    const double gap = std::nextafter(1.5F, 2.0F);
    CHECK(intersect({cube, {}}, {small, shift(1.5, 0, 0)}).intersects());
    CHECK_FALSE(intersect({cube, {}}, {small, shift(gap, 0, 0)}).intersects());
    // One unit in the last place of a double: boxes in single precision cannot decide, so the exact test
    // must.
    CHECK_FALSE(intersect({cube, {}}, {small, shift(std::nextafter(1.5, 2.0), 0, 0)}).intersects());
    CHECK(intersect({cube, {}}, {small, shift(std::nextafter(1.5, 1.0), 0, 0)}).intersects());
  }
  SECTION("mirrored") {
    const ModelPtr part = modelOf(lShape(3, 1));
    const Transform mirror = Transform::scaling(-1, 1, 1);
    const PosedModel a{part, {}}, b{part, mirror};
    const IntersectionReport all = bruteForce(a, b);
    CHECK(all.intersects());
    CHECK(problemInAnySetting(a, b, Touching::include, all, true) == "");
    // The faces at x = 0 of both are the same triangles.
    const IntersectionReport strict =
        intersect(a, b, {.mode = QueryMode::allSurfacePairs, .touching = Touching::exclude});
    REQUIRE(strict.surfacePairs.size() == 1);
    CHECK(strict.surfacePairs[0] == SurfacePair{SurfaceId(7), SurfaceId(7)});
  }
}

TEST_CASE("named hard cases: a sheet on a sheet", "[query][hard]") {
  // Each cell's two triangles overlap the two of the same cell; touching adds the neighbours. Counted for a
  // shift by whole cells.
  const ModelPtr sheet = modelOf(flatSheet(4, 4));
  const PosedModel a{sheet, {}};
  const IntersectionReport onto = intersect(a, {sheet, shift(0, 0, 0)}, {.touching = Touching::exclude});
  CHECK(onto.trianglePairs.size() == 32);  // interiors meet only in equal triangles
  for (const TrianglePair& p : onto.trianglePairs) CHECK(p.a == p.b);
  const IntersectionReport moved = intersect(a, {sheet, shift(1, 0, 0)}, {.touching = Touching::exclude});
  CHECK(moved.trianglePairs.size() == 24);
  const IntersectionReport half = intersect(a, {sheet, shift(3.5, 3.5, 0)}, {.touching = Touching::exclude});
  CHECK(half.trianglePairs.size() > 0);
  CHECK_FALSE(intersect(a, {sheet, shift(0, 0, 0x1p-60)}).intersects());
  CHECK(intersect(a, {sheet, shift(4, 0, 0)}).intersects());
  CHECK_FALSE(intersect(a, {sheet, shift(4, 0, 0)}, {.touching = Touching::exclude}).intersects());
}

TEST_CASE("named hard cases: far from the origin", "[query][hard]") {
  const MeshPtr cube = sixSidedBox(2, 2, 2);
  for (double distance : {1e6, 1e9, 1e12}) {
    const ModelPtr a = modelOf(cube);
    const ModelPtr far = modelOf(transformed(cube, shift(distance, -distance, distance)));
    INFO("distance " << distance);
    CHECK(intersect({a, shift(distance + 2, -distance, distance)}, {far, {}}).intersects());
    CHECK_FALSE(intersect({a, shift(distance + 2.5, -distance, distance)}, {far, {}}).intersects());
  }
}

TEST_CASE("named hard cases: degenerate sets", "[query][hard]") {
  const ModelPtr set = modelOf(degenerateSet());
  const PosedModel a{set, {}};
  const IntersectionReport all = bruteForce(a, a);
  for (std::uint32_t i = 0; i < 10; ++i)
    CHECK(std::binary_search(all.trianglePairs.begin(), all.trianglePairs.end(),
                             TrianglePair{TriangleId(i), TriangleId(i)}));
  // The isolated point meets only itself.
  for (const TrianglePair& p : all.trianglePairs) CHECK((index(p.a) == 9) == (index(p.b) == 9));
  Random random(95);
  for (PlacementClass kind : allPlacementClasses)
    for (int i = 0; i < 20; ++i) {
      const PosedModel b{set, randomPlacement(kind, random, 2)};
      CHECK(problemInAnySetting(a, b, Touching::include, bruteForce(a, b), true) == "");
    }
}

}  // namespace hard_cases_tests

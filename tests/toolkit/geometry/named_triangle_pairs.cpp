#include <catch2/catch.hpp>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/triangle_intersection.h>

#include "support/cgal_oracle.h"
#include "support/permutations.h"

namespace named_triangle_pairs_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct NamedPair {
  const char* name;
  Triangle a, b;
  bool include, exclude;
  TriangleIntersection::Kind kind;
  int corners;
};

using Kind = TriangleIntersection::Kind;
const Triangle base{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
const NamedPair namedPairs[] = {
    {"crossing through the face", base, {{{1, 1, -1}, {1, 1, 1}, {2, 2, 3}}}, true, true, Kind::segment, 2},
    {"shared vertex", base, {{{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}}, true, false, Kind::point, 1},
    {"shared edge, folded", base, {{{0, 0, 0}, {4, 0, 0}, {1, 1, 3}}}, true, false, Kind::segment, 2},
    {"shared edge, flat, other side",
     base,
     {{{0, 0, 0}, {4, 0, 0}, {1, -3, 0}}},
     true,
     false,
     Kind::segment,
     2},
    {"shared edge, flat, same side", base, {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}}}, true, true, Kind::polygon, 3},
    {"the same triangle", base, base, true, true, Kind::polygon, 3},
    {"the same, wound the other way",
     base,
     {{{0, 4, 0}, {4, 0, 0}, {0, 0, 0}}},
     true,
     true,
     Kind::polygon,
     3},
    {"vertex on face", base, {{{1, 1, 0}, {1, 1, 2}, {2, 1, 2}}}, true, false, Kind::point, 1},
    {"vertex on edge", base, {{{2, 0, 0}, {2, -1, 2}, {3, -1, 2}}}, true, false, Kind::point, 1},
    {"edge on face", base, {{{1, 1, 0}, {2, 1, 0}, {1, 1, 3}}}, true, false, Kind::segment, 2},
    {"edge crosses edge", base, {{{2, -1, -1}, {2, 1, 1}, {2, -3, 5}}}, true, false, Kind::point, 1},
    {"edge lies on part of an edge",
     base,
     {{{1, 0, 0}, {2, 0, 0}, {1, -2, 2}}},
     true,
     false,
     Kind::segment,
     2},
    {"edge within the face through a vertex",
     base,
     {{{0, 0, 0}, {2, 2, 0}, {0, 0, 2}}},
     true,
     false,
     Kind::segment,
     2},
    {"coplanar, contained", base, {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, true, true, Kind::polygon, 3},
    {"coplanar, star of six corners",
     base,
     {{{-1, 3, 0}, {3, -1, 0}, {2.5, 2.5, 0}}},
     true,
     true,
     Kind::polygon,
     6},
    {"coplanar, disjoint", base, {{{5, 5, 0}, {6, 5, 0}, {5, 6, 0}}}, false, false, Kind::none, 0},
    {"coplanar, vertex on edge", base, {{{2, 2, 0}, {3, 3, 0}, {4, 3, 0}}}, true, false, Kind::point, 1},
    {"parallel, one ulp apart",
     base,
     {{{0, 0, 0x1p-200}, {4, 0, 0x1p-200}, {0, 4, 0x1p-200}}},
     false,
     false,
     Kind::none,
     0},
    {"planes cross, triangles do not",
     base,
     {{{5, 5, -1}, {5, 5, 1}, {6, 6, 1}}},
     false,
     false,
     Kind::none,
     0},
    {"segment through the face", base, {{{1, 1, -1}, {1, 1, 1}, {1, 1, 0.5}}}, true, true, Kind::point, 1},
    {"segment ends on the face", base, {{{1, 1, 0}, {1, 1, 1}, {1, 1, 1}}}, true, false, Kind::point, 1},
    {"segment through an edge", base, {{{2, 0, -1}, {2, 0, 1}, {2, 0, 1}}}, true, false, Kind::point, 1},
    {"segment in the face", base, {{{1, 1, 0}, {2, 1, 0}, {2, 1, 0}}}, true, true, Kind::segment, 2},
    {"segment along an edge", base, {{{1, 0, 0}, {2, 0, 0}, {2, 0, 0}}}, true, false, Kind::segment, 2},
    {"segment in the plane, outside", base, {{{4, 4, 0}, {5, 4, 0}, {5, 4, 0}}}, false, false, Kind::none, 0},
    {"point on the face", base, {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, true, true, Kind::point, 1},
    {"point on an edge", base, {{{2, 0, 0}, {2, 0, 0}, {2, 0, 0}}}, true, false, Kind::point, 1},
    {"point on a vertex", base, {{{0, 4, 0}, {0, 4, 0}, {0, 4, 0}}}, true, false, Kind::point, 1},
    {"point off the face",
     base,
     {{{1, 1, 0x1p-90}, {1, 1, 0x1p-90}, {1, 1, 0x1p-90}}},
     false,
     false,
     Kind::none,
     0},
    {"segments that cross",
     {{{0, 0, 0}, {2, 2, 0}, {0, 0, 0}}},
     {{{0, 2, 0}, {2, 0, 0}, {2, 0, 0}}},
     true,
     true,
     Kind::point,
     1},
    {"segments that overlap on a line",
     {{{0, 0, 0}, {2, 2, 2}, {0, 0, 0}}},
     {{{1, 1, 1}, {3, 3, 3}, {3, 3, 3}}},
     true,
     true,
     Kind::segment,
     2},
    {"segments end to end",
     {{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}},
     {{{1, 1, 1}, {3, 3, 3}, {3, 3, 3}}},
     true,
     false,
     Kind::point,
     1},
    {"segments on a line, apart",
     {{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}},
     {{{2, 2, 2}, {3, 3, 3}, {3, 3, 3}}},
     false,
     false,
     Kind::none,
     0},
    {"skew segments",
     {{{0, 0, 0}, {2, 2, 0}, {0, 0, 0}}},
     {{{0, 2, 1}, {2, 0, 1}, {2, 0, 1}}},
     false,
     false,
     Kind::none,
     0},
    {"point within a segment",
     {{{0, 0, 0}, {2, 2, 2}, {0, 0, 0}}},
     {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
     true,
     true,
     Kind::point,
     1},
    {"point at a segment's end",
     {{{0, 0, 0}, {2, 2, 2}, {0, 0, 0}}},
     {{{2, 2, 2}, {2, 2, 2}, {2, 2, 2}}},
     true,
     false,
     Kind::point,
     1},
    {"equal points",
     {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}},
     {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}},
     true,
     true,
     Kind::point,
     1},
    {"different points",
     {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}},
     {{{1, 2, 4}, {1, 2, 4}, {1, 2, 4}}},
     false,
     false,
     Kind::none,
     0},
    {"sliver through the face",
     base,
     {{{1, 1, -1e6}, {1, 1, 1e6}, {1 + 1e-9, 1, 1e6}}},
     true,
     true,
     Kind::segment,
     2},
};

}  // namespace

TEST_CASE("named pairs of triangles", "[geometry][oracle]") {
  for (const NamedPair& n : namedPairs) {
    INFO(n.name);
    for (const Triangle& a : permutations(n.a))
      for (const Triangle& b : permutations(n.b)) {
        CHECK(intersectTriangleTriangle(a, b) == n.include);
        CHECK(intersectTriangleTriangle(b, a) == n.include);
        CHECK(intersectTriangleTriangle(a, b, Touching::exclude) == n.exclude);
        CHECK(intersectTriangleTriangle(b, a, Touching::exclude) == n.exclude);
        CHECK(triangleIntersection(a, b).kind == n.kind);
        CHECK(int(triangleIntersection(a, b).count) == n.corners);
        CHECK(problemOf(triangleIntersection(a, b), a, b) == "");
      }
    // Checks the oracles against the named cases.
    CHECK(cgalIntersect(n.a, n.b) == n.include);
    CHECK(rationalIntersect(n.a, n.b, Touching::include) == n.include);
    CHECK(rationalIntersect(n.a, n.b, Touching::exclude) == n.exclude);
  }
}

}  // namespace named_triangle_pairs_tests

#include <models/solids/tessellate.h>
#include <models/solids/triangulate_polygon.h>

#include <cmath>

#include <fitup/base/error.h>
#include <models/solids/piping.h>
#include <models/solids/prism.h>
#include <catch2/catch.hpp>

namespace solids_tests {

using namespace fitup;
using namespace fitup::models;

namespace {

double volumeOf(const Solid& solid) {
  PartDescription part;
  part.solids.push_back(solid);
  const TriangleMesh mesh = tessellate(part);
  double sum = 0;
  for (const TriangleIndices& t : mesh.triangles())
    sum += dot(mesh.pointInPart(t[0]), cross(mesh.pointInPart(t[1]), mesh.pointInPart(t[2]))) / 6;
  return sum;
}

}  // namespace

TEST_CASE("polygons with holes are triangulated without gap or overlap", "[models]") {
  const std::vector<Point2> points{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {1, 1}, {3, 1}, {3, 3}, {1, 3},
                                   {6, 6}, {8, 6},  {8, 8},   {6, 8},  {6, 1}, {8, 1}, {8, 3}, {6, 3}};
  const auto triangles =
      triangulatePolygon(points, {{0, 1, 2, 3}, {4, 5, 6, 7}, {11, 10, 9, 8}, {12, 13, 14, 15}});
  CHECK(triangles.size() == 16 + 2 * 3 - 2);
  double area = 0;
  for (const auto& t : triangles) {
    const Point2 &a = points[t[0]], &b = points[t[1]], &c = points[t[2]];
    const double twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    CHECK(twice > 0);
    area += twice / 2;
  }
  CHECK(area == Approx(100 - 3 * 4));
  const std::vector<Point2> crossing{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 2}, {6, 2}, {6, 3}, {2, 3}};
  CHECK_THROWS_AS(triangulatePolygon(crossing, {{0, 1, 2, 3}, {4, 5, 6, 7}}), InputError);
}

TEST_CASE("solids have the volume of their shape", "[models]") {
  CHECK(volumeOf(boxBeam({}, 60, 5, 100)) == Approx((60 * 60 - 50 * 50) * 100.0));
  CHECK(volumeOf(iBeam({}, 160, 80, 8, 6, 10)) == Approx((2 * 80 * 8 + 144 * 6) * 10.0));
  // A ring's volume tends to 2 pi^2 R r^2 times the share of the turn; 64 steps come within half a percent.
  PipeSize size;
  size.roundness = {64, 2};
  Solid bend;
  PipeLayer(bend, size, {}).plainStart().bend({1, 0, 0}, 200, 32).plainEnd();
  const double pi = 3.14159265358979;
  const double exact = pi * (size.outer * size.outer - size.inner * size.inner) * 200 * pi / 2;
  CHECK(volumeOf(bend) == Approx(exact).epsilon(0.005));
}

TEST_CASE("a pipe that bends in all directions stays closed", "[models]") {
  for (const int pieces : {1, 2, 4}) {
    PipeSize size;
    size.roundness = {24, pieces};
    Solid solid;
    PipeLayer layer(solid, size, {});
    layer.flangeStart().straight(50).bend({1, 0, 0}, 150, 4).bend({0, 1, 0}, 150, 4).bend({0, 0, -1}, 150, 4);
    layer.straight(10).bend({-1, 0, 0}, 150, 4).flangeEnd();
    CHECK(layer.cursor().z == Vec3{-1, 0, 0});
    PartDescription part;
    part.solids.push_back(solid);
    const TriangleMesh mesh = tessellate(part);
    // Euler: a torus with eight bolt holes has V - E + F = 2 - 2 (1 + 8) and E = 3 F / 2.
    const auto v = static_cast<long>(mesh.points().size()), f = static_cast<long>(mesh.triangleCount());
    CHECK(v - f / 2 == 2 - 2 * 9);
  }
}

}  // namespace solids_tests

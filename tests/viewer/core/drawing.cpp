// Tests what is drawn of a part: its edges, and coarser triangles.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <viewer/core/coarse_triangles.h>
#include <viewer/core/drawn_edges.h>

#include "support/analytic_solids.h"
#include "support/tiny_meshes.h"

namespace drawing_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

double lengthOf(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& [from, to] : drawnEdges(mesh)) sum += norm(mesh.pointInPart(to) - mesh.pointInPart(from));
  return sum;
}

}  // namespace

TEST_CASE("edges of meshes are borders and creases, however fine the triangles", "[viewer][edges]") {
  for (const std::uint32_t cuts : {0U, 1U, 3U}) {
    CAPTURE(cuts);
    CHECK(lengthOf(*subdivided(sixSidedBox(2, 3, 4), cuts)) == Approx(4 * (2 + 3 + 4)));
    CHECK(lengthOf(*subdivided(transformed(sixSidedBox(2, 3, 4), Transform::rotation({1, 2, 3}, 0.7)),
                               cuts)) == Approx(4 * (2 + 3 + 4)).epsilon(1e-5));
  }
  // Both rims of a cylinder, and nothing along its round side.
  const double rim = 24 * 2 * 3 * std::sin(3.14159265358979 / 24);
  CHECK(lengthOf(*cylinder(3, 10, 24)) == Approx(2 * rim).epsilon(1e-5));
  CHECK(drawnEdges(*icosphere(1, 3)).empty());
  CHECK(drawnEdges(TriangleMesh()).empty());
}

TEST_CASE("the border of a face is what only one of its triangles has", "[viewer][edges]") {
  for (const std::uint32_t cells : {1U, 3U}) {
    const MeshPtr box = sixSidedBox(2, 3, 4, cells);
    const std::vector<EdgeSegment> border = borderOf(*box, SurfaceId{0});  // across x
    CHECK(border.size() == 4 * cells);
    double length = 0;
    for (const auto& [from, to] : border) {
      CHECK(box->pointInPart(from).x == Approx(-1));
      length += norm(box->pointInPart(to) - box->pointInPart(from));
    }
    CHECK(length == Approx(2 * (3 + 4)));
  }
  CHECK(borderOf(*icosphere(1, 2), SurfaceId{0}).empty());
}

TEST_CASE("edges of CAD parts are those of their faces, without seams", "[viewer][edges]") {
  TriangleMeshBuilder builder("two faces");
  for (const Vec3& p :
       {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}, Vec3{2, 0, 0}, Vec3{2, 1, 0}})
    builder.addPoint(p);
  const SurfaceId left = builder.beginSurface("left");
  builder.addTriangle(0, 1, 2);
  builder.addTriangle(0, 2, 3);
  const SurfaceId right = builder.beginSurface("right");
  builder.addTriangle(1, 4, 5);
  builder.addTriangle(1, 5, 2);
  const std::array<std::uint32_t, 2> between{1, 2};
  const std::array<std::uint32_t, 3> border{4, 5, 2};
  const std::array<std::uint32_t, 2> seam{0, 3};
  builder.addFeatureEdge(between, left, right);
  builder.addFeatureEdge(border, right, std::nullopt);
  builder.addFeatureEdge(seam, left, left);
  const std::vector<EdgeSegment> edges = drawnEdges(builder.build());
  const std::set<EdgeSegment> drawn(edges.begin(), edges.end());
  // Although both faces lie in one plane.
  CHECK(drawn == std::set<EdgeSegment>{{1, 2}, {4, 5}, {5, 2}});
}

TEST_CASE("coarser triangles stay near, and are fewer", "[viewer][coarse]") {
  const MeshPtr mesh = icosphere(1, 5);
  std::vector<std::array<float, 3>> vertices;
  for (const Point3f& p : mesh->points()) vertices.push_back({p.x, p.y, p.z});
  std::vector<std::uint32_t> corners;
  for (const TriangleIndices& t : mesh->triangles()) corners.insert(corners.end(), t.begin(), t.end());
  std::size_t before = corners.size();
  for (const float cell : {0.01F, 0.1F, 0.3F}) {
    const std::vector<std::uint32_t> coarse = coarseTriangles(vertices, corners, cell);
    CAPTURE(cell, coarse.size());
    REQUIRE(coarse.size() % 3 == 0);
    CHECK(coarse.size() <= before);
    CHECK(coarse.size() >= 24);
    // About as many vertices as there are cells that the sphere passes: a multiple of 4 pi / cell^2.
    if (cell > 0.05F) CHECK(coarse.size() < 3 * 8 * 12.6 / (cell * cell));
    for (std::size_t i = 0; i < coarse.size(); i += 3) {
      CHECK(std::set{coarse[i], coarse[i + 1], coarse[i + 2]}.size() == 3);
      for (std::size_t k = 0; k < 3; ++k) REQUIRE(coarse[i + k] < vertices.size());
    }
    before = coarse.size();
  }
  // What is smaller than a cell vanishes.
  CHECK(coarseTriangles(vertices, corners, 10).empty());
  CHECK(coarseTriangles(vertices, {}, 1).empty());
}

}  // namespace drawing_tests

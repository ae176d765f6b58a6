#include <fitup/mesh/segmentation.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/base/error.h>

#include "support/tiny_meshes.h"

namespace segmentation_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::uint32_t patches(const std::vector<std::uint32_t>& labels) {
  return labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
}

std::uint32_t patches(const MeshPtr& mesh, double angle = 30) {
  return patches(segmentByDihedralAngle(*mesh, angle));
}

/// Returns every triangle with corners of its own, as in STL.
MeshPtr unwelded(const MeshPtr& mesh) {
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i)
    triangles.push_back(mesh->triangle(TriangleId(i)));
  return fromTriangles("unwelded", triangles);
}

/// Makes two triangles over the edge from (0, 0, 0) to (0, 1, 0), folded by `degrees` from flat.
MeshPtr folded(double degrees, bool flip) {
  const double a = degrees * 3.14159265358979323846 / 180;
  const Vec3 p{0, 0, 0}, q{0, 1, 0}, left{-1, 0, 0}, right{std::cos(a), 0, std::sin(a)};
  return fromTriangles("fold", std::vector<Triangle>{
                                   {{p, q, left}}, flip ? Triangle{{p, q, right}} : Triangle{{q, p, right}}});
}

}  // namespace

TEST_CASE("solids fall into their faces", "[mesh][segmentation]") {
  CHECK(patches(box(1, 2, 3)) == 6);
  CHECK(patches(sixSidedBox(3, 2, 1, 3)) == 6);
  CHECK(patches(cylinder(1, 3, 48)) == 3);
  CHECK(patches(icosphere(1, 3)) == 1);
  CHECK(patches(uvSphere(1, 24, 16, 4)) == 1);
  CHECK(patches(tetrahedron(1)) == 4);
  CHECK(patches(lShape(3, 1)) == 8);
  CHECK(patches(flatSheet(5, 4)) == 1);
  CHECK(patches(emptyMesh()) == 0);
}

TEST_CASE("edges are matched by coordinates", "[mesh][segmentation]") {
  for (const MeshPtr& mesh : {box(1, 2, 3), cylinder(1, 3, 48), icosphere(1, 3), lShape(3, 1)})
    CHECK(segmentByDihedralAngle(*unwelded(mesh)) == segmentByDihedralAngle(*mesh));
}

TEST_CASE("the angle is the one between normals, whatever the winding", "[mesh][segmentation]") {
  for (bool flip : {false, true}) {
    INFO("second triangle flipped: " << flip);
    CHECK(patches(folded(0, flip), 0.5) == 1);
    CHECK(patches(folded(29.9, flip)) == 1);
    CHECK(patches(folded(-29.9, flip)) == 1);
    CHECK(patches(folded(30.1, flip)) == 2);
    CHECK(patches(folded(-30.1, flip)) == 2);
    CHECK(patches(folded(150, flip)) == 2);
    CHECK(patches(folded(150, flip), 151) == 1);
    CHECK(patches(folded(150, flip), 180) == 1);
  }
}

TEST_CASE("angle 0 keeps flat faces together", "[mesh][segmentation]") {
  CHECK(patches(sixSidedBox(4, 4, 4, 2), 0) == 6);
  CHECK(patches(flatSheet(3, 3), 0) == 1);
  CHECK(patches(icosphere(1, 1), 0) == 80);
  CHECK(patches(box(1, 1, 1), 180) == 1);
  CHECK_THROWS_AS(segmentByDihedralAngle(*box(1, 1, 1), -1), InputError);
  CHECK_THROWS_AS(segmentByDihedralAngle(*box(1, 1, 1), 181), InputError);
  CHECK_THROWS_AS(segmentByDihedralAngle(*box(1, 1, 1), NAN), InputError);
}

TEST_CASE("flat parts whose normals carry rounding stay whole at a small angle", "[mesh][segmentation]") {
  const MeshPtr sheet = transformed(flatSheet(8, 8), Transform::rotation({1, 2, 3}, 0.7));
  CHECK(patches(sheet, 0.01) == 1);
}

TEST_CASE("an edge of three triangles separates", "[mesh][segmentation]") {
  const Vec3 p{0, 0, 0}, q{0, 1, 0};
  const std::vector<Triangle> fan{{{p, q, {1, 0, 0}}}, {{p, q, {1, 0, 0.1}}}, {{p, q, {1, 0, -0.1}}}};
  CHECK(patches(fromTriangles("three", fan)) == 3);
  CHECK(patches(fromTriangles("two", std::span(fan).first(2)), 180) == 1);
}

TEST_CASE("degenerate triangles separate and join their first neighbour", "[mesh][segmentation]") {
  // Two coplanar triangles with a needle of no width between them.
  const Vec3 p{0, 0, 0}, q{0, 2, 0}, m{0, 1, 0};
  const std::vector<Triangle> t{{{p, q, {-1, 0, 0}}}, {{q, p, m}}, {{p, m, {1, 0, 0}}}};
  const auto labels = segmentByDihedralAngle(*fromTriangles("needle between", t));
  CHECK(labels == std::vector<std::uint32_t>{0, 0, 1});
  CHECK(patches(fromTriangle({{p, p, p}})) == 1);
  CHECK(segmentByDihedralAngle(*degenerateSet()).size() == 10);
}

TEST_CASE("patches are numbered by their first triangle", "[mesh][segmentation]") {
  for (const MeshPtr& mesh : {box(1, 2, 3), lShape(3, 1), soup(50, 1, 0.5), degenerateSet()}) {
    const auto labels = segmentByDihedralAngle(*mesh);
    std::uint32_t next = 0;
    for (std::uint32_t label : labels) {
      CHECK(label <= next);
      next = std::max(next, label + 1);
    }
    const TriangleMesh regrouped = withSurfaces(*mesh, labels);
    CHECK(regrouped.surfaces().size() == next);
    for (const Surface& s : regrouped.surfaces()) CHECK(s.triangleCount > 0);
  }
}

}  // namespace segmentation_tests

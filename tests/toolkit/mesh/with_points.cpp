#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include <fitup/base/error.h>
#include <fitup/mesh/triangle_mesh.h>
#include <models/deformations.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace with_points_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

SurfaceDescription cylinderOfUnknownSize() {
  SurfaceDescription description;
  description.kind = SurfaceKind::cylinder;
  return description;
}

SurfaceDescription planeAt(const Vec3& point) {
  SurfaceDescription description;
  description.kind = SurfaceKind::plane;
  description.point = point;
  return description;
}

bool sameMesh(const TriangleMesh& a, const TriangleMesh& b) {
  if (a.contentHash() != b.contentHash() || !(a.origin() == b.origin())) return false;
  if (a.validation().degenerateTriangles != b.validation().degenerateTriangles ||
      a.validation().largestRounding != b.validation().largestRounding)
    return false;
  for (std::size_t s = 0; s < a.surfaces().size(); ++s)
    if (!(a.surfaces()[s].fingerprint == b.surfaces()[s].fingerprint)) return false;
  return a.surfaces().size() == b.surfaces().size() && a.bounds() == b.bounds();
}

/// Makes a builder with unused points between the used ones.
TriangleMeshBuilder withGaps(const TriangleMesh& mesh, const std::vector<Vec3>& points) {
  TriangleMeshBuilder builder("gaps");
  for (const Vec3& p : points) {
    builder.addPoint({1e6, -1e6, 1e7});
    builder.addPoint(p);
  }
  for (const Surface& surface : mesh.surfaces()) {
    builder.beginSurface(surface.name, {}, cylinderOfUnknownSize());
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
      const TriangleIndices& t = mesh.triangles()[surface.firstTriangle + i];
      builder.addTriangle(2 * t[0] + 1, 2 * t[1] + 1, 2 * t[2] + 1);
    }
  }
  return builder;
}

}  // namespace

TEST_CASE("a mesh with points elsewhere is the one that the builder makes", "[mesh][refit]") {
  for (const MeshPtr& mesh : {sixSidedBox(3, 1, 2, 3), icosphere(1, 2), degenerateSet(), soup(60, 3, 0.5, 7)})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      // Every point moves; every third time so far away that an origin is needed.
      const Vec3 shift = seed % 3 == 2 ? Vec3{1e5, -2e6, 12.3} : Vec3{0.125, 0, 0};
      const auto deformation = [&, inner = models::randomDeformation(mesh->boundsInPart(), seed)](
                                   const Vec3& p) { return inner(p) + shift; };
      const std::vector<Vec3> points = models::deformedPoints(*mesh, deformation);
      const TriangleMeshBuilder original =
          withGaps(*mesh, models::deformedPoints(*mesh, [](const Vec3& p) { return p; }));
      const TriangleMesh before = original.build();
      // By the source's points.
      const std::vector<std::uint32_t> kept = original.keptPoints();
      REQUIRE(kept.size() == before.points().size());
      std::vector<Vec3> ofSource(original.pointCount(), Vec3{7, 7, 7}), now;
      for (std::uint32_t i = 0; i < points.size(); ++i) ofSource[2 * i + 1] = points[i];
      for (const std::uint32_t k : kept) now.push_back(ofSource[k]);
      const TriangleMesh after = withPoints(before, now);
      TriangleMesh::Data expected = withGaps(*mesh, points).build().data();
      for (Surface& s : expected.surfaces) s.fingerprint.kind = SurfaceKind::unknown;
      INFO(mesh->name() << ", seed " << seed);
      REQUIRE(sameMesh(after, TriangleMesh(expected)));
      REQUIRE(after.triangles().data() == before.triangles().data());
      for (const Surface& s : after.surfaces()) REQUIRE_FALSE(s.description);
    }
}

TEST_CASE("faces that stay keep what the file says of them", "[mesh][refit]") {
  TriangleMeshBuilder builder("two faces");
  builder.setDeflection({0.1, 0.2});
  for (const double x : {0.0, 5.0}) {
    builder.beginSurface("face", {}, planeAt({x, 0, 0}));
    const std::uint32_t a = builder.addPoint({x, 0, 0}), b = builder.addPoint({x + 1, 0, 0.1}),
                        c = builder.addPoint({x, 1, 0});
    builder.addTriangle(a, b, c);
  }
  const TriangleMesh mesh = builder.build();
  std::vector<Vec3> points = models::deformedPoints(mesh, [](const Vec3& p) { return p; });
  // As in the source, in double precision: nothing has moved.
  points[1].z = points[4].z = 0.1;
  const TriangleMesh same = withPoints(mesh, points);
  CHECK(same.contentHash() == mesh.contentHash());
  CHECK(same.surfaces()[0].description == mesh.surfaces()[0].description);
  CHECK(same.deflection() == mesh.deflection());
  CHECK(same.validation().largestRounding == mesh.validation().largestRounding);
  points[4].z = 0.2;
  const TriangleMesh bent = withPoints(mesh, points);
  CHECK(bent.surfaces()[0].description == mesh.surfaces()[0].description);
  CHECK(bent.surfaces()[0].fingerprint == mesh.surfaces()[0].fingerprint);
  CHECK_FALSE(bent.surfaces()[1].description);
  CHECK(bent.surfaces()[1].fingerprint.kind == SurfaceKind::unknown);
  CHECK_FALSE(bent.deflection());
}

TEST_CASE("positions that are no points are refused with their number", "[mesh][refit]") {
  const MeshPtr mesh = box(1, 2, 3);
  std::vector<Vec3> points = models::deformedPoints(*mesh, [](const Vec3& p) { return p; });
  points.pop_back();
  CHECK_THROWS_WITH(withPoints(*mesh, points), Catch::Contains("positions for"));
  points.push_back({0, std::numeric_limits<double>::quiet_NaN(), 0});
  const std::string last = "point " + std::to_string(points.size() - 1);
  CHECK_THROWS_AS(withPoints(*mesh, points), InputError);
  CHECK_THROWS_WITH(withPoints(*mesh, points), Catch::Contains(last) && Catch::Contains("mesh 'box'"));
  points.back() = {0, 0, 0x1p101};
  CHECK_THROWS_AS(withPoints(*mesh, points), RangeError);
  CHECK_THROWS_WITH(withPoints(*mesh, points), Catch::Contains(last));
}

}  // namespace with_points_tests

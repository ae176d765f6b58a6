// Surfaces that are recognised from triangles alone.
#include <catch2/catch.hpp>

#include <map>
#include <random>

#include <fitup/base/error.h>
#include <fitup/mesh/analytic_surface.h>
#include <fitup/mesh/recognise.h>

#include "support/revolved_part.h"

namespace recognise_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

RevolvedPart manyShapes() {
  return {{0, 0},
          {{{5, 0}},
           {{6, 1}},
           {{6, 18}},
           {{8, 20}, ProfilePoint{8, 18}},
           {{12, 20}},
           {{9, 25}},
           {{9, 30}},
           {{0, 39}, ProfilePoint{0, 30}}}};
}

TriangleMesh without(const TriangleMesh& mesh, const Transform& at, double noise, std::mt19937& random) {
  std::vector<Vec3> points;
  std::uniform_real_distribution<double> off(-noise, noise);
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    points.push_back(at.apply(mesh.pointInPart(i)) + Vec3{off(random), off(random), off(random)});
  TriangleMesh::Data data = withPoints(mesh, points).data();
  data.deflection.reset();
  for (Surface& surface : data.surfaces) {
    surface.description.reset();
    surface.chordError.reset();
  }
  return TriangleMesh(std::move(data));
}

}  // namespace

TEST_CASE("planes, cylinders, cones and spheres are recognised, wherever they are", "[mesh]") {
  std::mt19937 random(31);
  std::map<SurfaceKind, int> seen;
  for (int k = 0; k < 20; ++k) {
    const TriangleMesh exact = manyShapes().mesh(0.05, 0.1 * k);
    const double turn = 0.3 * k;
    const Transform at = Transform::translation({10.0 * k, -5, 3}) * Transform::rotation({1, 2, 3}, turn);
    const TriangleMesh mesh = without(exact, at, 0, random);
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      const SurfaceDescription& meant = *exact.surfaces()[s].description;
      const auto found = recogniseSurface(mesh, SurfaceId{s}, 1e-4);
      CAPTURE(k, s, name(meant.kind));
      if (meant.kind == SurfaceKind::torus) {
        CHECK_FALSE(found);
        continue;
      }
      REQUIRE(found);
      REQUIRE(found->kind == meant.kind);
      ++seen[meant.kind];
      const auto surface = AnalyticSurface::of(*found);
      for (int i = 0; i < 20; ++i) {
        const Vec3 on = manyShapes().point(s, (i + 0.5) / 20, 0.3 * i);
        CHECK(std::abs(surface->distance(at.apply(on))) < 2e-4);
      }
    }
    // Points that are off are not on a surface.
    const TriangleMesh noisy = without(exact, at, 0.01, random);
    CHECK_FALSE(recogniseSurface(noisy, SurfaceId{2}, 1e-4));
    CHECK(recogniseSurface(noisy, SurfaceId{2}, 0.03));
  }
  CHECK(seen.size() == 4);
}

TEST_CASE("a mesh of recognised surfaces has their chord errors", "[mesh]") {
  std::mt19937 random(33);
  const TriangleMesh exact = manyShapes().mesh(0.05);
  const RecognisedMesh found = withRecognisedSurfaces(without(exact, {}, 0, random), 1e-4);
  CHECK(found.recognised == exact.surfaces().size() - 1);
  for (std::uint32_t s = 0; s < exact.surfaces().size(); ++s) {
    const SurfaceId id{s};
    CAPTURE(s);
    if (!found.mesh->surfaces()[s].description) {
      CHECK(*found.mesh->chordErrorOf(id) < 0.06);  // of the edges beside it
      continue;
    }
    CHECK(*found.mesh->chordErrorOf(id) <= 2 * *exact.chordErrorOf(id) + 2e-4);
    CHECK(*found.mesh->chordErrorOf(id) >= 0.3 * *exact.chordErrorOf(id));
  }
  CHECK(found.mesh->deflection());
  CHECK_THROWS_AS(withRecognisedSurfaces(exact, 0), InputError);
}

TEST_CASE("surfaces at an open border are not taken for exact shapes", "[mesh]") {
  std::mt19937 random(35);
  TriangleMesh::Data data = without(shaft(10, 0, 30).mesh(0.2), {}, 0, random).data();
  // The top is left out; nothing says how far the mantle reaches.
  std::vector<TriangleIndices> triangles(data.triangles.span().begin(), data.triangles.span().end());
  std::vector<std::uint32_t> sources(data.sourceTriangles.span().begin(), data.sourceTriangles.span().end());
  triangles.resize(data.surfaces[2].firstTriangle);
  sources.resize(triangles.size());
  data.triangles = SharedArray(std::move(triangles));
  data.sourceTriangles = SharedArray(std::move(sources));
  data.surfaces[2].triangleCount = 0;
  const RecognisedMesh found = withRecognisedSurfaces(TriangleMesh(std::move(data)), 1e-4);
  CHECK(found.recognised == 1);
  CHECK(found.mesh->surfaces()[0].description->kind == SurfaceKind::plane);
  CHECK_FALSE(found.mesh->surfaces()[1].description);
  CHECK(*found.mesh->chordErrorOf(SurfaceId(1)) == 0);
  CHECK(found.mesh->deflection()->linear < 0.3);
}

}  // namespace recognise_tests

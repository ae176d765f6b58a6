#include <memory>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>
#include <models/angle.h>
#include <models/crossed_rods.h>
#include <models/fan.h>
#include <models/grid.h>
#include <models/pins.h>
#include <models/placements.h>
#include <models/plate.h>
#include <models/rod_bundle.h>
#include <models/sphere.h>
#include <models/torus.h>
#include <models/wrinkled.h>
#include <catch2/catch.hpp>

#include "support/closed_mesh.h"

namespace generated_meshes_tests {

using namespace fitup;
using fitup::test::closed;

namespace {

std::size_t pairsOf(const Assembly& assembly) {
  const auto nodes = assembly.instances();
  const auto a = CollisionModel::build(assembly.sharedPart(assembly.partOf(nodes[0])));
  const auto b = CollisionModel::build(assembly.sharedPart(assembly.partOf(nodes[1])));
  IntersectionRequest all;
  all.mode = QueryMode::allTrianglePairs;
  return intersect({a, assembly.worldFromNode(nodes[0])}, {b, assembly.worldFromNode(nodes[1])}, all)
      .trianglePairs.size();
}

}  // namespace

TEST_CASE("sines and cosines of turns", "[models]") {
  CHECK(models::cosTurns(0) == 1);
  CHECK(models::cosTurns(0.25) == 0);
  CHECK(models::cosTurns(-0.5) == -1);
  CHECK(models::sinTurns(0.25) == 1);
  CHECK(models::sinTurns(3.75) == -1);
  for (int i = -1000; i < 1000; ++i) {
    const double t = i * 0.00137;
    CHECK(std::abs(models::cosTurns(t) - std::cos(t * 2 * 3.141592653589793)) < 2e-15);
    CHECK(std::abs(models::sinTurns(t) - std::sin(t * 2 * 3.141592653589793)) < 2e-15);
  }
}

TEST_CASE("the grid is one soup surface of 414,720 triangles", "[models]") {
  const TriangleMesh grid = models::makeGrid();
  CHECK(grid.triangleCount() == 414720);
  CHECK(models::GridOptions{}.triangleCount() == 414720);
  CHECK(grid.surfaces().size() == 1);
  CHECK(grid.validation().degenerateTriangles == 0);
  CHECK(closed(grid));
  CHECK(grid.contentHash() == 0x11d27058b5ec63edULL);
}

TEST_CASE("tori have the wanted counts and patches", "[models]") {
  CHECK(models::makeTorus(models::smallTorus()).triangleCount() == 5000);
  models::TorusOptions large = models::largeTorus();
  large.patchesAround = 16;
  large.patchesAcross = 8;
  const TriangleMesh torus = models::makeTorus(large);
  CHECK(torus.triangleCount() == 100000);
  CHECK(torus.surfaces().size() == 128);
  CHECK(closed(torus));
  CHECK(models::makeTorus().contentHash() == 0xe2470212e7bcaf11ULL);
}

TEST_CASE("concentric spheres have equal tessellations and do not touch", "[models]") {
  const Assembly spheres = models::makeConcentricSpheres(0.01);
  REQUIRE(spheres.partCount() == 2);
  const TriangleMesh &inner = spheres.part(PartId(0)), &outer = spheres.part(PartId(1));
  CHECK(inner.triangleCount() == 32000);
  CHECK(closed(inner));
  CHECK(std::equal(inner.triangles().begin(), inner.triangles().end(), outer.triangles().begin(),
                   outer.triangles().end()));
  for (const Point3f& p : outer.points()) CHECK(std::abs(norm(toVec3(p)) - 1.01) < 1e-6);
  CHECK(pairsOf(spheres) == 0);
  CHECK(models::makeSphere({1, 3, true}).surfaces().size() == 20);
  CHECK(inner.contentHash() == 0x0f98d7a463e63978ULL);
}

TEST_CASE("the wrinkled pair overlaps deeply", "[models]") {
  const Assembly pair = models::makeWrinkledPair();
  CHECK(pair.partCount() == 1);
  CHECK(pair.part(PartId(0)).triangleCount() == 100000);
  CHECK(closed(pair.part(PartId(0))));
  CHECK(pairsOf(pair) == 6874);
  CHECK(pair.contentHash() == 0xe41eea51dafe5742ULL);
}

TEST_CASE("crossed rods intersect in eight pairs of faces at each crossing", "[models]") {
  const Assembly rods = models::makeCrossedRods({.rods = 7});
  REQUIRE(rods.partCount() == 2);
  for (std::uint32_t i = 0; i < 2; ++i) CHECK(closed(rods.part(PartId{i})));
  const auto nodes = rods.instances();
  const auto a = CollisionModel::build(rods.sharedPart(PartId{0})),
             b = CollisionModel::build(rods.sharedPart(PartId{1}));
  IntersectionRequest surfaces;
  surfaces.mode = QueryMode::allSurfacePairs;
  CHECK(intersect({a, rods.worldFromNode(nodes[0])}, {b, rods.worldFromNode(nodes[1])}, surfaces)
            .surfacePairs.size() == 8 * 7 * 7);
}

TEST_CASE("the bars of a grid are surfaces if wanted", "[models]") {
  const TriangleMesh grid = models::makeGrid({.bars = 3, .cells = 1, .barsAsSurfaces = true});
  CHECK(grid.surfaces().size() == 27);
  CHECK(grid.triangleCount() == 27 * 12);
}

TEST_CASE("plates are closed and exactly flat, also inclined", "[models]") {
  models::PlateOptions options;
  options.along = 7;
  options.across = 5;
  options.jitter = 0.25;
  const TriangleMesh plate = models::makePlate(options);
  CHECK(plate.triangleCount() == options.triangleCount());
  CHECK(plate.surfaces().size() == 6);
  CHECK(closed(plate));
  options.inclined = true;
  const TriangleMesh inclined = models::makePlate(options);
  CHECK(closed(inclined));
  CHECK(inclined.validation().largestRounding == 0);
  std::size_t lower = 0, upper = 0;
  for (std::uint32_t i = 0; i < inclined.points().size(); ++i) {
    const Vec3 p = inclined.pointInPart(i);
    const double fiveTimesHeight = 4 * p.z - 3 * p.y;
    lower += fiveTimesHeight == 0 ? 1 : 0;
    upper += fiveTimesHeight == 5 * options.size.z ? 1 : 0;
  }
  CHECK(lower == 8 * 6);
  CHECK(upper == 8 * 6);
  CHECK(plate.contentHash() == 0x9907c7cd0bca3e38ULL);
  CHECK(inclined.contentHash() == 0xfc68b30dc3920b8fULL);
}

TEST_CASE("rods, fans, pins and graded plates are closed and have the counts that they tell", "[models]") {
  const models::RodBundleOptions rods{.perLayer = 3, .layers = 2, .sides = 5};
  const TriangleMesh bundle = models::makeRodBundle(rods);
  CHECK(bundle.triangleCount() == rods.triangleCount());
  CHECK(bundle.surfaces().size() == 3 * 6);
  CHECK(closed(bundle));
  CHECK(bundle.contentHash() == 0x39263012cfc0d3bbULL);

  const TriangleMesh fan = models::makeFan();
  CHECK(fan.triangleCount() == models::FanOptions{}.triangleCount());
  CHECK(closed(fan));
  CHECK(norm(fan.pointInPart(0)) == 0);
  CHECK(fan.contentHash() == 0x4dff35a98ac45fe2ULL);

  const TriangleMesh pins = models::makePins();
  CHECK(pins.triangleCount() == models::PinsOptions{}.triangleCount());
  CHECK(pins.surfaces().size() == 1 + 3 * 16);
  CHECK(closed(pins));
  CHECK(pins.contentHash() == 0xa7c47171fc6405afULL);

  const TriangleMesh graded = models::makeGradedPlate();
  CHECK(graded.triangleCount() == models::GradedPlateOptions{}.triangleCount());
  CHECK(closed(graded));
  CHECK(graded.contentHash() == 0x5ec46da59ee0fd83ULL);

  const TriangleMesh turned = models::turnedMesh(fan, models::rotationByTurns({1, 0, 0}, 0.25));
  CHECK(turned.surfaces().size() == 2);
  CHECK(turned.boundsInPart().max.y == Approx(200));
}

}  // namespace generated_meshes_tests

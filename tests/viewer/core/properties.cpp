// Tests what the properties panel reports: facts of parts, of selections, of faces in their placements.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include <fitup/base/error.h>
#include <viewer/core/placed_surface.h>
#include <viewer/core/selection_facts.h>
#include <viewer/core/solid_facts.h>

#include "viewer/core/row_of_cubes.h"

namespace properties_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

void checkNear(const Vec3& found, const Vec3& expected, double margin = 1e-9) {
  CAPTURE(found.x, found.y, found.z);
  CHECK(norm(found - expected) <= margin);
}

const Transform eighthTurn =
    Transform::translation({10, 0, 0}) * Transform::rotation({0, 0, 1}, std::numbers::pi / 4);

}  // namespace

TEST_CASE("facts of a part: area, volume and its box as it is turned", "[viewer]") {
  SolidFactsFinder finder;
  const MeshPtr box = sixSidedBox(2, 2, 4);
  const auto facts = finder.find({{box, eighthTurn}});
  REQUIRE(facts);
  CHECK(facts->area == Approx(8 + 32));
  REQUIRE(facts->volume);
  CHECK(*facts->volume == Approx(16));
  CHECK(facts->watertightness == "closed");
  checkNear(facts->bounds.max, {10 + std::sqrt(2.0), std::sqrt(2.0), 2}, 1e-6);
  checkNear(facts->bounds.min, {10 - std::sqrt(2.0), -std::sqrt(2.0), -2}, 1e-6);

  const auto scaled = finder.find({{box, Transform::scaling(3, 1, 1)}});
  CHECK(scaled->area == Approx(2 * (6 * 2 + 6 * 4 + 2 * 4)));
  CHECK(*scaled->volume == Approx(48));
  const auto mirrored = finder.find({{box, Transform::scaling(-1, 1, 1)}});
  CHECK(mirrored->area == Approx(40));
  CHECK(*mirrored->volume == Approx(16));
}

TEST_CASE("parts together: sums, and no volume unless all are closed", "[viewer]") {
  SolidFactsFinder finder;
  const MeshPtr cube = sixSidedBox(1, 1, 1), sheet = flatSheet(2, 2);
  const auto two = finder.find({{cube, {}}, {cube, Transform::translation({0, 5, 0})}});
  CHECK(two->parts == 2);
  CHECK(two->closedParts == 2);
  CHECK(*two->volume == Approx(2));
  CHECK(two->area == Approx(12));
  CHECK(two->bounds.max.y == 5.5);
  const auto open = finder.find({{cube, {}}, {sheet, {}}});
  CHECK(open->closedParts == 1);
  CHECK_FALSE(open->volume);
  const auto alone = finder.find({{sheet, {}}});
  CHECK_FALSE(alone->volume);
  CHECK(alone->watertightness.find("open") == 0);
  std::stop_source stop;
  stop.request_stop();
  CHECK_FALSE(finder.find({{cube, {}}}, Progress(stop.get_token())));
}

TEST_CASE("a selection is the subassembly that it is all of", "[viewer]") {
  const Model model = rowOfCubes(3);
  const Assembly& assembly = model.assembly;
  const CollisionModels models = buildCollisionModels(assembly);
  const auto cube = [&](int i) { return assembly.at("row/cube-" + std::to_string(i)); };
  const SelectionFacts one = factsOf(Scene(assembly, models), {cube(1)});
  CHECK(one.node == cube(1));
  CHECK(one.surfaces == 6);
  CHECK(one.triangles == 12);
  CHECK(one.hierarchyBytes == models[0]->hierarchyBytes());
  CHECK_FALSE(factsOf(Scene(assembly, models), {cube(0), cube(1)}).node);
  const SelectionFacts all = factsOf(Scene(assembly, models), {cube(0), cube(1), cube(2)});
  CHECK(all.node == assembly.at("row"));
  CHECK(all.instances == 3);
  CHECK(all.distinctParts == 1);
  CHECK(all.triangles == 36);
  CHECK(all.hierarchyBytes == one.hierarchyBytes);
  CHECK(factsOf(Scene(assembly, models), {}).instances == 0);
}

TEST_CASE("a face where it stands: shape, normal outward, area", "[viewer]") {
  const MeshPtr box = sixSidedBox(2, 4, 6);
  const SurfaceId right{1};
  const PlacedSurface turned = placedSurface(*box, right, eighthTurn);
  REQUIRE(turned.shape);
  CHECK(turned.shape->kind == SurfaceKind::plane);
  CHECK(turned.recognised);
  checkNear(turned.shape->axis, {std::sqrt(0.5), std::sqrt(0.5), 0});
  checkNear(turned.centroid, eighthTurn.apply({1, 0, 0}));
  CHECK(turned.area == Approx(24));
  // A mirrored part keeps its outside.
  checkNear(placedSurface(*box, right, Transform::scaling(-1, 1, 1)).shape->axis, {-1, 0, 0});
  // A scale that shears the plane: the normal is transformed by the inverse.
  const Transform squeezed =
      Transform::scaling(2, 1, 1) * Transform::rotation({0, 0, 1}, std::numbers::pi / 4);
  checkNear(placedSurface(*box, right, squeezed).shape->axis, normalized(Vec3{1, 2, 0}));
  CHECK_THROWS_AS(placedSurface(*box, SurfaceId{6}, {}), InputError);

  const MeshPtr pin = cylinder(3, 10, 64);
  const Transform lying =
      Transform::translation({1, 2, 3}) * Transform::rotation({0, 1, 0}, std::numbers::pi / 2);
  const PlacedSurface mantle = placedSurface(*pin, SurfaceId{0}, lying);
  REQUIRE(mantle.shape);
  CHECK(mantle.shape->kind == SurfaceKind::cylinder);
  CHECK(mantle.shape->radius == Approx(3).epsilon(1e-3));
  CHECK(std::abs(mantle.shape->axis.x) == Approx(1));
  CHECK(mantle.shape->point.y == Approx(2));
  CHECK(mantle.shape->point.z == Approx(3));
  CHECK(placedSurface(*pin, SurfaceId{0}, Transform::scaling(2, 2, 2)).shape->radius ==
        Approx(6).epsilon(1e-3));
  CHECK(placedSurface(*pin, SurfaceId{0}, Transform::scaling(1, 1, 2)).shape->radius ==
        Approx(3).epsilon(1e-3));
  CHECK_FALSE(placedSurface(*pin, SurfaceId{0}, Transform::scaling(2, 1, 1)).shape);
  CHECK(placedSurface(*icosphere(1, 2), SurfaceId{0}, {}).shape->kind == SurfaceKind::sphere);
}

}  // namespace properties_tests

#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup/scene/scene.h>

#include "slide_margins.h"
#include "slide_tasks.h"
#include "support/tiny_meshes.h"

namespace test_slides {

using namespace fitup;
using namespace fitup::test;

namespace {

NodeId addBox(Assembly& assembly, const std::string& name, const MeshPtr& mesh, const Vec3& at) {
  return assembly.addNode(name, Transform::translation(at), {}, assembly.addPart(mesh));
}

}  // namespace

TEST_CASE("margins of slides are limits less depths", "[benchmarks][slide]") {
  Assembly assembly;
  const NodeId moved = addBox(assembly, "moved", sixSidedBox(2, 2, 2), {});
  addBox(assembly, "beside", sixSidedBox(2, 2, 2), {0, 3, 0});
  addBox(assembly, "wall", sixSidedBox(2, 20, 20), {5, 0, 0});
  // This one overlaps by 0.3 at the start, and so may overlap by half a tolerance more.
  addBox(assembly, "below", sixSidedBox(2, 2, 2), {0, 0, -1.7});
  const fitup::Scene scene(assembly);
  const bench::SlideMargins margins(scene, {moved}, 0.2);
  const auto at = [&](const Vec3& shift) { return margins.at({{}, shift}); };
  CHECK(at({0, 0, 5}).resting == std::nullopt);
  CHECK(at({0, 0, 0}).margin == Approx(0.1).margin(0.01));
  CHECK(at({3.1, 0, 5}).margin == Approx(0.1).margin(0.01));
  CHECK(at({3.19, 0, 5}).margin == Approx(0.01).margin(0.004));
  const bench::SlideMargins::Margin tooDeep = at({3.3, 0, 5});
  CHECK(tooDeep.margin == Approx(-0.1).margin(0.01));
  REQUIRE(tooDeep.resting);
  CHECK(scene.paths()[scene.positionOf(*tooDeep.resting)] == "wall");
  CHECK(at({0, 0, -0.2}).margin == Approx(-0.1).margin(0.01));
  CHECK(margins.toleranceWith(*tooDeep.resting) == 0.2);
}

TEST_CASE("tasks of slides are found by the name of the model", "[benchmarks][slide]") {
  const bench::SlideModel plant = bench::slideModel("plant");
  REQUIRE(plant.tasks.size() == 1);
  CHECK(plant.tasks[0].way.size() == 218);
  CHECK(plant.assembly.find(plant.tasks[0].instances.at(0)));
  CHECK(plant.tasks[0].positionNoise > 1);
  CHECK(plant.tolerance == 0.1);
  CHECK_THROWS_AS(bench::slideModel("folder/nothing.stp"), InputError);
}

}  // namespace test_slides

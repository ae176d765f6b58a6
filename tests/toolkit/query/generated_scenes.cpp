// Compares queries on the project's own models with the sort-and-sweep oracle: every mode, setting, order of
// arguments and form of code. Large scenes use sampled poses.
#include <algorithm>

#include <catch2/catch.hpp>

#include <fitup/motion/replay.h>
#include <fitup/query/intersect.h>
#include <models/grid.h>
#include <models/mesh_distance.h>
#include <models/placements.h>
#include <models/process_plant.h>
#include <models/sphere.h>
#include <models/torus.h>
#include <models/wrinkled.h>

#include "support/effort.h"
#include "support/report_checks.h"
#include "support/sweep_oracle.h"
#include "support/tiny_meshes.h"

namespace generated_scenes_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Adds the number of pairs that the oracle finds, so that a test can check that its poses are meaningful.
std::string problemAt(const PosedModel& first, const PosedModel& second, std::size_t& found) {
  const IntersectionReport all = sweepOracle(first, second);
  found += all.trianglePairs.size();
  return problemInAnySetting(first, second, Touching::include, all, false);
}

ModelPtr modelOfMesh(TriangleMesh mesh) {
  return modelOf(std::make_shared<const TriangleMesh>(std::move(mesh)));
}

}  // namespace

TEST_CASE("process plant: sampled steps equal the oracle's", "[query][oracle][generated]") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels collisionModels = buildCollisionModels(plant, withScd());
  const Track track = models::makeSpoolTrack(plant);
  const NodeId spool = resolve(track, plant).front().node;
  const auto posed = [&](NodeId node, const Transform& worldFromPart) {
    return PosedModel{collisionModels[index(plant.partOf(node))], worldFromPart};
  };
  std::size_t found = 0;
  for (std::size_t step = 0; step < track.steps.size(); step += 29) {
    const Transform worldFromSpool = track.steps[step].front().transform() * plant.worldFromNode(spool);
    for (NodeId node : plant.instances()) {
      if (node == spool) continue;
      INFO("step " << step << ", " << plant.path(node));
      CHECK(problemAt(posed(node, plant.worldFromNode(node)), posed(spool, worldFromSpool), found) == "");
    }
  }
  CHECK(found > 500);
}

TEST_CASE("tori: random placements equal the oracle's", "[query][oracle][generated]") {
  std::size_t found = 0;
  for (const auto& [options, count] :
       {std::pair{models::smallTorus(), 24}, std::pair{models::largeTorus(), 2}}) {
    models::TorusOptions patched = options;
    patched.patchesAround = 10;
    patched.patchesAcross = 5;
    const ModelPtr torus = modelOfMesh(models::makeTorus(patched));
    for (const Transform& placement : models::randomPlacements(static_cast<std::size_t>(count), 2.5, 5))
      CHECK(problemAt({torus, {}}, {torus, placement}, found) == "");
  }
  CHECK(found > 5000);
}

TEST_CASE("concentric spheres have no pairs, shifted ones have the oracle's",
          "[query][oracle][generated][large]") {
  for (double gap : effort(std::vector{0.01}, std::vector{0.1, 0.01, 0.003})) {
    const Assembly spheres = models::makeConcentricSpheres(gap);
    const CollisionModels m = buildCollisionModels(spheres, withScd());
    const Transform shifted = Transform::translation({1.5 * gap, 0, 0});
    std::size_t none = 0, some = 0;
    CHECK(problemAt({m[0], {}}, {m.back(), {}}, none) == "");
    CHECK(problemAt({m[0], {}}, {m.back(), shifted}, some) == "");
    CHECK(none == 0);
    CHECK(some > 0);
  }
}

TEST_CASE("a first pair that takes a long search is one of the oracle's", "[query][oracle][generated]") {
  const TriangleMesh sphere = models::makeSphere();
  const ModelPtr outer = modelOfMesh(models::makeSphere({1.003}));
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < sphere.points().size(); ++i) points.push_back(sphere.pointInPart(i));
  std::size_t late = 0;
  for (std::size_t k = 0; k < 12; ++k) {
    // One point protrudes by less than the overlap of triangle boxes elsewhere.
    std::vector<Vec3> moved = points;
    Vec3& top = moved[k * (points.size() / 12)];
    top = 1.0035 * top;
    const ModelPtr inner = modelOfMesh(withPoints(sphere, moved));
    const PosedModel a{inner, {}}, b{outer, Transform::translation({0, 0, 1e-4})};
    const std::vector<TrianglePair> all = sweepOracle(a, b).trianglePairs;
    REQUIRE_FALSE(all.empty());
    IntersectionRequest request;
    request.mode = QueryMode::firstSurfacePair;
    for (const VectorUse vectorUse : {VectorUse::best, VectorUse::scalar}) {
      request.vectorUse = vectorUse;
      const IntersectionReport found = intersect(a, b, request);
      REQUIRE(found.trianglePairs.size() == 1);
      CHECK(std::ranges::binary_search(all, found.trianglePairs.front()));
      late += found.stats.boxTests > 75'000;  // more than 500 pairs of nodes
    }
  }
  CHECK(late > 4);
}

TEST_CASE("wrinkled pair equals the oracle's", "[query][oracle][generated][large]") {
  const Assembly pair = models::makeWrinkledPair();
  const CollisionModels m = buildCollisionModels(pair, withScd());
  const std::vector<NodeId> instances = pair.instances();
  std::size_t found = 0;
  CHECK(problemAt({m[index(pair.partOf(instances[0]))], pair.worldFromNode(instances[0])},
                  {m[index(pair.partOf(instances[1]))], pair.worldFromNode(instances[1])}, found) == "");
  CHECK(found == 6874);
}

TEST_CASE("grids in each other and almost touching equal the oracle's", "[query][oracle][generated][large]") {
  models::GridOptions options;
  options.cells = effort(15, options.cells);
  const ModelPtr grid = modelOfMesh(models::makeGrid(options));
  const Box bounds = grid->mesh().boundsInPart();
  const models::MeshDistance distance(grid->mesh(), {}, grid->mesh());
  struct Scene {
    Transform pose;
    bool clear;
  };
  std::vector<Scene> scenes;
  for (const bool clear : {true, false})
    for (const Transform& pose : models::entwinedGridPoses(options, 1, clear, 3))
      scenes.push_back({pose, clear});
  for (const models::DistancePose& pose : models::distancePoses(
           bounds, bounds, [&](const Transform& t) { return distance(t); }, {0.0}, 2, 11))
    scenes.push_back({pose.worldFromB, true});

  for (const Scene& scene : scenes) {
    const PosedModel first{grid, {}}, second{grid, scene.pose};
    const IntersectionReport all = sweepOracle(first, second);
    CHECK(all.trianglePairs.empty() == scene.clear);
    // Without a filter, all triangles (414,720 of a whole grid) are transformed in every query, so only the
    // two settings with a filter are tested.
    for (const OverlapBoxSetting setting : {OverlapBoxSetting::on, OverlapBoxSetting::classical})
      for (const QueryMode mode :
           {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs}) {
        IntersectionRequest request;
        request.mode = mode;
        request.overlapBox = setting;
        INFO("clear " << scene.clear << ", overlap box " << name(setting) << ", " << name(mode));
        CHECK(problemOf(intersect(first, second, request), mode, all, grid->mesh(), grid->mesh()) == "");
      }
  }
}

}  // namespace generated_scenes_tests

#include <catch2/catch.hpp>

#include <models/grid.h>
#include <models/placements.h>
#include <models/process_plant.h>
#include <models/sphere.h>
#include <models/substitutes.h>
#include <models/torus.h>
#include <models/wrinkled.h>

#include "support/all_kinds.h"

namespace all_kinds_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using MeshPtr = std::shared_ptr<const TriangleMesh>;
using ModelPtr = std::shared_ptr<const CollisionModel>;
MeshPtr shared(TriangleMesh mesh) { return std::make_shared<const TriangleMesh>(std::move(mesh)); }
ModelPtr built(const MeshPtr& mesh) { return CollisionModel::build(mesh, everyKind()); }

/// Checks one part against another one at each placement.
void checkPair(const MeshPtr& a, const MeshPtr& b, const std::vector<Transform>& poses,
               std::size_t leastHits) {
  const ModelPtr first = built(a), second = a == b ? first : built(b);
  std::size_t hits = 0;
  for (const Transform& pose : poses) {
    REQUIRE(problemOfKinds({first, {}}, {second, pose}, hits) == "");
  }
  CHECK(hits >= leastHits);
}

void checkPlant(std::size_t everyStep) {
  const Assembly plant = models::makeProcessPlant();
  const Track track = models::makeSpoolTrack(plant);
  const NodeId spool = plant.at(models::spoolPath);
  std::vector<ModelPtr> models;
  for (std::uint32_t i = 0; i < plant.partCount(); ++i) models.push_back(built(plant.sharedPart(PartId{i})));
  const auto posed = [&](NodeId node, const Transform& world) {
    return PosedModel{models[index(plant.partOf(node))], world};
  };
  std::size_t hits = 0;
  for (std::size_t k = 0; k < track.steps.size(); k += everyStep)
    for (const NodeId other : plant.instances()) {
      if (other == spool) continue;
      const Transform world = track.steps[k][0].transform() * plant.worldFromNode(spool);
      INFO("step " << k << ", " << plant.path(other));
      REQUIRE(problemOfKinds(posed(spool, world), posed(other, plant.worldFromNode(other)), hits) == "");
    }
  CHECK(hits > 300 / everyStep / 2);
}

void checkScenes(std::size_t tori, bool large) {
  const MeshPtr torus = shared(models::makeTorus(models::smallTorus()));
  checkPair(torus, torus, models::randomPlacements(tori, 2.8, 1), tori / 3);

  models::SphereOptions inner;
  inner.frequency = large ? 40 : 12;
  for (const double gap : {0.1, 0.01}) {
    models::SphereOptions outer = inner;
    outer.radius = 1 + gap;
    checkPair(shared(models::makeSphere(inner)), shared(models::makeSphere(outer)),
              {Transform{}, Transform::translation({0.5 * gap, 0.7 * gap, gap})}, 1);
  }

  models::GridOptions lattice;
  if (!large) {
    lattice.bars = 5;
    lattice.cells = 15;
  }
  const MeshPtr grid = shared(models::makeGrid(lattice));
  auto entwined = models::entwinedGridPoses(lattice, large ? 1 : 3, false, 3);
  for (const Transform& clear : models::entwinedGridPoses(lattice, 1, true, 3)) entwined.push_back(clear);
  checkPair(grid, grid, entwined, 1);

  models::TorusOptions wrinkled = models::wrinkledTorus();
  if (!large) wrinkled.around = wrinkled.across = 60;
  const Assembly pair = models::makeWrinkledPair(wrinkled);
  const std::vector<NodeId> both = pair.instances();
  checkPair(pair.sharedPart(PartId{0}), pair.sharedPart(PartId{0}),
            {pair.worldFromNode(both[0]).inverse() * pair.worldFromNode(both[1])}, 1);
}

}  // namespace

TEST_CASE("all kinds of hierarchy report the same: steps of the plant", "[query][trees][plant]") {
  checkPlant(16);
}

TEST_CASE("all kinds of hierarchy report the same: tori, spheres, lattices, wrinkled tori",
          "[query][trees]") {
  checkScenes(40, false);
}

TEST_CASE("all kinds of hierarchy report the same: all steps, 2,000 tori, full sizes, pipes and landscape",
          "[.][query][trees][large]") {
  checkPlant(1);
  checkScenes(2000, true);
  const auto spread = [](const std::vector<Transform>& track, std::size_t count) {
    std::vector<Transform> chosen;
    for (std::size_t k = 0; k < count; ++k) chosen.push_back(track[k * track.size() / count]);
    return chosen;
  };
  checkPair(shared(models::makePipes()), shared(models::makePipes(1 / 15.0)),
            spread(models::pipesTrack(), 60), 5);
  checkPair(shared(models::makeLandscape()), shared(models::makeRing()), spread(models::ringTrack(), 60), 5);
}

}  // namespace all_kinds_tests

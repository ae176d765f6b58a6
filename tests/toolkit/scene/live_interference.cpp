#include <catch2/catch.hpp>

#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/scene/live_interference.h>

#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace live_interference_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Returns the placement of every instance in the live check.
Poses posesOf(const LiveInterference& live, const Assembly& assembly) {
  Poses poses;
  for (const NodeId node : assembly.instances()) poses.set(node, live.worldFromPart(node));
  return poses;
}

/// Boxes far from rounding: unit cubes as roots, so that placements are kept bit by bit.
struct Cubes {
  Assembly assembly{"cubes"};
  CollisionModels models;

  explicit Cubes(int count) {
    const PartId part = assembly.addPart(withTriangles());
    Random random(3);
    for (int i = 0; i < count; ++i)
      assembly.addNode("c" + std::to_string(i % 4), Transform::translation(random.inCube(2)), {}, part);
    models = buildCollisionModels(assembly, {}, {}, 1);
  }
  static MeshPtr withTriangles() { return sixSidedBox(1, 1, 1, 2); }
};

}  // namespace

TEST_CASE("a live check equals a full one after every move", "[scene][live]") {
  for (const unsigned threads : {1U, 3U})
    for (int variant = 0; variant < 3; ++variant) {
      Cubes cubes(14);
      InterferenceOptions options;
      options.threads = threads;
      if (variant == 1) {
        options.rules.rules = {{"c0*", "c1*", "", RuleAction::ignore},
                               {"c2*", "*", "", RuleAction::allowContact}};
        options.rules.check = CheckSets{{"c0*", "c2*"}, {"*"}};
      }
      if (variant == 2) options.verdict = VerdictOptions{.tolerance = 0.05, .clearPairs = true};
      LiveInterference live(Scene(cubes.assembly, cubes.models), {}, options);
      REQUIRE(differenceOfWhole(live.report(),
                                checkAllPairs(Scene(cubes.assembly, cubes.models), {}, options)) == "");
      Random random(77);
      const std::vector<NodeId> instances = cubes.assembly.instances();
      std::size_t hits = 0;
      for (int step = 0; step < (variant == 2 ? 5 : 12); ++step) {
        Poses moves;
        for (std::uint32_t k = 0; k <= random.below(3); ++k) {
          const Quaternion turn = randomRotation(random);
          moves.set(instances[random.below(14)], Transform::rigid(turn, random.inCube(2)));
        }
        const InterferenceReport& report = live.move(moves);
        REQUIRE(differenceOfWhole(report, checkAllPairs(Scene(cubes.assembly, cubes.models),
                                                        posesOf(live, cubes.assembly), options)) == "");
        hits += report.pairs.size();
      }
      CHECK(hits > 0);
    }
}

TEST_CASE("a live check goes to poses: what they do not have stands as designed again", "[scene][live]") {
  const Cubes cubes(10);
  const Scene scene(cubes.assembly, cubes.models);
  LiveInterference live(scene, {{scene.instances()[2], Transform::translation({1, 1, 0})}});
  Random random(5);
  for (int step = 0; step < 20; ++step) {
    Poses poses;
    for (const NodeId node : scene.instances())
      if (random.below(3) == 0) poses.set(node, Transform::rigid(randomRotation(random), random.inCube(2)));
    if (step % 7 == 6) poses.clear();
    REQUIRE(differenceOfWhole(live.moveTo(poses), checkAllPairs(scene, poses)) == "");
    for (const NodeId node : scene.instances())
      CHECK(live.worldFromPart(node) == scene.worldFromPart(node, poses));
  }
}

TEST_CASE("a live check asks only about what has moved", "[scene][live]") {
  const Assembly assembly = randomAssembly(8, 30);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  LiveInterference live(Scene(assembly, models), {});
  const QueryStats all = live.report().stats;
  const InterferenceReport before = live.report();
  const NodeId one = assembly.instances()[4];
  const InterferenceReport& after = live.move({{one, assembly.worldFromNode(one)}});
  CHECK(difference(after, before) == "");
  CHECK(after.stats.triangleTests < all.triangleTests / 2);
  CHECK(live.move({}).stats.triangleTests == 0);
  CHECK(difference(live.report(), before) == "");
}

TEST_CASE("a live check that was cancelled is made up for", "[scene][live][limits]") {
  const Cubes cubes(12);
  LiveInterference live(Scene(cubes.assembly, cubes.models), {});
  const InterferenceReport before = live.report();
  std::stop_source source;
  source.request_stop();
  const NodeId one = cubes.assembly.instances()[3];
  const Transform onAnother = cubes.assembly.worldFromNode(cubes.assembly.instances()[7]);
  CHECK(live.move({{one, onAnother}}, Progress(source.get_token())).status == ReportStatus::cancelled);
  CHECK(live.move({}).status == ReportStatus::complete);
  CHECK(difference(live.report(), checkAllPairs(Scene(cubes.assembly, cubes.models),
                                                posesOf(live, cubes.assembly), {})) == "");
}

TEST_CASE("a deformed part takes the place of the old one in all its instances", "[scene][refit]") {
  Cubes cubes(12);
  const PartId part = cubes.assembly.partOf(cubes.assembly.instances()[0]);
  InterferenceOptions options;
  options.request.coherence = Coherence::on;
  const InterferenceReport before = checkAllPairs(Scene(cubes.assembly, cubes.models), {}, options);
  const Assembly old = cubes.assembly;
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < old.part(part).points().size(); ++i) {
    const Vec3 p = old.part(part).pointInPart(i);
    points.push_back({p.x * (1 + p.z), p.y * (1.5 + p.z), p.z});
  }
  cubes.models[index(part)] = cubes.models[index(part)]->refit(points);
  // Until the assembly is updated, that is a model of another mesh.
  CHECK_THROWS_AS(LiveInterference(Scene(cubes.assembly, cubes.models), {}, options), InputError);
  cubes.assembly.replacePart(part, cubes.models[index(part)]->sharedMesh());
  const LiveInterference live(Scene(cubes.assembly, cubes.models), {}, options);
  const CollisionModels fresh = buildCollisionModels(cubes.assembly, {}, {}, 1);
  CHECK(difference(live.report(), checkAllPairs(Scene(cubes.assembly, fresh), {}, options)) == "");
  CHECK(difference(live.report(), before) != "");
  CHECK(live.report().intersects());
  CHECK(old.part(part).contentHash() != cubes.assembly.part(part).contentHash());
  CHECK_THROWS_AS(cubes.assembly.replacePart(part, nullptr), InputError);
}

TEST_CASE("what a live check cannot do is refused and changes nothing", "[scene][live]") {
  const Cubes cubes(4);
  InterferenceOptions options;
  options.stopAtFirstPair = true;
  CHECK_THROWS_AS(LiveInterference(Scene(cubes.assembly, cubes.models), {}, options), InputError);
  LiveInterference live(Scene(cubes.assembly, cubes.models), {});
  const InterferenceReport before = live.report();
  const NodeId one = cubes.assembly.instances()[0];
  CHECK_THROWS_AS(live.move({{one, Transform::translation({1, 0, 0})}, {NodeId{99}, {}}}), InputError);
  CHECK(live.worldFromPart(one) == cubes.assembly.worldFromNode(one));
  CHECK(difference(live.report(), before) == "");
}

}  // namespace live_interference_tests

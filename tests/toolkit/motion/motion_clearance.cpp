#include <fitup/motion/motion_clearance.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/rigid_path.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace motion_clearance_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

Scene sceneWith(const Assembly& assembly) {
  return Scene(assembly, buildCollisionModels(assembly, {}, {}, 1));
}

/// The least distance of two instances by dense sampling of all steps.
double sampled(const Scene& scene, const Track& track, NodeId a, NodeId b, int samples) {
  const Assembly& assembly = scene.assembly();
  const auto placed = [&](NodeId node, std::size_t k, double s) {
    for (std::size_t g = 0; g < track.moved.size(); ++g)
      if (assembly.path(node) == track.moved[g])
        return RigidPath(track.steps[k][g], track.steps[k + 1][g], assembly.worldBounds(node).centre(),
                         track.wayTo(k + 1, g))
                   .at(s)
                   .transform() *
               assembly.worldFromNode(node);
    return assembly.worldFromNode(node);
  };
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < track.steps.size(); ++k)
    for (int i = 0; i <= samples; ++i) {
      const double s = static_cast<double>(i) / samples;
      least = std::min(least, distance({borrowed(scene.modelOf(a)), placed(a, k, s)},
                                       {borrowed(scene.modelOf(b)), placed(b, k, s)})
                                  .distance());
    }
  return least;
}

}  // namespace

TEST_CASE("the least clearance between two steps is found, with its time, points and bound",
          "[motion][clearance]") {
  Assembly assembly("pass");
  assembly.addNode("part", at(0, 0, 0), {}, assembly.addPart(sixSidedBox(2, 2, 2)));
  const NodeId post = assembly.addNode("post", at(50, 3.25, 0), {}, assembly.addPart(sixSidedBox(1, 4, 1)));
  assembly.addNode("far", at(0, 60, 0), {}, assembly.addPart(sixSidedBox(1, 1, 1)));
  const Track track{.moved = {"part"}, .steps = {{{}}, {RigidMotion{{}, {100, 0, 0}}}}};
  MotionClearanceOptions options;
  options.resolution = 1e-4;
  const MotionClearanceReport report = motionClearance(sceneWith(assembly), {}, track, options);
  CHECK(report.status == ReportStatus::complete);
  CHECK(report.consideredPairs == 2);
  REQUIRE(report.parts.size() == 1);
  const LeastClearance& part = report.parts[0];
  CHECK(part.pair.b == post);
  CHECK(part.pair.nearest.distance == Approx(0.25).margin(1e-4));  // both are 1 and 2 wide, 3.25 apart
  CHECK(part.atLeast <= 0.25);
  CHECK(part.atLeast >= part.pair.nearest.distance - report.resolution - 1e-9);
  CHECK(part.time == Approx(0.5).margin(0.0151));  // they overlap along x for 3 of 100
  CHECK(part.pair.nearest.pointB.y == Approx(1.25));
  CHECK(part.pair.nearest.pointA.y == Approx(1));

  options.range = 0.2;
  CHECK(motionClearance(sceneWith(assembly), {}, track, options).parts.empty());
  options.range = 0.3;
  CHECK(motionClearance(sceneWith(assembly), {}, track, options).parts.size() == 1);
  options.range.reset();
  options.rules.rules = {{"part", "post", "", RuleAction::ignore}};
  const MotionClearanceReport other = motionClearance(sceneWith(assembly), {}, track, options);
  REQUIRE(other.parts.size() == 1);
  CHECK(other.parts[0].pair.nearest.distance == Approx(58.5).margin(1e-4));

  // A thin sheet that the part goes through between the steps.
  Assembly wall("wall");
  wall.addNode("part", at(0, 0, 0), {}, wall.addPart(sixSidedBox(2, 2, 2)));
  wall.addNode("sheet", at(70, 0, 0), {}, wall.addPart(sixSidedBox(0.001, 9, 9)));
  options = {};
  const MotionClearanceReport through = motionClearance(sceneWith(wall), {}, track, options);
  REQUIRE(through.parts.size() == 1);
  CHECK(through.parts[0].pair.nearest.distance <= through.resolution);
  CHECK(through.parts[0].atLeast == 0);
}

TEST_CASE("clearances along seeded motions agree with dense sampling", "[motion][clearance]") {
  int apart = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const MeshPtr shapes[] = {lShape(2, 1), icosphere(1, 1), sixSidedBox(3, 0.1, 2), cylinder(0.4, 4, 12)};
    Assembly assembly("seeded");
    std::vector<NodeId> nodes;
    for (const char* name : {"a", "b", "rest", "other"})
      nodes.push_back(assembly.addNode(name, Transform::rigid(randomRotation(random), random.inCube(5)), {},
                                       assembly.addPart(shapes[random.below(4)])));
    Track track{.moved = {"a", "b"}};
    for (int k = 0; k < 3; ++k) {
      auto& poses = track.steps.emplace_back();
      auto& ways = track.ways.emplace_back(2);
      for (std::size_t g = 0; g < 2; ++g) {
        if (k > 0 && random.below(2) == 0) {
          ways[g].turn =
              AxisTurn{random.inCube(6), random.inCube(1), random.between(-500, 500), random.between(-2, 2)};
          poses.push_back(ways[g].turn->at(1) * track.steps[static_cast<std::size_t>(k) - 1][g]);
        } else {
          const Quaternion turn = randomRotation(random);
          poses.push_back({turn, random.inCube(6)});
        }
      }
    }
    MotionClearanceOptions options;
    options.resolution = 0.02;
    const Scene scene = sceneWith(assembly);
    const MotionClearanceReport report = motionClearance(scene, {}, track, options);
    INFO("seed " << seed);
    REQUIRE(report.status == ReportStatus::complete);
    CHECK(report.consideredPairs == 5);
    REQUIRE(report.parts.size() == 2);
    for (std::size_t g = 0; g < 2; ++g) {
      const LeastClearance& part = report.parts[g];
      CHECK(part.pair.a == nodes[g]);
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t other = 0; other < 4; ++other)
        if (other != g) least = std::min(least, sampled(scene, track, nodes[g], nodes[other], 300));
      const double found = part.pair.nearest.distance;
      CHECK(part.atLeast <= least + 1e-9);               // no sample is below the bound
      CHECK(found <= least + report.resolution + 1e-9);  // and none is below what was found by more
      CHECK(found - part.atLeast <= report.resolution + 1e-9);
      // The pair is that far apart at that time.
      const auto k = std::min<std::size_t>(static_cast<std::size_t>(part.time), 1);
      const auto placed = [&](NodeId node) {
        for (std::size_t h = 0; h < 2; ++h)
          if (node == nodes[h])
            return RigidPath(track.steps[k][h], track.steps[k + 1][h], assembly.worldBounds(node).centre(),
                             track.wayTo(k + 1, h))
                       .at(part.time - static_cast<double>(k))
                       .transform() *
                   assembly.worldFromNode(node);
        return assembly.worldFromNode(node);
      };
      CHECK(distance({borrowed(scene.modelOf(part.pair.a)), placed(part.pair.a)},
                     {borrowed(scene.modelOf(part.pair.b)), placed(part.pair.b)})
                .distance() == Approx(found).margin(1e-9));
      apart += found > 0;
    }
  }
  CHECK(apart > 20);
  CHECK(apart < 115);
}

TEST_CASE("a search for clearance that is cut short says so", "[motion][clearance][limits]") {
  Assembly assembly("pass");
  assembly.addNode("part", at(0, 0, 0), {}, assembly.addPart(sixSidedBox(2, 2, 2)));
  assembly.addNode("floor", at(0, 0, -2.01), {}, assembly.addPart(sixSidedBox(400, 40, 2)));
  const Track track{.moved = {"part"}, .steps = {{{}}, {RigidMotion{{}, {100, 0, 0}}}}};
  MotionClearanceOptions options;
  options.resolution = 1e-3;
  options.maxQueries = 5;
  const MotionClearanceReport few = motionClearance(sceneWith(assembly), {}, track, options);
  CHECK(few.status == ReportStatus::truncated);
  REQUIRE(few.parts.size() == 1);
  CHECK(few.parts[0].atLeast == 0);
  std::stop_source source;
  source.request_stop();
  CHECK(motionClearance(sceneWith(assembly), {}, track, {}, Progress(source.get_token())).status ==
        ReportStatus::cancelled);
  options.range = -1;
  CHECK_THROWS_AS(motionClearance(sceneWith(assembly), {}, track, options), InputError);
  options.range.reset();
  options.resolution = std::nan("");
  CHECK_THROWS_AS(motionClearance(sceneWith(assembly), {}, track, options), InputError);
}

}  // namespace motion_clearance_tests

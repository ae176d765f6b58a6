#include <catch2/catch.hpp>

#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/motion/replay.h>
#include <fitup/motion/verify_replay.h>

#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace replay_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

RigidMotion shiftBy(double x, double y, double z) { return {{}, {x, y, z}}; }

/// Unit cubes in a row along x, each below a group of its own: "g0/cube", "g1/cube", ... at x = 0, 2, 4, ...
struct Row {
  Assembly assembly{"row"};
  std::vector<NodeId> cubes;

  explicit Row(int count) {
    const PartId part = assembly.addPart(sixSidedBox(1, 1, 1));
    for (int i = 0; i < count; ++i) {
      const NodeId group = assembly.addNode("g" + std::to_string(i), Transform::translation({2.0 * i, 0, 0}));
      cubes.push_back(assembly.addNode("cube", {}, group, part));
    }
  }
  [[nodiscard]] ReplayReport run(const Track& track, const ReplayOptions& options = {}) const {
    return replay(Scene(assembly, buildCollisionModels(assembly, {}, {}, 1)), {}, track, options);
  }
};

std::vector<std::pair<NodeId, NodeId>> pairsOf(const InterferenceReport& report) {
  std::vector<std::pair<NodeId, NodeId>> result;
  for (const PairInterference& p : report.pairs) result.emplace_back(p.a, p.b);
  return result;
}
using Pairs = std::vector<std::pair<NodeId, NodeId>>;

/// Two nodes of a random assembly, neither below the other, with random motions; in some tracks both move
/// together, about one centre.
struct RandomReplay {
  Assembly assembly;
  CollisionModels models;
  Track track;

  explicit RandomReplay(std::uint64_t seed, std::size_t steps, bool alike = false)
      : assembly(randomAssembly(seed, 12)) {
    models = buildCollisionModels(assembly, {}, {}, 1);
    Random random(seed);
    const auto count = static_cast<std::uint32_t>(assembly.nodes().size());
    NodeId first{}, second{};
    do {
      first = NodeId{random.below(count)};
      second = NodeId{random.below(count)};
    } while (assembly.isAtOrBelow(first, second) || assembly.isAtOrBelow(second, first));
    track.moved = {assembly.path(first), assembly.path(second)};
    for (std::size_t k = 0; k < steps; ++k) {
      const Quaternion turn = randomRotation(random), otherTurn = randomRotation(random);
      const RigidMotion motion{turn, random.inCube(1)}, other{otherTurn, random.inCube(1)};
      track.steps.push_back({motion, alike ? motion : other});
      if (alike) track.ways.push_back({{{}, Vec3{}}, {{}, Vec3{}}});
    }
  }

  /// Returns -1 for a node at rest.
  [[nodiscard]] int groupOf(NodeId node) const {
    for (int g = 0; g < 2; ++g)
      if (assembly.isAtOrBelow(node, assembly.at(track.moved[static_cast<std::size_t>(g)]))) return g;
    return -1;
  }
  /// Runs brute force over what a replay has to check at a step.
  [[nodiscard]] InterferenceReport expected(std::size_t step, bool alike,
                                            const IntersectionRequest& request = {}) const {
    const std::vector<NodeId> instances = assembly.instances();
    std::vector<Transform> poses = designPlacements(assembly);
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (const int g = groupOf(instances[i]); g >= 0)
        poses[i] = track.steps[step][static_cast<std::size_t>(g)].transform() * poses[i];
    return loopOverPairs(
        assembly, models, poses,
        [&](std::size_t i, std::size_t j) {
          const int g = groupOf(instances[i]), h = groupOf(instances[j]);
          return g != h && !(alike && g >= 0 && h >= 0);
        },
        request);
  }
};

}  // namespace

TEST_CASE("a replay finds what is nearer than a rule's clearance", "[motion][rules]") {
  const Row row(2);  // one apart
  Track track;
  track.moved = {"g0"};
  track.steps = {{shiftBy(0, 0, 0)}, {shiftBy(0.5, 0, 0)}, {shiftBy(-1, 0, 0)}};
  ReplayOptions options;
  options.interference.rules.rules = {{"g0", "g1", "", RuleAction::clearance, 0.75}};
  const ReplayReport report = row.run(track, options);
  REQUIRE(report.steps.size() == 3);
  CHECK_FALSE(report.steps[0].interference.needsAction());
  CHECK_FALSE(report.steps[2].interference.needsAction());
  REQUIRE(report.steps[1].interference.pairs.size() == 1);
  CHECK(report.steps[1].interference.pairs[0].tooNear);
  CHECK(report.steps[1].interference.pairs[0].assessment().distance.value() == Approx(0.5));
  CHECK_FALSE(report.steps[1].interference.intersects());
}

TEST_CASE("every step of a replay equals brute force over the same poses", "[motion][replay]") {
  std::size_t hits = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (bool alike : {false, true}) {
      const RandomReplay r(seed, 5, alike);
      const ReplayReport report = replay(Scene(r.assembly, r.models), {}, r.track, {});
      CHECK(report.status == ReportStatus::complete);
      REQUIRE(report.steps.size() == 5);
      for (std::size_t k = 0; k < 5; ++k) {
        const InterferenceReport expected = r.expected(k, alike);
        INFO("seed " << seed << ", step " << k << (alike ? ", moved alike" : ""));
        CHECK(report.steps[k].step == k);
        CHECK(difference(report.steps[k].interference, expected) == "");
        CHECK(report.steps[k].interference.consideredPairs == expected.consideredPairs);
        hits += expected.pairs.size();
      }
    }
  CHECK(hits > 200);
}

TEST_CASE("the modes of a replay agree", "[motion][replay]") {
  for (std::uint64_t seed = 20; seed <= 23; ++seed) {
    const RandomReplay r(seed, 4);
    const ReplayReport all = replay(Scene(r.assembly, r.models), {}, r.track, {});
    for (QueryMode mode : {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs}) {
      ReplayOptions options;
      options.interference.request.mode = mode;
      const ReplayReport report = replay(Scene(r.assembly, r.models), {}, r.track, options);
      for (std::size_t k = 0; k < all.steps.size(); ++k) {
        const InterferenceReport &found = report.steps[k].interference, &whole = all.steps[k].interference;
        INFO("seed " << seed << ", step " << k << ", " << name(mode));
        CHECK(pairsOf(found) == pairsOf(whole));
        CHECK(problemOfPart(found, whole) == "");
        if (mode != QueryMode::allSurfacePairs) continue;
        for (std::size_t i = 0; i < whole.pairs.size(); ++i)
          CHECK(found.pairs[i].report.surfacePairs == whole.pairs[i].report.surfacePairs);
      }
    }
  }
}

TEST_CASE("what moves is checked against what rests", "[motion][replay]") {
  const Row row(3);
  const ReplayReport report =
      row.run({.moved = {"g0"},
               .steps = {{shiftBy(0, 0, 0)}, {shiftBy(1.5, 0, 0)}, {shiftBy(4, 0, 0)}, {shiftBy(3, 0, 0)}}});
  REQUIRE(report.steps.size() == 4);
  CHECK_FALSE(report.steps[0].interference.intersects());
  CHECK(pairsOf(report.steps[1].interference) == Pairs{{row.cubes[0], row.cubes[1]}});
  CHECK(pairsOf(report.steps[2].interference) == Pairs{{row.cubes[0], row.cubes[2]}});
  CHECK(pairsOf(report.steps[3].interference) ==  // touches both
        Pairs{{row.cubes[0], row.cubes[1]}, {row.cubes[0], row.cubes[2]}});
}

TEST_CASE("groups that move differently are checked against each other", "[motion][replay]") {
  const Row row(3);
  const ReplayReport report =
      row.run({.moved = {"g2", "g0/cube"}, .steps = {{shiftBy(-2, 5, 0), shiftBy(2, 5, 0)}}});
  CHECK(pairsOf(report.steps[0].interference) == Pairs{{row.cubes[0], row.cubes[2]}});
}

TEST_CASE("groups that move together at every step and between are one rigid group", "[motion][replay]") {
  Assembly assembly;
  const PartId part = assembly.addPart(box(1, 1, 1));
  assembly.addNode("a", {}, {}, part);
  assembly.addNode("b", Transform::translation({0.5, 0, 0}), {}, part);  // intersecting from the start
  const CollisionModels models = buildCollisionModels(assembly);
  Track track{.moved = {"a", "b"},
              .steps = {{shiftBy(1, 0, 0), shiftBy(1, 0, 0)}, {shiftBy(2, 0, 0), shiftBy(2, 0, 0)}}};
  ReplayReport report = replay(Scene(assembly, models), {}, track, {});
  CHECK_FALSE(report.steps[0].interference.intersects());
  CHECK(report.steps[0].interference.consideredPairs == 0);
  // A turn of both, each about its own centre, makes them two groups: between steps they move against each
  // other.
  Track turning = track;
  const RigidMotion turn{axisAngle({0, 0, 1}, 1), {3, 0, 0}};
  turning.steps.push_back({turn, turn});
  report = replay(Scene(assembly, models), {}, turning, {});
  for (const ReplayStep& step : report.steps) CHECK(step.interference.consideredPairs == 1);
  // About one centre they are one group.
  turning.ways.assign(3, {{{}, Vec3{1, 0, 0}}, {{}, Vec3{1, 0, 0}}});
  report = replay(Scene(assembly, models), {}, turning, {});
  for (const ReplayStep& step : report.steps) CHECK(step.interference.consideredPairs == 0);
  // One different step makes them two groups, in all steps.
  track.steps.push_back({shiftBy(3, 0, 0), shiftBy(3, 0, 0.25)});
  report = replay(Scene(assembly, models), {}, track, {});
  for (const ReplayStep& step : report.steps) CHECK(step.interference.intersects());
}

TEST_CASE("neither the inside of a group nor what rests is checked", "[motion][replay]") {
  Assembly assembly;
  const PartId part = assembly.addPart(box(1, 1, 1));
  const NodeId group = assembly.addNode("group", {});
  assembly.addNode("a", {}, group, part);
  assembly.addNode("b", {}, group, part);
  assembly.addNode("rest", Transform::translation({9, 0, 0}), {}, part);
  assembly.addNode("rest", Transform::translation({9.5, 0, 0}), {}, part);
  const CollisionModels models = buildCollisionModels(assembly);
  const ReplayReport report =
      replay(Scene(assembly, models), {}, {.moved = {"group"}, .steps = {{shiftBy(0, 0, 3)}}}, {});
  CHECK_FALSE(report.steps[0].interference.intersects());
  CHECK(report.steps[0].interference.consideredPairs == 4);
  CHECK(report.status == ReportStatus::complete);
}

TEST_CASE("a motion applies to the design placement in the world", "[motion][replay]") {
  // The moved node is below a turned and a mirrored node; a shift along world x remains one along world x.
  Assembly assembly;
  const PartId part = assembly.addPart(box(1, 1, 1));
  const NodeId turned = assembly.addNode("turned", Transform::rotation({0, 0, 1}, 1.5707963267948966));
  const NodeId mirrored = assembly.addNode("mirrored", Transform::scaling(1, 1, -1), turned);
  assembly.addNode("cube", {}, mirrored, part);
  assembly.addNode("target", Transform::translation({10, 0, 0}), {}, part);
  const CollisionModels models = buildCollisionModels(assembly);
  const ReplayReport report =
      replay(Scene(assembly, models), {},
             {.moved = {"turned/mirrored/cube"},
              .steps = {{shiftBy(9.5, 0, 0)}, {shiftBy(0, 9.5, 0)}, {shiftBy(10, 0, 0.9)}}},
             {});
  CHECK(report.steps[0].interference.intersects());
  CHECK_FALSE(report.steps[1].interference.intersects());
  CHECK(report.steps[2].interference.intersects());
}

TEST_CASE("rules hold in a replay", "[motion][replay][rules]") {
  const Row row(3);
  const Track track{.moved = {"g1"}, .steps = {{shiftBy(-1, 0, 0)}, {shiftBy(1, 0, 0)}}};
  ReplayOptions options;
  options.interference.rules.rules = {{"g0/*", "g1/*", ""}};
  const ReplayReport report = row.run(track, options);
  CHECK_FALSE(report.steps[0].interference.intersects());
  CHECK(report.steps[0].interference.excludedPairs == 1);
  CHECK(report.steps[1].interference.intersects());

  options.interference.rules = {{}, CheckSets{{"g1"}, {"g2"}}};
  const ReplayReport sets = row.run(track, options);
  CHECK_FALSE(sets.steps[0].interference.intersects());
  CHECK(sets.steps[0].interference.unselectedPairs == 1);
  CHECK(sets.steps[0].interference.excludedPairs == 0);
  CHECK(sets.steps[1].interference.intersects());
  CHECK(sets.steps[1].interference.consideredPairs == 1);
}

TEST_CASE("a track without steps and a group without instances are answered", "[motion][replay]") {
  Row row(2);
  const ReplayReport none = row.run({.moved = {"g0"}, .steps = {}});
  CHECK(none.steps.empty());
  CHECK(none.status == ReportStatus::complete);
  row.assembly.addNode("hollow", {});
  const ReplayReport hollow = row.run({.moved = {"hollow"}, .steps = {{shiftBy(1, 0, 0)}}});
  REQUIRE(hollow.steps.size() == 1);
  CHECK(hollow.steps[0].interference.consideredPairs == 0);
}

TEST_CASE("a replay does not depend on the number of threads", "[motion][replay]") {
  for (std::uint64_t seed = 30; seed <= 33; ++seed) {
    const RandomReplay r(seed, 16);
    const ReplayReport one = replay(Scene(r.assembly, r.models), {}, r.track, {});
    for (unsigned threads : {2U, 4U, 0U}) {
      ReplayOptions options;
      options.interference.threads = threads;
      const ReplayReport report = replay(Scene(r.assembly, r.models), {}, r.track, options);
      REQUIRE(report.steps.size() == one.steps.size());
      for (std::size_t k = 0; k < one.steps.size(); ++k) {
        CHECK(report.steps[k].step == k);
        CHECK(difference(report.steps[k].interference, one.steps[k].interference) == "");
        CHECK(report.steps[k].interference.stats == one.steps[k].interference.stats);
      }
    }
  }
}

TEST_CASE("pairs that overlap at the start may stay as deep", "[motion][replay][verdict]") {
  const Row row(3);
  const Track track{.moved = {"g0/cube"},
                    .steps = {{shiftBy(1.2, 0, 0)},    // 0.2 deep in the next one
                              {shiftBy(1.2, 0.5, 0)},  // as deep
                              {shiftBy(0.5, 0, 0)},    // apart
                              {shiftBy(1.4, 0, 0)},    // deeper
                              {shiftBy(3.1, 4, 0)}}};
  ReplayOptions options;
  options.interference.verdict = VerdictOptions{.tolerance = 0.04};
  const auto verdicts = [&] {
    const ReplayReport report = row.run(track, options);
    REQUIRE(report.status == ReportStatus::complete);
    std::vector<Verdict> result;
    for (const ReplayStep& step : report.steps)
      result.push_back(step.interference.pairs.empty() ? Verdict::clear
                                                       : step.interference.pairs.front().verdict->verdict);
    const Scene scene(row.assembly);
    CHECK(verifyReplay(scene, {}, track, options, report, {}).differences.empty());
    return result;
  };
  using enum Verdict;
  CHECK(verdicts() == std::vector{clash, clash, clear, clash, clear});
  options.initialContacts = InitialContacts::keepLimits;
  CHECK(verdicts() == std::vector{contact, contact, clear, clash, clear});
  options.interference.verdict.reset();
  CHECK_THROWS_AS(row.run(track, options), InputError);
}

TEST_CASE("limits hold for each step of a replay", "[motion][replay][limits]") {
  const Row row(3);
  const Track track{.moved = {"g1"},
                    .steps = {{shiftBy(0, 0, 0)}, {shiftBy(-1.5, 0, 0)}, {shiftBy(1.5, 0, 0)}}};
  ReplayOptions options;
  options.interference.request.limits.maxPairs = 3;
  const ReplayReport report = row.run(track, options);
  CHECK(report.status == ReportStatus::truncated);
  CHECK(report.steps[0].interference.status == ReportStatus::complete);
  for (std::size_t k : {1U, 2U}) {
    CHECK(report.steps[k].interference.status == ReportStatus::truncated);
    REQUIRE(report.steps[k].interference.pairs.size() == 1);
    CHECK(report.steps[k].interference.pairs[0].report.trianglePairs.size() == 3);
  }
}

TEST_CASE("a cancelled replay says so, step by step, and reports nothing false", "[motion][replay][limits]") {
  const RandomReplay r(40, 20);
  const ReplayReport all = replay(Scene(r.assembly, r.models), {}, r.track, {});
  for (unsigned threads : {1U, 2U, 4U}) {
    std::stop_source source;
    const Progress progress(source.get_token(), [&](std::string_view, double fraction) {
      if (fraction >= 0.5) source.request_stop();
    });
    ReplayOptions options;
    options.interference.threads = threads;
    const ReplayReport report = replay(Scene(r.assembly, r.models), {}, r.track, options, progress);
    INFO(threads << " threads");
    CHECK(report.status == ReportStatus::cancelled);
    REQUIRE(report.steps.size() == 20);
    std::size_t cancelled = 0;
    for (std::size_t k = 0; k < 20; ++k) {
      const InterferenceReport& step = report.steps[k].interference;
      CHECK(report.steps[k].step == k);
      if (step.status == ReportStatus::complete)
        CHECK(difference(step, all.steps[k].interference) == "");
      else
        CHECK(problemOfPart(step, all.steps[k].interference) == "");
      cancelled += step.status == ReportStatus::cancelled;
    }
    CHECK(cancelled >= 20 - 10 - threads);
    CHECK(cancelled <= 10);
  }
}

}  // namespace replay_tests

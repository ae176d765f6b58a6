#include <catch2/catch.hpp>

#include <limits>
#include <numbers>

#include <fitup/base/error.h>
#include <fitup/motion/drag_guard.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/distance.h>
#include <fitup/scene/interference.h>

#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/report_checks.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace interference_tests {

using namespace fitup;
using namespace fitup::test;
using Catch::Matchers::Contains;

namespace {

const auto everyPair = [](std::size_t, std::size_t) { return true; };

InterferenceReport loopOverAllPairs(const Assembly& assembly, const CollisionModels& models,
                                    const IntersectionRequest& request = {}) {
  return loopOverPairs(assembly, models, designPlacements(assembly), everyPair, request);
}

}  // namespace

TEST_CASE("a check equals the loop over all pairs", "[scene][interference]") {
  std::size_t hits = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Assembly assembly = randomAssembly(seed, 14);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    for (Touching touching : {Touching::include, Touching::exclude}) {
      InterferenceOptions options;
      options.request.touching = touching;
      const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
      const InterferenceReport expected = loopOverAllPairs(assembly, models, options.request);
      INFO("seed " << seed);
      CHECK(difference(report, expected) == "");
      CHECK(report.consideredPairs == 14 * 13 / 2);
      CHECK(report.narrowPairs >= expected.pairs.size());
      CHECK(report.narrowPairs <= report.consideredPairs);
      CHECK(report.intersects() == expected.intersects());
      hits += expected.pairs.size();
    }
  }
  CHECK(hits > 500);  // the scenes are crowded enough to be meaningful
}

TEST_CASE("the modes of a check agree", "[scene][interference]") {
  for (std::uint64_t seed = 50; seed <= 60; ++seed) {
    const Assembly assembly = randomAssembly(seed, 12);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    const InterferenceReport all = checkAllPairs(Scene(assembly, models));
    for (QueryMode mode : {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs})
      for (OverlapBoxSetting setting :
           {OverlapBoxSetting::on, OverlapBoxSetting::off, OverlapBoxSetting::classical}) {
        InterferenceOptions options;
        options.request.mode = mode;
        options.request.overlapBox = setting;
        const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
        INFO("seed " << seed << ", " << name(mode) << ", overlap box " << name(setting));
        REQUIRE(report.pairs.size() == all.pairs.size());
        for (std::size_t k = 0; k < all.pairs.size(); ++k) {
          const PairInterference &found = report.pairs[k], &whole = all.pairs[k];
          CHECK((found.a == whole.a && found.b == whole.b));
          CHECK(problemOf(found.report, mode, whole.report, models[index(assembly.partOf(found.a))]->mesh(),
                          models[index(assembly.partOf(found.b))]->mesh()) == "");
        }
      }
  }
}

TEST_CASE("parts that touch within rounding are not lost between world and part frames",
          "[scene][interference]") {
  // Cubes face to face on a lattice, seen through quarter turns whose entries are not exactly zero, far from
  // the origin: their world boxes touch up to rounding, and so do the placed triangles; the broad phase must
  // not decide.
  Random random(17);
  const MeshPtr cube = sixSidedBox(1, 1, 1);
  for (int round = 0; round < 100; ++round) {
    Assembly assembly;
    const PartId part = assembly.addPart(cube);
    const double reach = std::pow(10.0, random.integer(0, 6));
    std::optional<NodeId> parent;
    for (int depth = 0; depth < 3; ++depth) {
      const Vec3 axis{double(random.below(3) == 0), double(random.below(3) == 0), 1};
      const double turn = random.integer(0, 3) * 0.5 * std::numbers::pi;
      const Vec3 shift = random.inCube(reach);
      parent =
          assembly.addNode("group", Transform::translation(shift) * Transform::rotation(axis, turn), parent);
    }
    for (int i = 0; i < 8; ++i) {
      const Transform grow = i % 2 == 0 ? Transform{} : Transform::scaling(1, 3, 1);
      assembly.addNode("cube",
                       Transform::translation({double(i % 2), double(i / 2 % 2), double(i / 4)}) * grow,
                       parent, part);
    }
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    INFO("round " << round);
    REQUIRE(difference(checkAllPairs(Scene(assembly, models)), loopOverAllPairs(assembly, models)) == "");
  }
}

TEST_CASE("nothing, one instance, parts without triangles", "[scene][interference]") {
  Assembly assembly;
  InterferenceReport report = checkAllPairs(Scene(assembly));
  CHECK(report.pairs.empty());
  CHECK(report.consideredPairs == 0);
  CHECK(report.status == ReportStatus::complete);

  const PartId solid = assembly.addPart(box(1, 1, 1)), nothing = assembly.addPart(emptyMesh());
  assembly.addNode("one", {}, {}, solid);
  const CollisionModels models = buildCollisionModels(assembly);
  report = checkAllPairs(Scene(assembly, models));
  CHECK(report.consideredPairs == 0);
  CHECK_FALSE(report.intersects());

  assembly.addNode("empty", {}, {}, nothing);
  assembly.addNode("empty", {}, {}, nothing);
  report = checkAllPairs(Scene(assembly, models));
  CHECK(report.consideredPairs == 3);
  CHECK(report.narrowPairs == 0);
  CHECK_FALSE(report.intersects());
  CHECK(report.status == ReportStatus::complete);

  assembly.addNode("two", Transform::translation({0.5, 0.5, 0.5}), {}, solid);
  report = checkAllPairs(Scene(assembly, models));
  REQUIRE(report.pairs.size() == 1);
  CHECK(report.pairs[0].a == assembly.at("one"));
  CHECK(report.pairs[0].b == assembly.at("two"));
}

TEST_CASE("rules leave pairs out and are counted", "[scene][interference][rules]") {
  for (std::uint64_t seed = 70; seed <= 80; ++seed) {
    const Assembly assembly = randomAssembly(seed, 14);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    InterferenceOptions options;
    options.rules.rules = {{"*bolt*", "*bolt*", ""}, {"*plate*", "*", ""}};
    const std::vector<NodeId> nodes = assembly.instances();
    const auto kept = [&](std::size_t i, std::size_t j) {
      return options.rules.find(assembly.path(nodes[i]), assembly.path(nodes[j])) == nullptr;
    };
    const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
    const InterferenceReport free = checkAllPairs(Scene(assembly, models));
    INFO("seed " << seed);
    CHECK(difference(report, loopOverPairs(assembly, models, designPlacements(assembly), kept)) == "");
    CHECK(report.narrowPairs + report.excludedPairs == free.narrowPairs);
    CHECK(report.consideredPairs == free.consideredPairs);
    CHECK(free.excludedPairs == 0);
  }
}

TEST_CASE("sets restrict a check, rules that do not ignore are reported with their pairs",
          "[scene][interference][rules]") {
  std::size_t withRule = 0;
  for (std::uint64_t seed = 200; seed <= 210; ++seed) {
    const Assembly assembly = randomAssembly(seed, 14);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    InterferenceOptions options;
    options.rules.check = CheckSets{{"*bolt*"}, {"*plate*", "*bolt*"}};
    options.rules.rules = {{"*bolt*", "*bolt*", "", RuleAction::ignore},
                           {"*", "*plate*", "", RuleAction::allowContact},
                           {"*", "*", "", RuleAction::allowContact}};
    const std::vector<NodeId> nodes = assembly.instances();
    std::size_t selected = 0;
    const auto selects = [&](std::size_t i, std::size_t j) {
      return options.rules.selects(assembly.path(nodes[i]), assembly.path(nodes[j]));
    };
    const auto kept = [&](std::size_t i, std::size_t j) {
      const Rule* rule = options.rules.find(assembly.path(nodes[i]), assembly.path(nodes[j]));
      return selects(i, j) && rule->action != RuleAction::ignore;
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = i + 1; j < nodes.size(); ++j) selected += selects(i, j);
    const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
    const InterferenceReport free = checkAllPairs(Scene(assembly, models));
    INFO("seed " << seed);
    CHECK(difference(report, loopOverPairs(assembly, models, designPlacements(assembly), kept)) == "");
    CHECK(report.narrowPairs + report.excludedPairs + report.unselectedPairs == free.narrowPairs);
    CHECK(report.consideredPairs == selected);
    CHECK(free.unselectedPairs == 0);
    for (const PairInterference& pair : report.pairs) {
      REQUIRE(pair.rule.has_value());
      CHECK(&options.rules.rules[*pair.rule] ==
            options.rules.find(assembly.path(pair.a), assembly.path(pair.b)));
      ++withRule;
    }
    for (const PairInterference& pair : free.pairs) CHECK_FALSE(pair.rule);
  }
  CHECK(withRule > 10);
}

TEST_CASE("pairs nearer than a rule's clearance are found, with their distance",
          "[scene][interference][rules]") {
  std::size_t near = 0, apart = 0, meeting = 0;
  for (std::uint64_t seed = 300; seed <= 306; ++seed) {
    const Assembly assembly = randomAssembly(seed, 12);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    InterferenceOptions options;
    options.rules.rules = {{"*bolt*", "*bolt*", "", RuleAction::ignore},
                           {"*bolt*", "*", "", RuleAction::clearance, 0.7}};
    for (const bool withVerdicts : {false, true}) {
      if (withVerdicts) options.verdict = VerdictOptions{.tolerance = 0.05};
      const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
      const std::vector<NodeId> nodes = assembly.instances();
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t j = i + 1; j < nodes.size(); ++j) {
          const auto found = std::find_if(report.pairs.begin(), report.pairs.end(),
                                          [&](const auto& p) { return p.a == nodes[i] && p.b == nodes[j]; });
          const Rule* rule = options.rules.find(assembly.path(nodes[i]), assembly.path(nodes[j]));
          const bool asked = rule != nullptr && rule->action == RuleAction::clearance;
          const auto posed = [&](NodeId node) {
            return PosedModel{models[index(assembly.partOf(node))], assembly.worldFromNode(node)};
          };
          const double expected =
              asked ? bruteForceDistance(posed(nodes[i]), posed(nodes[j])).distance() : 1.0;
          INFO("seed " << seed << ", " << assembly.path(nodes[i]) << " x " << assembly.path(nodes[j]));
          if (expected >= 0.7) {
            CHECK((found == report.pairs.end() || !found->tooNear));
            apart += asked;
            continue;
          }
          REQUIRE(found != report.pairs.end());
          CHECK(found->tooNear);
          CHECK(found->needsAction());
          if (!found->is(Verdict::clash))
            CHECK(found->assessment().distance.value() == Approx(expected).margin(1e-12));
          near += expected > 0;
          meeting += expected == 0;
        }
    }
  }
  CHECK(near > 10);
  CHECK(apart > 10);
  CHECK(meeting > 10);
}

TEST_CASE("a clearance that is met within the rounding of coordinates is kept",
          "[scene][interference][rules]") {
  // Boxes with gaps of 0.3 in decimals, which no binary number is: in the points, or in the placements; near
  // the origin and far from it.
  for (const bool inPlacement : {false, true})
    for (const double from : {0.0, -7.7, 12345.6}) {
      Assembly assembly("row");
      const MeshPtr cube = sixSidedBox(1, 1, 1);
      const PartId part = assembly.addPart(cube);
      for (int i = 0; i < 30; ++i) {
        const Transform at = Transform::translation({from + 1.3 * i, 0, 0});
        assembly.addNode("cube-" + std::to_string(i), inPlacement ? at : Transform{}, {},
                         inPlacement ? part : assembly.addPart(transformed(cube, at)));
      }
      InterferenceOptions options;
      options.rules.rules = {{"*", "*", "", RuleAction::clearance, 0.3}};
      const InterferenceReport kept = checkAllPairs(Scene(assembly), {}, options);
      CHECK(kept.narrowPairs > 10);
      CHECK_FALSE(kept.needsAction());
      // Clearly more is not kept.
      options.rules.rules[0].distance = 0.31;
      CHECK(checkAllPairs(Scene(assembly), {}, options).pairs.size() == 29);
    }
}

TEST_CASE("one pair's clearance makes no work for the others", "[scene][interference][rules]") {
  Assembly assembly("row");
  const PartId cube = assembly.addPart(sixSidedBox(1, 1, 1));
  const auto at = [](double x) { return Transform::rigid({}, {x, 0, 0}); };
  for (int i = 0; i < 8; ++i) assembly.addNode("cube-" + std::to_string(i), at(1.5 * i), {}, cube);
  assembly.addNode("watched", at(-3), {}, cube);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  InterferenceOptions options;
  CHECK(checkAllPairs(Scene(assembly, models), {}, options).narrowPairs == 0);
  // 2 is between them, and 5 to the cube beyond.
  for (const auto& [clearance, pairs] : {std::pair{2.1, 1U}, {4.9, 2U}, {20.0, 8U}}) {
    options.rules.rules = {{"watched", "cube-*", "", RuleAction::clearance, clearance}};
    for (const bool withVerdicts : {false, true}) {
      options.verdict.reset();
      if (withVerdicts) options.verdict = VerdictOptions{.tolerance = 0.01};
      const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
      INFO("clearance " << clearance);
      CHECK(report.narrowPairs == pairs);
      CHECK(report.pairs.size() == pairs);
    }
  }
  for (const double no : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    options.rules.rules = {{"watched", "cube-*", "", RuleAction::clearance, no}};
    CHECK_THROWS_WITH(checkAllPairs(Scene(assembly, models), {}, options),
                      Contains("rule of 'watched' and 'cube-*'") && Contains("is not a valid length"));
  }
}

TEST_CASE("gaps that are less than the rounding of coordinates are contacts at any tolerance",
          "[scene][interference][verdict]") {
  // Steps of a 32-bit float at 1000 are 2^-14 apart, so the stored corner of the first part is off by that
  // much.
  Assembly assembly("rounded");
  const PartId part = assembly.addPart(sixSidedBox(2000.00003, 10, 10)),
               other = assembly.addPart(sixSidedBox(1, 1, 1));
  REQUIRE(assembly.part(part).validation().largestRounding > 1e-6);
  assembly.addNode("long", {}, {}, part);
  const double face = assembly.part(part).boundsInPart().max.x,
               gap = 0.5 * assembly.part(part).validation().largestRounding;
  assembly.addNode("near", Transform::rigid({}, {face + 0.5 + gap, 0, 0}), {}, other);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = 0.0};
  const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
  REQUIRE(report.pairs.size() == 1);
  CHECK(report.pairs[0].is(Verdict::contact));
  CHECK(report.pairs[0].assessment().distance.value() == Approx(gap).epsilon(1e-6));
}

TEST_CASE("a check does not depend on the number of threads", "[scene][interference]") {
  for (std::uint64_t seed = 90; seed <= 93; ++seed) {
    const Assembly assembly = randomAssembly(seed, 20);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    for (bool stopAtFirstPair : {false, true}) {
      InterferenceOptions options;
      options.stopAtFirstPair = stopAtFirstPair;
      const InterferenceReport one = checkAllPairs(Scene(assembly, models), {}, options);
      for (unsigned threads : {2U, 4U, 0U}) {
        options.threads = threads;
        const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
        CHECK(difference(report, one) == "");
        CHECK(report.stats == one.stats);
        CHECK(report.narrowPairs == one.narrowPairs);
      }
    }
  }
}

TEST_CASE("the first pair ends a check that asks for no more", "[scene][interference]") {
  std::size_t hits = 0;
  for (std::uint64_t seed = 100; seed <= 120; ++seed) {
    const Assembly assembly = randomAssembly(seed, 6);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    const InterferenceReport all = checkAllPairs(Scene(assembly, models));
    InterferenceOptions options;
    options.stopAtFirstPair = true;
    const InterferenceReport first = checkAllPairs(Scene(assembly, models), {}, options);
    INFO("seed " << seed);
    CHECK(first.status == ReportStatus::complete);
    CHECK(first.intersects() == all.intersects());
    REQUIRE(first.pairs.size() == std::min<std::size_t>(1, all.pairs.size()));
    if (first.pairs.empty()) continue;
    ++hits;
    CHECK((first.pairs[0].a == all.pairs[0].a && first.pairs[0].b == all.pairs[0].b));
    CHECK(first.pairs[0].report.surfacePairs.size() == 1);
    CHECK(problemOfPart(first, all) == "");
  }
  CHECK(hits > 5);
}

TEST_CASE("a coherent check for the first pair begins where the last one ended", "[scene][interference]") {
  std::size_t laterFirst = 0;
  for (std::uint64_t seed = 100; seed <= 120; ++seed) {
    INFO("seed " << seed);
    const Assembly assembly = randomAssembly(seed, 6);
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
    const Scene scene(assembly, models);
    const InterferenceReport all = checkAllPairs(scene);
    std::vector<PlacedInstance> placed;
    std::vector<CandidatePair> candidates;
    for (NodeId node : assembly.instances()) {
      for (std::uint32_t i = 0; i < placed.size(); ++i)
        candidates.emplace_back(i, static_cast<std::uint32_t>(placed.size()));
      placed.push_back(placedForCheck(assembly, node, assembly.worldFromNode(node), {}));
    }
    for (const Coherence coherence : {Coherence::on, Coherence::off}) {
      InterferenceOptions options;
      options.stopAtFirstPair = true;
      options.request.coherence = coherence;
      CheckContexts contexts;
      const auto check = [&](std::span<const CandidatePair> some) {
        const InterferenceReport report = checkPairs(scene, placed, some, options, contexts);
        REQUIRE(report.pairs.size() <= 1);
        CHECK(problemOfPart(report, all) == "");
        return report.pairs.empty() ? std::nullopt
                                    : std::optional(std::pair(report.pairs[0].a, report.pairs[0].b));
      };
      const auto first = check(candidates);
      CHECK(first.has_value() == all.intersects());
      // Without the previous pair, another one ends the check, and remains the first when all pairs are back.
      std::vector<CandidatePair> others = candidates;
      std::erase_if(others, [&](const CandidatePair& p) {
        return first && std::pair(placed[p.first].node, placed[p.second].node) == *first;
      });
      const auto other = check(others);
      const auto again = check(candidates);
      CHECK(again == (coherence == Coherence::on && other ? other : first));
      laterFirst += again != first ? 1 : 0;
    }
  }
  CHECK(laterFirst > 5);
}

TEST_CASE("where a coherent check begins does not change the order of its pairs",
          "[scene][interference][rules]") {
  Assembly assembly("row");
  const PartId cube = assembly.addPart(sixSidedBox(1, 1, 1));
  std::vector<NodeId> nodes;
  for (const double x : {0.0, 1.2, 10.0, 10.5})
    nodes.push_back(assembly.addNode("cube", Transform::translation({x, 0, 0}), {}, cube));
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  InterferenceOptions options;
  options.stopAtFirstPair = true;
  options.request.coherence = Coherence::on;
  options.rules.rules = {{"*", "*", "", RuleAction::clearance, 0.3}};
  const Scene scene(assembly, models);
  const std::vector<CandidatePair> candidates{{0, 1}, {2, 3}};
  CheckContexts contexts;
  // The first two are too near to each other, the others intersect, and then are too near as well.
  for (const double last : {10.5, 11.2}) {
    std::vector<PlacedInstance> placed;
    for (NodeId node : nodes) {
      const Transform at =
          node == nodes.back() ? Transform::translation({last, 0, 0}) : assembly.worldFromNode(node);
      placed.push_back(placedForCheck(assembly, node, at, options));
    }
    const InterferenceReport report = checkPairs(scene, placed, candidates, options, contexts);
    INFO("the last at " << last);
    CHECK(report.intersects() == (last < 11));
    REQUIRE(report.pairs.size() == 2);
    CHECK(report.pairs[0].a == nodes[0]);
    CHECK(report.pairs[1].a == nodes[2]);
    CHECK(contexts.endedAt() == std::optional(std::pair(nodes[2], nodes[3])));
  }
}

TEST_CASE("candidates may come in any order", "[scene][interference]") {
  const Assembly assembly = randomAssembly(130, 10);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  std::vector<PlacedInstance> placed;
  for (NodeId node : assembly.instances())
    placed.insert(placed.begin(), placedInstance(assembly, node, assembly.worldFromNode(node)));
  std::vector<CandidatePair> candidates;
  for (std::uint32_t i = 0; i < placed.size(); ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      candidates.emplace_back(i % 2 == 0 ? CandidatePair{i, j} : CandidatePair{j, i});
  CheckContexts contexts;
  const InterferenceReport report = checkPairs(Scene(assembly, models), placed, candidates, {}, contexts);
  CHECK(difference(report, loopOverAllPairs(assembly, models)) == "");
  CHECK(report.consideredPairs == candidates.size());
}

TEST_CASE("a check needs a model for each part", "[scene][interference]") {
  const Assembly assembly = randomAssembly(1, 3);
  CollisionModels models = buildCollisionModels(assembly);
  models.pop_back();
  CHECK(messageOf<InputError>([&] {
          (void)checkAllPairs(Scene(assembly, models));
        }).find("7 models for 8 parts") != std::string::npos);
}

TEST_CASE("only an instance has a model and can be placed", "[scene][interference]") {
  Assembly assembly;
  const NodeId group = assembly.addNode("group", {});
  CHECK_THROWS_AS(Scene(assembly).modelOf(group), InputError);
  CHECK(messageOf<InputError>([&] { (void)placedInstance(assembly, group, {}); }).find("'group'") !=
        std::string::npos);
}

}  // namespace interference_tests

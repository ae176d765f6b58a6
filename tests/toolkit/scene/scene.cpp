#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/motion/contact_map.h>
#include <fitup/motion/drag_guard.h>
#include <fitup/motion/first_contact.h>
#include <fitup/motion/verify_replay.h>
#include <fitup/scene/explain.h>
#include <fitup/scene/live_interference.h>
#include <fitup/scene/mates.h>
#include <fitup_field/field_kinds.h>

#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace scene_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

void requireSame(const InterferenceReport& found, const InterferenceReport& expected) {
  REQUIRE(differenceOfWhole(found, expected) == "");
  CHECK(found.stats == expected.stats);
}

std::vector<InterferenceOptions> optionsOfAllKinds() {
  std::vector<InterferenceOptions> all(4);
  all[1].rules.rules = {{"*a*", "*", "", RuleAction::ignore}, {"*", "*", "", RuleAction::clearance, 0.3}};
  all[2].rules.check = CheckSets{{"*bolt*"}, {"*"}};
  all[2].request.mode = QueryMode::allSurfacePairs;
  all[3].verdict = VerdictOptions{.tolerance = 0.05, .clearPairs = true};
  return all;
}

Poses randomPoses(const Scene& scene, Random& random) {
  Poses poses;
  for (const NodeId node : scene.instances())
    if (random.below(2) == 0)
      poses.set(node, Transform::translation(random.inCube(1)) * scene.designPlacement(node));
  return poses;
}

}  // namespace

TEST_CASE("models and solids are made once, whoever asks first", "[scene]") {
  const Assembly assembly = randomAssembly(5, 12);
  for (int round = 0; round < 5; ++round) {
    const Scene scene(assembly);
    constexpr std::size_t askers = 6;
    std::vector<std::vector<const void*>> seen(askers);
    {
      std::vector<std::jthread> threads;
      for (std::size_t k = 0; k < askers; ++k)
        threads.emplace_back([&, k] {
          for (std::uint32_t part = 0; part < assembly.partCount(); ++part) {
            const PartId id{static_cast<std::uint32_t>((part + 2 * k) % assembly.partCount())};
            if (k % 2 == 0) (void)scene.solid(id);
            (void)scene.collisionModel(id);
          }
          for (std::uint32_t part = 0; part < assembly.partCount(); ++part) {
            seen[k].push_back(scene.collisionModel(PartId{part}).get());
            seen[k].push_back(scene.solid(PartId{part}).get());
          }
          seen[k].push_back(scene.paths().data());
        });
    }
    for (std::size_t k = 1; k < askers; ++k) CHECK(seen[k] == seen[0]);
    for (std::uint32_t part = 0; part < assembly.partCount(); ++part)
      CHECK(scene.solid(PartId{part})->sharedModel() == scene.collisionModel(PartId{part}));
  }
}

TEST_CASE("a scene refuses models that are not those of its parts", "[scene]") {
  const Assembly assembly = randomAssembly(1, 3);
  CollisionModels models = buildCollisionModels(assembly);
  std::swap(models[0], models[1]);
  CHECK_THROWS_WITH(Scene(assembly, models), Catch::Contains("model 0: does not belong to part"));
  models[0] = nullptr;
  CHECK_THROWS_AS(Scene(assembly, models), InputError);
  models.pop_back();
  CHECK_THROWS_WITH(Scene(assembly, models), Catch::Contains("7 models for 8 parts"));
  CHECK_THROWS_AS(Scene::of(nullptr, modelOf(box(1, 1, 1))), InputError);
}

TEST_CASE("two models without an assembly are a scene", "[scene]") {
  const auto cube = modelOf(sixSidedBox(1, 1, 1)), rod = modelOf(cylinder(0.2, 3, 12));
  const Transform aside = Transform::translation({0.6, 0, 0});
  for (const auto& other : {rod, cube}) {
    const Scene scene = Scene::of(cube, other);
    REQUIRE(scene.instances().size() == 2);
    const NodeId moved = scene.instances()[1];
    for (const Transform& place : {Transform{}, aside, Transform::translation({9, 0, 0})}) {
      const InterferenceReport report = checkAllPairs(scene, {{moved, place}});
      const IntersectionReport expected = intersect({cube, {}}, {other, place});
      REQUIRE(report.intersects() == expected.intersects());
      if (report.intersects()) CHECK(report.pairs[0].report.trianglePairs == expected.trianglePairs);
      const ClearanceReport nearest =
          minimumDistance(scene, {{moved, place}}, scene.instances().first(1), scene.instances().subspan(1));
      CHECK(nearest.pairs.at(0).nearest.distance == distance({cube, {}}, {other, place}).distance());
    }
  }
}

TEST_CASE("poses are where instances stand: as in an assembly that is designed so", "[scene]") {
  for (std::uint64_t seed = 40; seed < 46; ++seed) {
    Assembly assembly("roots");
    const Assembly given = randomAssembly(seed, 10);
    for (const NodeId node : given.instances())
      assembly.addNode("part" + std::to_string(index(node) % 5), given.worldFromNode(node), {},
                       assembly.addPart(given.sharedPart(given.partOf(node))));
    const Scene scene(assembly);
    Random random(seed);
    const Poses poses = randomPoses(scene, random);
    const Scene designed(scene.posedAssembly(poses));
    for (const InterferenceOptions& options : optionsOfAllKinds())
      requireSame(checkAllPairs(scene, poses, options), checkAllPairs(designed, {}, options));
    for (const NodeId node : scene.instances()) {
      const Box box = scene.worldBounds(node, poses), expected = designed.assembly().worldBounds(node);
      CHECK((box.min == expected.min && box.max == expected.max));
    }
  }
}

TEST_CASE("a scene that is edited keeps what was made of models that stay", "[scene]") {
  Assembly assembly = randomAssembly(9, 8);
  const Scene scene(assembly);
  CollisionModels models = scene.collisionModels();
  const auto solid = scene.solid(PartId{0}), gone = scene.solid(PartId{1});
  models[1] = modelOf(sixSidedBox(2, 3, 4));
  assembly.replacePart(PartId{1}, models[1]->sharedMesh());
  const Scene edited = scene.edited(assembly, models);
  CHECK(edited.solid(PartId{0}) == solid);
  CHECK(edited.solid(PartId{1}) != gone);
  CHECK(edited.solid(PartId{1})->sharedModel() == models[1]);
  BuildOptions more;
  more.add(field::aabb);
  const Scene with = scene.with(more);
  for (std::uint32_t part = 0; part < assembly.partCount(); ++part) {
    CHECK(with.collisionModel(PartId{part})->has(field::aabb));
    CHECK_FALSE(scene.collisionModel(PartId{part})->has(field::aabb));
  }
}

TEST_CASE("pairs that several share out are the whole check", "[scene][interference]") {
  for (std::uint64_t seed = 60; seed < 66; ++seed) {
    const Scene scene(randomAssembly(seed, 14));
    Random random(seed);
    const Poses poses = randomPoses(scene, random);
    std::size_t listed = 0;
    for (const InterferenceOptions& options : optionsOfAllKinds()) {
      const CandidatePairs candidates = candidatePairs(scene, poses, options);
      std::vector<InterferenceReport> shares(1 + random.below(4));
      for (const auto& [i, j] : candidates.pairs) {
        InterferenceReport& share = shares[random.below(static_cast<std::uint32_t>(shares.size()))];
        QueryContext context;
        PairInterference pair =
            checkPair(scene, candidates.placed[i], candidates.placed[j], options, context);
        CHECK(pair.a < pair.b);
        share.stats += pair.report.stats;
        ++share.narrowPairs;
        if (isListed(pair, options)) share.pairs.push_back(std::move(pair));
      }
      shares[0].consideredPairs = candidates.consideredPairs;
      shares[0].excludedPairs = candidates.excludedPairs;
      shares[0].unselectedPairs = candidates.unselectedPairs;
      const InterferenceReport whole = checkAllPairs(scene, poses, options);
      shares.back().openParts = whole.openParts;
      requireSame(mergeReports(shares), whole);
      listed += whole.pairs.size();
    }
    CHECK(listed > 10);
  }
}

TEST_CASE("a time budget holds for all that a check makes ready", "[scene][interference][limits]") {
  const Assembly assembly = randomAssembly(60, 14);
  const Scene scene(assembly);
  REQUIRE_FALSE(candidatePairs(scene, {}, {}).pairs.empty());
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = 0.05};
  options.request.limits.timeBudget = std::chrono::milliseconds(200);
  bool slept = false;
  const Progress slow({}, [&](std::string_view phase, double) {
    if (phase != "preparing solids" || std::exchange(slept, true)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  });
  CHECK(checkAllPairs(scene, {}, options, slow).status == ReportStatus::truncated);
  CHECK(slept);
}

TEST_CASE("verification and explanation are about the selected pairs", "[scene][interference]") {
  for (std::uint64_t seed = 70; seed < 74; ++seed) {
    const Scene scene(randomAssembly(seed, 12));
    const std::size_t count = scene.instances().size();
    Random random(seed);
    InterferenceOptions options;
    options.selection.first.resize(count);
    options.selection.second.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      options.selection.first[i] = random.below(3) == 0 ? 1 : 0;
      options.selection.second[i] = random.below(2) == 0 ? 1 : 0;
    }
    const InterferenceReport report = checkAllPairs(scene, {}, options);
    CHECK(verifyAllPairs(scene, {}, options, report).differences.empty());
    const InterferenceReport all = checkAllPairs(scene);
    for (const PairInterference& pair : all.pairs) {
      const bool isSelected = options.selection.selects(scene.positionOf(pair.a), scene.positionOf(pair.b));
      const bool isReported = std::ranges::any_of(
          report.pairs, [&](const PairInterference& p) { return p.a == pair.a && p.b == pair.b; });
      CHECK(isReported == isSelected);
      const Explanation explained = explain(scene, {}, {pair.a, pair.b, {}, options});
      CHECK((explained.outcome == ExplainedOutcome::unselected) == !isSelected);
    }
  }
}

TEST_CASE("reports that are merged keep the worst status, and no pair twice", "[scene][interference]") {
  std::vector<InterferenceReport> reports(3);
  reports[0].pairs.push_back({NodeId{1}, NodeId{2}, {}});
  reports[1].pairs.push_back({NodeId{0}, NodeId{2}, {}});
  reports[1].status = ReportStatus::truncated;
  reports[0].milliseconds = 3;
  reports[2].milliseconds = 5;
  reports[0].openParts = {PartId{4}, PartId{7}};
  reports[2].openParts = {PartId{1}, PartId{4}};
  const InterferenceReport merged = mergeReports(reports);
  CHECK(merged.status == ReportStatus::truncated);
  CHECK(merged.milliseconds == 5);
  CHECK(merged.openParts == std::vector{PartId{1}, PartId{4}, PartId{7}});
  REQUIRE(merged.pairs.size() == 2);
  CHECK(merged.pairs[0].a == NodeId{0});
  reports[2].pairs.push_back({NodeId{1}, NodeId{2}, {}});
  CHECK_THROWS_AS(mergeReports(reports), InputError);
  CHECK(mergeReports({}).status == ReportStatus::complete);
}

TEST_CASE("what a scene is asked with poses of others is refused by all", "[scene]") {
  Assembly assembly = randomAssembly(2, 4);
  const NodeId group = assembly.addNode("group", {});
  const Scene scene(assembly);
  const NodeId first = scene.instances()[0], second = scene.instances()[1];
  const NodeId nodes[] = {first}, others[] = {second};
  Track track;
  track.moved = {assembly.path(first)};
  track.steps = {{{}}, {{{}, {1, 0, 0}}}};
  for (const NodeId wrong : {group, NodeId{99}}) {
    const Poses poses{{wrong, {}}};
    CHECK_THROWS_AS(checkAllPairs(scene, poses), InputError);
    CHECK_THROWS_AS(candidatePairs(scene, poses, {}), InputError);
    CHECK_THROWS_AS(LiveInterference(scene, poses), InputError);
    CHECK_THROWS_AS(LiveInterference(scene).moveTo(poses), InputError);
    CHECK_THROWS_AS(replay(scene, poses, track, {}), InputError);
    CHECK_THROWS_AS(firstContact(scene, poses, track), InputError);
    CHECK_THROWS_AS(contactMap(scene, poses, track), InputError);
    CHECK_THROWS_AS(DragGuard(scene, poses, nodes, {}, {.tolerance = 0.1}), InputError);
    CHECK_THROWS_AS(minimumDistance(scene, poses, nodes, others), InputError);
    CHECK_THROWS_AS(pairsWithin(scene, poses, 1, ClearanceDetail::instances), InputError);
    CHECK_THROWS_AS(explain(scene, poses, {first, second, {}, {}}), InputError);
    CHECK_THROWS_AS(suggestMates(scene, poses), InputError);
    CHECK_THROWS_AS(verifyAllPairs(scene, poses, {}, {}), InputError);
    CHECK_THROWS_AS(verifyClearance(scene, poses, {}, {}), InputError);
    CHECK_THROWS_AS(verifyReplay(scene, poses, track, {}, {}), InputError);
    CHECK_THROWS_AS(scene.posedAssembly(poses), InputError);
  }
  CHECK_THROWS_AS(intersect({nullptr, {}}, {scene.posed(first)}), InputError);
  CHECK_THROWS_AS(verdict({nullptr, {}}, {scene.posedSolid(first)}, {.tolerance = 1}), InputError);
  CHECK_THROWS_AS(penetration({nullptr, {}}, {scene.posedSolid(first)}), InputError);
}

TEST_CASE("whoever makes models when they are first asked for hears a cancel meanwhile", "[scene][cancel]") {
  const Assembly assembly = randomAssembly(5, 12);
  const std::vector<NodeId> all = assembly.instances();
  Track track;
  track.unit = assembly.unit();
  track.modelHash = assembly.contentHash();
  track.moved = {assembly.path(all[0])};
  track.steps = {{RigidMotion{}}, {RigidMotion{{}, {1, 0, 0}}}};
  const auto others = std::span(all).subspan(1);
  const std::vector<std::function<ReportStatus(const Scene&, const Progress&)>> questions{
      [&](const Scene& scene, const Progress& p) { return checkAllPairs(scene, {}, {}, p).status; },
      [&](const Scene& scene, const Progress& p) {
        return minimumDistance(scene, {}, std::span(all).first(1), others, {}, p).status;
      },
      [&](const Scene& scene, const Progress& p) {
        return pairsWithin(scene, {}, 1, ClearanceDetail::instances, {}, p).status;
      },
      [&](const Scene& scene, const Progress& p) { return firstContact(scene, {}, track, {}, p).status; },
      [&](const Scene& scene, const Progress& p) {
        ContactMapOptions options;
        options.range = 1;
        return contactMap(scene, {}, track, options, p).status;
      }};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    CAPTURE(i);
    const Scene scene(assembly);
    std::stop_source cancel;
    CHECK(questions[i](scene, Progress(cancel.get_token(), [&](std::string_view phase, double) {
                         if (phase == "building hierarchies") cancel.request_stop();
                       })) == ReportStatus::cancelled);
    CHECK(cancel.stop_requested());
    CHECK_FALSE(scene.hasAllModels());
    CHECK(questions[i](scene, {}) == ReportStatus::complete);
  }
}

TEST_CASE("findings are as bad as what is said of them", "[scene][interference]") {
  CHECK(Severity::clear < Severity::contact);
  CHECK(Severity::contact < Severity::tooNear);
  CHECK(Severity::tooNear < Severity::clash);
  const auto of = [](const Assessment& assessment) { return assessment.severity(); };
  CHECK(of({}) == Severity::intersection);
  CHECK(of({.verdict = Verdict::clear, .tolerance = 1.0}) == Severity::clear);
  CHECK(of({.verdict = Verdict::contact, .tooNear = true}) == Severity::tooNear);
  CHECK(of({.verdict = Verdict::clash, .tooNear = true}) == Severity::clash);
  CHECK(of({.tolerance = 1.0}) == Severity::undecided);
  for (const Severity severity : {Severity::undecided, Severity::clear, Severity::contact})
    CHECK_FALSE(needsAction(severity));
  for (const Severity severity : {Severity::intersection, Severity::tooNear, Severity::clash})
    CHECK(needsAction(severity));
  CHECK(PairInterference{}.severity() == Severity::undecided);  // listed because it was cut short
}

}  // namespace scene_tests

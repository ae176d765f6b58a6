// Tests many instances in one place, which have too many pairs for any time and memory: work on them checks
// for cancellation while it makes lists of pairs, and lists have a largest size.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/motion/contact_map.h>
#include <fitup/motion/first_contact.h>
#include <fitup/motion/replay.h>
#include <fitup/motion/verify_replay.h>
#include <fitup/scene/clearance.h>
#include <fitup/scene/detail/instance_sweep.h>
#include <fitup/scene/live_interference.h>
#include <fitup/scene/verify.h>

#include "support/interference_checks.h"
#include "support/looks.h"
#include "support/random_assembly.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace crowds_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Cubes in one place.
struct Crowd {
  Assembly assembly{"crowd"};
  CollisionModels models;

  explicit Crowd(std::uint32_t count) {
    const PartId cube = assembly.addPart(sixSidedBox(1, 1, 1));
    for (std::uint32_t i = 0; i < count; ++i) assembly.addNode("cube", {}, {}, cube);
    models = buildCollisionModels(assembly, {}, {}, 1);
  }
};

using Question = std::function<ReportStatus(const Progress&)>;

/// Checks that work that is cancelled at any check ends at that one, or at the next.
void requireEndsAtAnyLook(const Question& ask, std::size_t looks) {
  for (const std::size_t at : {std::size_t{1}, std::size_t{2}, looks / 3, looks / 2, looks}) {
    Looks seen(at);
    INFO("look " << at);
    CHECK(ask(seen.progress()) == ReportStatus::cancelled);
    CHECK(seen.count() <= at + 1);
  }
}

std::string problemOf(const std::function<void()>& work) { return messageOf<InputError>(work); }

}  // namespace

TEST_CASE("a list of pairs has a longest size and looks whether it is cancelled", "[scene][crowd]") {
  Looks looks;
  const Progress progress = looks.progress();
  const WorkMeter meter(progress);
  CandidateList list(meter, 10'000);
  for (std::uint32_t i = 0; i < 10'000; ++i) list.add({i, i + 1});
  CHECK(looks.count() == 2);
  for (std::uint32_t i = 0; i < 10'000; ++i) list.look();
  CHECK(looks.count() == 4);
  CHECK(problemOf([&] {
          list.add({0, 1});
        }) ==
        "check: pairs: more than 10000 pairs of instances have overlapping boxes, for example because many "
        "parts are in one place");
  CHECK(list.take().size() == 10'000);
}

TEST_CASE("a check of a crowd ends at the look at which it is cancelled", "[scene][crowd]") {
  // Two hundred million pairs.
  const Crowd crowd(20'000);
  requireEndsAtAnyLook(
      [&](const Progress& p) { return checkAllPairs(Scene(crowd.assembly, crowd.models), {}, {}, p).status; },
      30'000);
  InterferenceOptions options;
  options.rules.rules = {{"*", "*", "all of them"}};
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return checkAllPairs(Scene(crowd.assembly, crowd.models), {}, options, p).status;
      },
      30'000);
  // Placing, building the tree, the pairs of the first ones.
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return LiveInterference(Scene(crowd.assembly, crowd.models), {}, {}, p).report().status;
      },
      200);
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return pairsWithin(Scene(crowd.assembly, crowd.models), {}, 0.1, ClearanceDetail::instances, {}, p)
            .status;
      },
      2000);
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return verifyAllPairs(Scene(crowd.assembly, crowd.models), {}, {}, InterferenceReport{}, {}, p)
            .status;
      },
      2000);
}

TEST_CASE("candidates are sorted into kinds of pairs only until that is cancelled", "[scene][crowd]") {
  const Crowd crowd(2);
  std::vector<PlacedInstance> placed;
  for (const NodeId node : crowd.assembly.instances())
    placed.push_back(placedForCheck(crowd.assembly, node, {}, {}));
  const Scene scene(crowd.assembly, crowd.models);
  InterferenceOptions options;
  options.rules.rules = {{"*", "*", "all of them"}};
  const std::vector<CandidatePair> candidates(100'000, {0, 1});
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        CheckContexts contexts;
        return checkPairs(scene, placed, candidates, options, contexts, p).status;
      },
      100'000);
}

TEST_CASE("motions in a crowd end at the look at which they are cancelled", "[scene][crowd]") {
  const Crowd crowd(3000);
  Track track;
  track.unit = crowd.assembly.unit();
  std::vector<RigidMotion> step;
  for (int i = 0; i < 1000; ++i) {
    track.moved.push_back("cube#" + std::to_string(i + 1));
    step.push_back({{}, {0.1 * i, 0, 0}});
  }
  track.steps = {step};
  const std::size_t looks = 3000 + 1000 + 100;  // placing, groups, pairs
  requireEndsAtAnyLook(
      [&](const Progress& p) { return replay(Scene(crowd.assembly, crowd.models), {}, track, {}, p).status; },
      looks);
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return contactMap(Scene(crowd.assembly, crowd.models), {}, track, {}, p).status;
      },
      looks);
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return firstContact(Scene(crowd.assembly, crowd.models), {}, track, {}, p).status;
      },
      looks);
  const ReplayReport cancelled = [&] {
    Looks seen(10);
    return replay(Scene(crowd.assembly, crowd.models), {}, track, {}, seen.progress());
  }();
  REQUIRE(cancelled.steps.size() == 1);
  CHECK(cancelled.steps[0].interference.status == ReportStatus::cancelled);
  requireEndsAtAnyLook(
      [&](const Progress& p) {
        return verifyReplay(Scene(crowd.assembly, crowd.models), {}, track, {}, cancelled, {}, p).status;
      },
      500);
}

TEST_CASE("a live check that is cancelled while it looks for pairs makes up for it", "[scene][crowd]") {
  const Assembly assembly = randomAssembly(5, 40);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  Looks all;
  const InterferenceReport expected = checkAllPairs(Scene(assembly, models));
  const LiveInterference whole(Scene(assembly, models), {}, {}, all.progress());
  REQUIRE(difference(whole.report(), expected) == "");
  REQUIRE(all.count() > 60);
  for (std::size_t at = 1; at <= all.count(); at += 3) {
    Looks some(at);
    LiveInterference live(Scene(assembly, models), {}, {}, some.progress());
    INFO("cancelled at look " << at);
    if (live.report().status == ReportStatus::complete) {
      REQUIRE(at + 3 > all.count());  // nothing was left to do
      continue;
    }
    REQUIRE(live.report().status == ReportStatus::cancelled);
    REQUIRE(live.openPairs() > 0);
    // Once more, with a move that is cancelled too.
    const NodeId first = assembly.instances().front();
    const Transform there = live.worldFromPart(first);
    Looks again(at / 2 + 1);
    (void)live.move({{first, Transform::translation({1e6, 0, 0}) * there}}, again.progress());
    REQUIRE(difference(live.move({{first, there}}), expected) == "");
    REQUIRE(live.openPairs() == 0);
  }
}

TEST_CASE("sweep and prune keeps only so many pairs", "[scene][crowd]") {
  const Box unit{{0, 0, 0}, {1, 1, 1}}, far{{9, 9, 9}, {10, 10, 10}};
  const std::vector<Box> crowd(100, unit);
  CHECK(SweepAndPrune(crowd, {}, 4950).pairCount() == 4950);
  const std::string problem = problemOf([&] { const SweepAndPrune sweep(crowd, {}, 4949); });
  CHECK(problem.starts_with("check: pairs: more than 4949 pairs"));
  // One by one, and all together.
  for (const std::uint32_t together : {1U, 99U}) {
    std::vector<Box> boxes(100, far);
    for (std::uint32_t i = 0; i < 100; ++i) boxes[i].min.x = 9 + 2 * i, boxes[i].max.x = 10 + 2 * i;
    SweepAndPrune sweep(boxes, {}, 1000);
    CHECK(sweep.pairCount() == 0);
    const auto moveAll = [&] {
      for (std::uint32_t i = 0; i < 99; i += together) {
        std::vector<SweepAndPrune::Moved> moved;
        for (std::uint32_t k = 0; k < together; ++k) moved.push_back({i + k, unit});
        (void)sweep.move(moved);
      }
    };
    CHECK(problemOf(moveAll).starts_with("check: pairs: more than 1000 pairs"));
  }
}

TEST_CASE("a sweep of instances that was cancelled begins anew", "[scene][crowd]") {
  const Assembly assembly = randomAssembly(6, 30);
  std::vector<PlacedInstance> placed;
  std::vector<std::uint32_t> all;
  for (const NodeId node : assembly.instances()) {
    all.push_back(static_cast<std::uint32_t>(placed.size()));
    placed.push_back(placedInstance(assembly, node, assembly.worldFromNode(node)));
  }
  const InstanceSweep whole(placed);
  InstanceSweep sweep;
  Looks looks(10);
  const Progress progress = looks.progress();
  CHECK_THROWS_AS(sweep.move(all, placed, WorkMeter(progress)), CancelledError);
  sweep.move({}, placed);
  CHECK(sweep.pairCount() == whole.pairCount());
  for (const std::uint32_t i : all) {
    const auto sorted = [&](std::span<const std::uint32_t> partners) {
      std::vector<std::uint32_t> list(partners.begin(), partners.end());
      std::sort(list.begin(), list.end());
      return list;
    };
    CHECK(sorted(sweep.partners(i)) == sorted(whole.partners(i)));
  }
}

}  // namespace crowds_tests

#include <catch2/catch.hpp>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/planning/tree_search.h>
#include <models/ways_out.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "toolkit/planning/way_oracle.h"

namespace tree_search_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Options with which nothing but the search among poses finds a way that is not straight.
RemovalOptions searching(std::size_t maxWork, std::uint64_t seed = 1) {
  RemovalOptions options;
  options.maxPieces = 1;
  options.maxWays = 4;
  options.witnessDirections = 0;
  options.reliefDirections = 0;
  options.search = treeSearch();
  options.maxWork = maxWork;
  options.seed = seed;
  return options;
}

RemovalReport find(const models::WayOutScene& model, const std::string& moved,
                   const RemovalOptions& options) {
  return findRemoval(Scene(model.assembly), {}, std::vector{model.assembly.at(moved)}, options);
}

}  // namespace

TEST_CASE("trees of poses find ways through narrow places", "[planning][tree_search]") {
  if (!hasTreeSearch()) {
    CHECK_THROWS_AS(treeSearch(), NotBuiltError);
    return;
  }
  const auto [model, moved] =
      GENERATE_COPY(table<models::WayOutScene, std::string>({{models::makeAlpha(1.5), "alpha/moved"},
                                                             {models::makeFlange(), "flange/moved"},
                                                             {models::makeBugTrap(), "bug-trap/moved"}}));
  const RemovalOptions options = searching(20'000'000);
  const RemovalReport report = find(model, moved, options);
  INFO(moved);
  requireWay(Scene(model.assembly), report, options, effort(300, 20'000));
  CHECK(report.search.steps > 0);
  CHECK(report.search.poses > 0);
  CHECK(report.way->certificate.track.steps.size() > 2);
  // The same seed finds the same way.
  if (moved != "alpha/moved") return;
  const RemovalReport again = find(model, moved, options);
  REQUIRE(again.way);
  CHECK(again.way->certificate.track.steps == report.way->certificate.track.steps);
  CHECK(again.search.work == report.search.work);
}

TEST_CASE("a ring on a loop and links with a small opening are not found, never impossible",
          "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const auto [model, moved] = GENERATE_COPY(table<models::WayOutScene, std::string>(
      {{models::makeRingOnLoop(), "ring/moved"}, {models::makeAlpha(0.9), "alpha/moved"}}));
  const RemovalReport report = find(model, moved, searching(30'000));
  CHECK(report.answer == RemovalAnswer::notFound);
  CHECK(report.status == ReportStatus::truncated);
  CHECK_FALSE(report.way);
  CHECK(report.search.work >= 30'000);
  CHECK_FALSE(report.hints.empty());
}

TEST_CASE("a way passes its guides, in their order", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const models::WayOutScene model = models::makePeg(1);
  RemovalOptions options = searching(1'000'000);
  const NodeId moved = model.assembly.at("peg/moved");
  const Scene scene(model.assembly);
  const RemovalReport straight = find(model, "peg/moved", searching(0));
  REQUIRE(straight.answer == RemovalAnswer::certain);
  const RigidMotion out = straight.way->certificate.track.steps.back().front();
  const Vec3 up = normalized(out.translation);
  // Far above the hole, first on one side and then on the other.
  const Vec3 aside = normalized(cross(up, {up.y + 1, up.z, up.x}));
  const double size = norm(out.translation);
  options.guides = {{{}, 2 * out.translation + size * aside}, {{}, 2 * out.translation - size * aside}};
  const RemovalReport report = findRemoval(scene, {}, std::vector{moved}, options);
  requireWay(scene, report, options, 300);
  const auto& steps = report.way->certificate.track.steps;
  auto at = steps.begin();
  for (const RigidMotion& guide : options.guides) {
    at = std::find_if(at, steps.end(), [&](const auto& step) { return step.front() == guide; });
    REQUIRE(at != steps.end());
  }
  // A guide in the block cannot be reached.
  options.guides = {{{}, size / 4 * aside}};
  const RemovalReport none = findRemoval(scene, {}, std::vector{moved}, options);
  CHECK(none.answer == RemovalAnswer::notFound);
  CHECK_FALSE(none.search.isEndFree);
  options.search.reset();
  CHECK_THROWS_AS(findRemoval(scene, {}, std::vector{moved}, options), InputError);
}

TEST_CASE("whoever watches a search for a way sees the poses that it reaches", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  RemovalOptions options = searching(20'000);
  std::size_t calls = 0, poses = 0;
  options.watch = [&](const RemovalSight& sight) {
    ++calls;
    CHECK(sight.pose.isRigid());
    poses = std::max(poses, sight.poses);
  };
  (void)find(models::makeRingOnLoop(), "ring/moved", options);
  CHECK(calls > 5);
  CHECK(poses > 100);
}

TEST_CASE("a search among poses that is cancelled leaves the answer undecided", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const models::WayOutScene model = models::makeRingOnLoop();
  RemovalOptions options = searching(1'000'000'000);
  std::stop_source stop;
  options.watch = [&](const RemovalSight& sight) {
    if (sight.poses > 200) stop.request_stop();
  };
  const RemovalReport report =
      findRemoval(Scene(model.assembly), {}, std::vector{model.assembly.at("ring/moved")}, options,
                  Progress(stop.get_token()));
  CHECK(report.search.poses > 200);
  CHECK(report.answer == RemovalAnswer::undecided);
  CHECK(report.status == ReportStatus::cancelled);
}

TEST_CASE("parts that are out already still pass the guides", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  Assembly assembly("far");
  const PartId box = assembly.addPart(sixSidedBox(10, 10, 10));
  const NodeId moved = assembly.addNode("moved", {}, {}, box);
  assembly.addNode("rest", shift(100, 0, 0), {}, box);
  RemovalOptions options = searching(100'000);
  options.guides = {{{}, {50, 0, 0}}};
  const RemovalReport report = findRemoval(Scene(assembly), {}, std::vector{moved}, options);
  REQUIRE(report.answer == RemovalAnswer::certain);
  CHECK(std::ranges::any_of(report.way->certificate.track.steps,
                            [&](const auto& step) { return step.front() == options.guides.front(); }));
}

TEST_CASE("ways among poses keep the clearances of rules, and chord errors", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const models::WayOutScene model = models::makeAlpha(1.5);
  RemovalOptions options = searching(20'000'000);
  Rule rule{"alpha/moved", "alpha/fixed"};
  rule.action = RuleAction::clearance;
  rule.distance = 1;
  options.rules.rules.push_back(rule);
  options.exactShapes = GENERATE(false, true);
  const RemovalReport report = find(model, "alpha/moved", options);
  requireWay(Scene(model.assembly), report, options, effort(200, 2000));
  REQUIRE(report.way->certificate.pairs.size() == 1);
  for (const CertifiedInterval& interval : report.way->certificate.pairs.front().intervals)
    CHECK(interval.atLeast >= 1);
}

TEST_CASE("searches with several seeds find the same way each time, the one of the least work",
          "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const models::WayOutScene model = models::makeAlpha(1.5);
  constexpr std::size_t maxWork = 2'000'000;
  RemovalOptions options = searching(maxWork);
  options.searches = 3;
  const RemovalReport first = find(model, "alpha/moved", options),
                      again = find(model, "alpha/moved", options);
  REQUIRE(first.answer == RemovalAnswer::certain);
  REQUIRE(again.way);
  CHECK(first.way->certificate.track.steps == again.way->certificate.track.steps);
  CHECK(first.search.work == again.search.work);
  CHECK(first.search.steps == again.search.steps);
  requireWay(Scene(model.assembly), first, options, 300);
  // The first of them, on its own, is one of the three.
  const RemovalReport alone = find(model, "alpha/moved", searching(maxWork));
  CHECK(first.search.steps <= alone.search.steps + alone.search.steps / 4);

  // Without a way, all of them do all of the work.
  options.maxWork = 5'000;
  const RemovalReport none = find(models::makeRingOnLoop(), "ring/moved", options);
  CHECK(none.answer == RemovalAnswer::notFound);
  CHECK(none.search.work >= 5'000);
  for (const std::size_t searches : {std::size_t{0}, mostRemovalSearches + 1}) {
    options.searches = searches;
    CHECK_THROWS_AS(find(model, "alpha/moved", options), InputError);
  }
}

TEST_CASE("several searches that are cancelled all end", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const models::WayOutScene model = models::makeRingOnLoop();
  RemovalOptions options = searching(1'000'000'000);
  options.searches = 3;
  std::stop_source stop;
  options.watch = [&](const RemovalSight& sight) {
    if (sight.poses > 100) stop.request_stop();
  };
  const RemovalReport report =
      findRemoval(Scene(model.assembly), {}, std::vector{model.assembly.at("ring/moved")}, options,
                  Progress(stop.get_token()));
  CHECK(report.status == ReportStatus::cancelled);
}

TEST_CASE("a way with less clearance leads to one that keeps it", "[planning][tree_search]") {
  if (!hasTreeSearch()) return;
  const models::WayOutScene model = models::makeAlpha(1.5);
  RemovalOptions options = searching(1'500'000);
  options.clearance = 2.2;  // of at most 2.5
  const RemovalReport report = find(model, "alpha/moved", options);
  REQUIRE(report.answer == RemovalAnswer::certain);
  CHECK(report.search.relaxed);
  requireWay(Scene(model.assembly), report, options, 300);
  REQUIRE(report.profile);
  REQUIRE(report.profile->atLeast);
  CHECK(*report.profile->atLeast > 2.1);
}

}  // namespace tree_search_tests

// Live checks that judge the triangles of what moves, and the exact shapes later.
#include <catch2/catch.hpp>

#include <stop_token>
#include <thread>

#include <fitup/scene/clash_depths.h>
#include <fitup/scene/live_interference.h>

#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/round_fits.h"

namespace catch_up_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("a live check that has caught up equals a full one on the exact shapes", "[scene][live][laws]") {
  for (const unsigned threads : {1U, 2U}) {
    const RoundFits fits({0.05, 0.005, -0.05});
    InterferenceOptions options = fits.options();
    options.threads = threads;
    LiveInterference live(fits.scene, {}, options, {}, JudgeExactShapes::onCatchUp);
    // By the triangles all of them clash.
    CHECK(differenceOfWhole(live.report(), checkAllPairs(fits.scene, {}, RoundFits::ofTriangles(options))) ==
          "");
    CHECK(live.report().count(Verdict::clash) == 3);
    CHECK(live.pairsOfTriangles() == 3);
    CHECK(fits.refiner->asked == 0);

    const InterferenceReport& exact = live.catchUp();
    CHECK(live.pairsOfTriangles() == 0);
    CHECK(fits.refiner->asked > 0);
    CHECK(differenceOfWhole(exact, checkAllPairs(fits.scene, {}, options)) == "");
    CHECK(exact.count(Verdict::clash) == 1);
    CHECK(exact.count(Verdict::contact) == 1);
    CHECK(exact.count(Verdict::clear) == 1);

    // A move asks for no mesh, and takes back only the verdicts of what moves.
    const std::size_t asked = fits.refiner->asked;
    Poses poses;
    for (const double by : {0.01, 0.02}) {
      poses.set(fits.pins[0], shift(by, 0, 0));
      const InterferenceReport& moved = live.moveTo(poses);
      CHECK(fits.refiner->asked == asked);
      CHECK(live.pairsOfTriangles() == 1);
      CHECK(moved.count(Verdict::clash) == 2);
      CHECK(moved.count(Verdict::contact) == 1);
    }
    CHECK(differenceOfWhole(live.catchUp(), checkAllPairs(fits.scene, poses, options)) == "");
    CHECK(live.report().count(Verdict::clear) == 1);
    CHECK(live.pairsOfTriangles() == 0);
  }
}

TEST_CASE("a live check judges exact shapes at once unless it is to catch up", "[scene][live]") {
  const RoundFits fits({0.05, -0.05});
  LiveInterference live(fits.scene, {}, fits.options());
  CHECK(live.pairsOfTriangles() == 0);
  CHECK(differenceOfWhole(live.report(), checkAllPairs(fits.scene, {}, fits.options())) == "");
  // Without a tolerance, or for parts without chord errors, there is nothing to catch up with.
  InterferenceOptions options = fits.options();
  options.verdict->tolerance.reset();
  CHECK(LiveInterference(fits.scene, {}, options, {}, JudgeExactShapes::onCatchUp).pairsOfTriangles() == 0);
  Assembly exact;
  const PartId cube = exact.addPart(withDeflection(tube(2, 1, 2, 8), 0));
  exact.addNode("a", {}, {}, cube);
  exact.addNode("b", shift(3, 0, 0), {}, cube);
  CHECK(LiveInterference(Scene(exact, buildCollisionModels(exact)), {}, fits.options(), {},
                         JudgeExactShapes::onCatchUp)
            .pairsOfTriangles() == 0);
}

TEST_CASE("catching up that is cancelled keeps what was judged, and continues", "[scene][live][limits]") {
  const RoundFits fits({0.05, 0.05, 0.05});
  LiveInterference live(fits.scene, {}, fits.options(), {}, JudgeExactShapes::onCatchUp);
  const InterferenceReport triangles = live.report();
  fits.refiner->isStuck = true;
  {
    std::stop_source source;
    const std::jthread cancel([&] {
      while (fits.refiner->asked == 0) std::this_thread::yield();
      source.request_stop();
    });
    CHECK(difference(live.catchUp(Progress(source.get_token())), triangles) == "");
  }
  CHECK(fits.refiner->cancelled == 1);
  CHECK(live.pairsOfTriangles() == 3);
  fits.refiner->isStuck = false;
  // A time that is over ends it after a pair.
  live.catchUp({}, std::chrono::nanoseconds{0});
  CHECK(live.pairsOfTriangles() == 2);
  CHECK(live.report().count(Verdict::clear) == 1);
  std::stop_source before;
  before.request_stop();
  live.catchUp(Progress(before.get_token()));
  CHECK(live.pairsOfTriangles() == 2);
  CHECK(differenceOfWhole(live.catchUp(), checkAllPairs(fits.scene, {}, fits.options())) == "");
}

TEST_CASE("an edited scene keeps what has caught up", "[scene][live]") {
  const RoundFits fits({0.05, 0.005, -0.05});
  const InterferenceOptions options = fits.options();
  LiveInterference live(fits.scene, {}, options, {}, JudgeExactShapes::onCatchUp);
  live.catchUp();
  // Another pin joins, in the middle of the second ring, and the first one leaves. Ids move up by two.
  Assembly edited("edited");
  for (std::uint32_t part = 0; part < fits.assembly.partCount(); ++part)
    edited.addPart(fits.assembly.sharedPart(PartId(part)));
  std::vector<std::optional<NodeId>> formerly;
  const auto add = [&](const std::string& name, const Transform& at, NodeId like, bool isFormer) {
    const NodeId node = edited.addNode(name, at, {}, fits.assembly.partOf(like));
    formerly.push_back(isFormer ? std::optional(like) : std::nullopt);
    return node;
  };
  add("new", shift(60, 0, 40), fits.pins[1], false);
  for (std::size_t i = 1; i < 3; ++i)
    for (const NodeId node : {fits.rings[i], fits.pins[i]})
      add(fits.assembly.node(node).name, fits.assembly.worldFromNode(node), node, true);
  const Scene scene(edited, fits.scene.collisionModels());
  const std::size_t asked = fits.refiner->asked;
  LiveInterference next(live, scene, {}, formerly);
  CHECK(next.pairsOfTriangles() == 1);  // the two pins
  CHECK(next.report().count(Verdict::contact) == 2);
  CHECK(next.report().count(Verdict::clash) == 1);
  CHECK(fits.refiner->asked == asked);
  CHECK(differenceOfWhole(next.catchUp(), checkAllPairs(scene, {}, options)) == "");
}

TEST_CASE("meshes of another part under the same id are not refined", "[scene]") {
  const RoundFits fits({0.05});
  CHECK(fits.refinement->isOf(PartId(0), fits.assembly.part(PartId(0))));
  Assembly exchanged("exchanged");
  for (const std::uint32_t part : {1U, 0U}) exchanged.addPart(fits.assembly.sharedPart(PartId(part)));
  exchanged.addNode("pin", {}, {}, PartId(0));
  exchanged.addNode("ring", {}, {}, PartId(1));
  CHECK_FALSE(fits.refinement->isOf(PartId(0), exchanged.part(PartId(0))));
  const Scene scene(exchanged, buildCollisionModels(exchanged));
  const InterferenceReport report = checkAllPairs(scene, {}, fits.options());
  REQUIRE(report.pairs.size() == 1);
  CHECK(report.pairs[0].is(Verdict::undecided));
  CHECK_THAT(report.pairs[0].verdict->undecidedBecause, Catch::Contains("a finer tessellation would decide"));
  CHECK(fits.refiner->asked == 0);
}

TEST_CASE("depths that follow are those of the exact shapes", "[scene][live]") {
  const RoundFits fits({-0.1});
  InterferenceOptions options = fits.options();
  options.verdict->regions = false;
  InterferenceReport report = checkAllPairs(fits.scene, {}, options);
  REQUIRE(report.pairs.size() == 1);
  REQUIRE(needsDepths(report));
  ClashDepths depths;
  const RoundFits others({-0.1});  // whose solids are not known yet
  others.refiner->isStuck = true;
  {
    std::stop_source source;
    const std::jthread cancel([&] {
      while (others.refiner->asked == 0) std::this_thread::yield();
      source.request_stop();
    });
    InterferenceReport open = report;
    depths.measure(others.scene, {}, open, *others.options().verdict, Progress(source.get_token()));
    CHECK(needsDepths(open));
  }
  depths.measure(fits.scene, {}, report, *options.verdict);
  CHECK_FALSE(needsDepths(report));
  options.verdict->regions = true;
  CHECK(differenceOfWhole(report, checkAllPairs(fits.scene, {}, options)) == "");
  CHECK(report.pairs[0].verdict->chordError > 0);
}

}  // namespace catch_up_tests

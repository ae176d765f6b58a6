#include <catch2/catch.hpp>

#include <fitup/motion/replay.h>
#include <models/process_plant.h>

#include "support/effort.h"
#include "support/interference_checks.h"
#include "support/report_checks.h"

namespace plant_replay_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Plant {
  Assembly assembly = models::makeProcessPlant();
  Track track = models::makeSpoolTrack(assembly);
  CollisionModels models = buildCollisionModels(assembly);

  [[nodiscard]] ReplayReport run(const IntersectionRequest& request) const {
    ReplayOptions options;
    options.interference.request = request;
    options.interference.threads = 0;
    return replay(Scene(assembly, models), {}, track, options);
  }
};

constexpr OverlapBoxSetting settings[] = {OverlapBoxSetting::on, OverlapBoxSetting::off,
                                          OverlapBoxSetting::classical};
constexpr QueryMode modes[] = {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs,
                               QueryMode::allTrianglePairs};

}  // namespace

TEST_CASE("the plant's replay: every mode, setting and vector form gives the same",
          "[motion][replay][plant]") {
  const Plant plant;
  const ReplayReport all = plant.run({});
  REQUIRE(all.status == ReportStatus::complete);
  REQUIRE(all.steps.size() == 233);
  for (const ReplayStep& step : all.steps) {
    INFO("step " << step.step);
    CHECK(step.interference.intersects());
    CHECK(step.interference.consideredPairs == 7);  // the spool against each other part
  }

  const auto mesh = [&](NodeId node) -> const TriangleMesh& { return plant.assembly.meshOf(node); };
  for (QueryMode mode : modes)
    for (OverlapBoxSetting setting : settings)
      for (VectorUse vectorUse : {VectorUse::best, VectorUse::scalar}) {
        const ReplayReport report = plant.run({.mode = mode, .overlapBox = setting, .vectorUse = vectorUse});
        REQUIRE(report.status == ReportStatus::complete);
        REQUIRE(report.steps.size() == all.steps.size());
        for (std::size_t k = 0; k < all.steps.size(); ++k) {
          const InterferenceReport &found = report.steps[k].interference, &whole = all.steps[k].interference;
          INFO(name(mode) << ", overlap box " << name(setting)
                          << (vectorUse == VectorUse::best ? "" : ", scalar") << ", step " << k);
          REQUIRE(found.pairs.size() == whole.pairs.size());
          for (std::size_t i = 0; i < whole.pairs.size(); ++i) {
            const PairInterference &f = found.pairs[i], &w = whole.pairs[i];
            REQUIRE((f.a == w.a && f.b == w.b));
            REQUIRE(problemOf(f.report, mode, w.report, mesh(f.a), mesh(f.b)) == "");
          }
        }
      }
}

TEST_CASE("the first pair of a step is there exactly when the step intersects", "[motion][replay][plant]") {
  const Plant plant;
  const ReplayReport all = plant.run({});
  ReplayOptions options;
  options.interference.stopAtFirstPair = true;
  const ReplayReport first = replay(Scene(plant.assembly, plant.models), {}, plant.track, options);
  REQUIRE(first.steps.size() == all.steps.size());
  for (std::size_t k = 0; k < all.steps.size(); ++k) {
    const InterferenceReport &found = first.steps[k].interference, &whole = all.steps[k].interference;
    CHECK(found.status == ReportStatus::complete);
    REQUIRE(found.pairs.size() == std::min<std::size_t>(1, whole.pairs.size()));
    CHECK(problemOfPart(found, whole) == "");
  }
}

TEST_CASE("some steps of the plant equal brute force", "[motion][replay][plant]") {
  Plant plant;
  std::vector<std::vector<RigidMotion>> some;
  for (std::size_t k : effort(std::vector<std::size_t>{0, 60}, {0, 60, 150}))
    some.push_back(plant.track.steps[k]);
  plant.track.steps = some;
  const ReplayReport report = plant.run({});
  const std::vector<NodeId> instances = plant.assembly.instances();
  const NodeId spool = plant.assembly.at(models::spoolPath);
  for (std::size_t k = 0; k < some.size(); ++k) {
    std::vector<Transform> poses = designPlacements(plant.assembly);
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (instances[i] == spool) poses[i] = some[k][0].transform() * poses[i];
    const InterferenceReport expected = loopOverPairs(
        plant.assembly, plant.models, poses,
        [&](std::size_t i, std::size_t j) { return instances[i] == spool || instances[j] == spool; });
    CHECK(difference(report.steps[k].interference, expected) == "");
  }
}

}  // namespace plant_replay_tests

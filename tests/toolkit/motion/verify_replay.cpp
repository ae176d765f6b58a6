#include <fitup/motion/verify_replay.h>

#include <catch2/catch.hpp>

#include "support/tiny_meshes.h"

namespace verify_replay_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

RigidMotion shift(double x) { return {{}, {x, 0, 0}}; }

/// Unit cubes "c0", "c1", ... 2 apart along x; the first one is pushed through the others, or the first two
/// are, together or one after the other.
struct Row {
  Assembly assembly{"row"};
  CollisionModels models;
  Track track;

  explicit Row(std::vector<std::string> moved, bool alike) {
    const PartId part = assembly.addPart(sixSidedBox(1, 1, 1));
    for (int i = 0; i < 4; ++i)
      assembly.addNode("c" + std::to_string(i), Transform::translation({2.0 * i, 0.25, 0}), {}, part);
    models = buildCollisionModels(assembly, {}, {}, 1);
    track.moved = std::move(moved);
    for (int k = 0; k < 12; ++k) {
      std::vector<RigidMotion> step{shift(0.5 * k)};
      if (track.moved.size() > 1) step.push_back(shift(alike ? 0.5 * k : -0.25 * k));
      track.steps.push_back(step);
    }
  }
  [[nodiscard]] VerificationReport verified(const ReplayReport& report,
                                            const ReplayOptions& options = {}) const {
    return verifyReplay(Scene(assembly, models), {}, track, options, report);
  }
};

}  // namespace

TEST_CASE("a replay agrees with the oracle at every step, a step that lost a pair is named",
          "[motion][verify]") {
  for (const Row& row : {Row({"c0"}, false), Row({"c0", "c1"}, true), Row({"c0", "c1"}, false)})
    for (const QueryMode mode : {QueryMode::allSurfacePairs, QueryMode::allTrianglePairs}) {
      ReplayOptions options;
      options.interference.request.mode = mode;
      ReplayReport report = replay(Scene(row.assembly, row.models), {}, row.track, options);
      const VerificationReport right = row.verified(report, options);
      CHECK(right.differences.empty());
      CHECK(right.status == ReportStatus::complete);
      CHECK(right.bruteForcePairs > 5);

      std::size_t at = 0;
      for (const ReplayStep& step : report.steps)
        if (step.interference.intersects()) at = step.step;
      REQUIRE(at > 0);
      report.steps[at].interference.pairs.clear();
      const VerificationReport found = row.verified(report, options);
      REQUIRE(found.differences.size() == 1);
      CHECK(found.differences[0].step == at);
      CHECK(found.differences[0].discrepancy.problem.starts_with("missed"));
      CHECK_FALSE(found.differences[0].reproduction.comesBack);
    }
}

}  // namespace verify_replay_tests

#include "motions.h"

#include <functional>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/motion/certify.h>
#include <fitup/motion/replay.h>
#include <models/process_plant.h>

#include "stopwatch.h"

namespace fitup::bench {
namespace {

constexpr double tolerance = 0.1;

BenchMotion spool(bool quick) {
  const models::ProcessPlantOptions options{.clearance = 0.5};
  BenchMotion motion{"spool", fitup::Scene(models::makeProcessPlant(options)), {}};
  motion.track = models::makeSpoolTrack(motion.scene.assembly(), options);
  if (quick) motion.track.steps.resize(5);
  return motion;
}

std::vector<MotionContestant> ours(const BenchMotion& motion) {
  const auto checkSteps = [&motion] {
    ReplayOptions options;
    options.interference.verdict = VerdictOptions{.tolerance = tolerance};
    for (const ReplayStep& step : replay(motion.scene, {}, motion.track, options).steps)
      if (step.interference.needsAction()) throw Error("a step clashes");
  };
  const auto certifyAll = [&motion] {
    CertifyOptions options;
    options.tolerance = tolerance;
    if (certify(motion.scene, {}, motion.track, options).answer() != CertifyAnswer::certain)
      throw Error("the motion is not certified");
  };
  return {{"fitup replay --verdict", "verdicts at the steps", checkSteps},
          {"fitup certify", "nothing touches, at the steps and between", certifyAll}};
}

}  // namespace

std::vector<MotionRow> runMotions(int rounds, bool quick, const MotionPeers& peers) {
  const BenchMotion motion = spool(quick);
  std::vector<MotionContestant> contestants = ours(motion);
  for (MotionContestant& peer : peers(motion)) contestants.push_back(std::move(peer));
  std::vector<std::vector<double>> times(contestants.size()), ratios(contestants.size());
  for (int round = -1; round < rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double time = processorMilliseconds(contestants[i].run);
      if (round < 0) continue;  // makes solids and fills caches
      times[i].push_back(time);
      ratios[i].push_back(time / times[0].back());
    }
  std::vector<MotionRow> rows;
  for (std::size_t i = 0; i < contestants.size(); ++i)
    rows.push_back({motion.name, contestants[i].name, contestants[i].note, medianInterval(times[i]),
                    medianInterval(ratios[i])});
  return rows;
}

void print(const std::vector<MotionRow>& rows) {
  fmt::print("A whole motion, without building\n{:<8}{:<38}{:<28}{:<30}{}\n", "scene", "contestant", "ms",
             "ratio", "answer");
  for (const MotionRow& row : rows)
    fmt::print("{:<8}{:<38}{:<28}{:<30}{}\n", row.scene, row.contestant, text(row.milliseconds),
               text(row.ratio), row.note);
}

}  // namespace fitup::bench

#pragma once

#include <functional>
#include <string>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/scene.h>

#include "statistics.h"

namespace fitup::bench {

/// A motion that is free.
struct BenchMotion {
  std::string name;
  fitup::Scene scene;
  Track track;
};

/// A program that checks a whole motion; `run` throws Error if it finds that it is not free.
struct MotionContestant {
  std::string name, note;
  std::function<void()> run;
};
/// Returns the peers, which have built what they need. They refer to the motion.
using MotionPeers = std::function<std::vector<MotionContestant>(const BenchMotion&)>;
/// All peers that were found.
std::vector<MotionContestant> makeMotionPeers(const BenchMotion& motion);

/// One way to check a whole motion.
struct MotionRow {
  std::string scene, contestant;
  std::string note;             ///< what it says about the motion
  MedianInterval milliseconds;  ///< of processor time, for the whole motion
  MedianInterval ratio;         ///< to the first contestant of the scene, round by round
};

/// The spool's way out of the plant with clearance: `replay` with verdicts at
/// the steps, `certify`, and FCL's continuous collision for each pair and step (conservative advancement,
/// and sampling). Times without building. Throws Error if one finds the motion not free. `quick`: a few
/// steps.
std::vector<MotionRow> runMotions(int rounds, bool quick, const MotionPeers& peers);

/// Prints to standard output.
void print(const std::vector<MotionRow>& rows);

}  // namespace fitup::bench

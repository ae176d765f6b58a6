#pragma once

#include <functional>
#include <map>

#include "contestant.h"

namespace fitup::bench {

/// The kind of time that is measured.
enum class ClockKind {
  processor,  ///< processor time of this process, all its threads; hardly affected by other programs
  wall,       ///< for contestants with several threads
};

/// The length of a run. Slower contestants get fewer steps and rounds, and are then divided by the
/// reference's time over the same steps.
struct Effort {
  ClockKind clock = ClockKind::processor;
  int rounds = 11;
  /// For slow contestants and for builds: the smallest number whose interval excludes one outlier on each
  /// side.
  int fewestRounds = 9;
  /// For slow contestants; costs rounds as long as there are more than the fewest.
  int fewestSteps = 8;
  double passSeconds = 0.06;  ///< a round of a contestant; at least one step
  double checkSeconds = 0.3;  ///< time of the pass that compares its counts
  /// A contestant that needs longer for a step is left out of the scene; one that rebuilds, whatever the
  /// poses, of all scenes of these parts.
  double longestStep = 1.0;
  /// A pass is repeated within a round until it takes this long, so that neither the resolution of the clock
  /// nor the caches left by another contestant matter, which would cost fast contestants a larger share of
  /// the time.
  double shortestPass = 0.02;
};

/// Receives a line about the progress, for waiting users.
using Watch = std::function<void(const std::string&)>;

/// Contestants that took too long for a step, each with the message about it.
using TooSlow = std::map<const Contestant*, std::string>;

/// Whether a contestant can answer the question at all.
bool canAnswer(const Contestant& contestant, const Question& question);

/// Asks all contestants every question of a scene in one mode, or for the distance, and times them in turn,
/// round by round, each between two passes of the reference. `reference` is one of them and can answer. The
/// right answers are those of Fitup's contestants: of the reference if it is one of them, otherwise of the
/// first that can answer. Contestants in `tooSlow` are left out, and further ones are added.
QueryTable measureQueries(const Scene& scene, const Question& question, const Contestants& contestants,
                          Contestant& reference, const Effort& effort, TooSlow& tooSlow);

/// Returns how many times faster a contestant answers one question than another, over all steps of a scene.
/// Each round times the one between two passes of the other, as for contestants. Times of two tables would be
/// minutes apart, in which the speed of a machine changes.
MedianInterval timesFaster(const Scene& scene, const Question& question, const Question& other,
                           Contestant& contestant, const Effort& effort);

/// Builds the parts of a scene with every contestant, in turn, round by round; leaves them built.
BuildTable measureBuilds(const Scene& scene, const Contestants& contestants, const Effort& effort, int rounds,
                         const Watch& watch);

}  // namespace fitup::bench

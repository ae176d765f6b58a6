#pragma once

#include <functional>
#include <map>

#include "contestant.h"

namespace fitup::bench {

/// What the times are.
enum class ClockKind {
  processor,  ///< of this process, all its threads: other programs on the machine hardly disturb it
  wall,       ///< for contestants with several threads
};

/// How long a run takes. Contestants that need more get fewer steps and rounds, and are then divided by the
/// reference's time over the same steps.
struct Effort {
  ClockKind clock = ClockKind::processor;
  int rounds = 11;
  /// Of slow contestants, and of those who build: the fewest whose interval leaves out a stray one on each
  /// side.
  int fewestRounds = 9;
  /// Of slow contestants, at the cost of rounds as far as there are more than the fewest.
  int fewestSteps = 8;
  double passSeconds = 0.06;  ///< a round of a contestant; at least one step
  double checkSeconds = 0.3;  ///< of the pass that compares its counts
  /// A contestant that takes longer for a step is left out of the scene; one that rebuilds, whatever the
  /// poses, of all scenes of these parts.
  double longestStep = 1.0;
  /// A pass is repeated within a round until it takes as long, so that neither the clock's grain matters nor
  /// caches that another contestant left: who is fast would pay for them with a larger part of the time.
  double shortestPass = 0.02;
};

/// A line on what is going on, for people who wait.
using Watch = std::function<void(const std::string&)>;

/// Contestants that took too long for a step, and what to say about it.
using TooSlow = std::map<const Contestant*, std::string>;

/// Whether a contestant can be asked so at all.
bool canAnswer(const Contestant& contestant, const Question& question);

/// Asks all contestants every question of a scene in one mode, or for the distance, and times them in turn,
/// round by round, each between two passes of the reference. `reference` is one of them and can answer. Right
/// is what Fitup's contestants say: the reference if it is one of them, else the first that can answer.
/// Contestants in `tooSlow` are left out; those that turn out to be are added.
QueryTable measureQueries(const Scene& scene, const Question& question, const Contestants& contestants,
                          Contestant& reference, const Effort& effort, TooSlow& tooSlow);

/// How many times faster a contestant answers one question than another, over all steps of a scene. Each
/// round asks the one between two passes of the other, as contestants are compared: times of two tables are
/// taken minutes apart, in which a machine changes its speed.
MedianInterval timesFaster(const Scene& scene, const Question& question, const Question& other,
                           Contestant& contestant, const Effort& effort);

/// Builds the parts of a scene with every contestant, in turn, round by round; leaves them built.
BuildTable measureBuilds(const Scene& scene, const Contestants& contestants, const Effort& effort, int rounds,
                         const Watch& watch);

}  // namespace fitup::bench

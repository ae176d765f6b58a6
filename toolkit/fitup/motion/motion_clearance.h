#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fitup/motion/replay.h>
#include <fitup/scene/clearance.h>

namespace FITUP_EXPORT fitup {

/// Options of a search for the least clearance along a motion. Lengths in the world's unit.
struct MotionClearanceOptions {
  /// Largest clearance that is measured. Unset: any. Smaller: faster.
  std::optional<double> range{};
  /// Largest difference between a reported clearance and its lower bound. Unset: 2^-10 of the diagonal of the
  /// moved parts. Smaller: more queries, in inverse proportion along faces that slide past each other. It is
  /// raised if rounding requires it.
  std::optional<double> resolution{};
  /// Ignored pairs, and pairs outside the sets to check, do not count.
  Rules rules{};
  VectorUse vectorUse = VectorUse::best;
  QueryLimits limits{};  ///< `maxPairs` is not used
  /// Maximum number of distances measured; beyond it the report is truncated.
  std::size_t maxQueries = 10'000'000;
  bool force = false;  ///< accepts a track recorded on a model with a different hash
};

/// The least clearance of a moved instance over a motion.
struct LeastClearance {
  double time = 0;  ///< in steps of the track: 2.25 is a quarter of the way from step 2 to step 3
  /// The pair at that time; `a` is the moved instance. The points are in the world, at that time.
  InstanceDistance pair;
  /// At every time of the motion, the triangles of the moved instance are at least this far from all others.
  double atLeast = 0;
};

/// The result of `motionClearance`. Lengths in the world's unit.
struct MotionClearanceReport {
  /// One entry for each moved instance, by instance; without those that nothing comes nearer to than the
  /// range, or that have no pair.
  std::vector<LeastClearance> parts;
  std::optional<double> range;
  double resolution = 0;
  std::size_t consideredPairs = 0;  ///< of instances in relative motion, in the sets to check
  std::size_t queries = 0;          ///< distances measured
  /// If it is not complete, clearances are upper bounds, parts may be missing, and every `atLeast` is 0.
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;
  double milliseconds = 0;  ///< wall clock
};

/// Finds, for every moved instance, its least distance along the track from the instances that rest (at
/// `poses`) or do not move together with it, including between steps.
///
/// Between two times s < t of a step, the distance of a pair whose parts move at most at speed v is at least
/// (d(s) + d(t) - v (t - s)) / 2. Intervals that may hold a smaller distance than the least one found are
/// divided, the most promising first. No pass is therefore missed, however fast it is. Distances are those of
/// surfaces, as in `distance`: 0 if they intersect, positive for a part inside another one.
///
/// Throws as `firstContact`.
MotionClearanceReport motionClearance(const Scene& scene, const Poses& poses, const Track& track,
                                      const MotionClearanceOptions& options = {},
                                      const Progress& progress = {});

}  // namespace fitup

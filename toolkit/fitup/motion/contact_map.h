#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fitup/motion/replay.h>
#include <fitup/query/distance_error.h>

namespace FITUP_EXPORT fitup {

/// Options of a contact map. Lengths in the world's unit.
struct ContactMapOptions {
  /// Largest clearance that is measured. Unset: a fiftieth of the diagonal of the moved parts. Larger:
  /// slower.
  std::optional<double> range{};
  /// Largest distance that counts as contact; at most `range`.
  double contactAt = 0;
  /// Ignored pairs, and pairs outside the sets to check, do not count.
  Rules rules{};
  unsigned threads = 1;  ///< over steps, 0: one for each core; the map does not depend on it
  VectorUse vectorUse = VectorUse::best;
  QueryLimits limits{};  ///< `maxPairs` is not used
  bool force = false;    ///< accepts a track recorded on a model with a different hash
};

/// The approach of one surface to another, and its step.
struct SurfaceApproach {
  std::size_t step = 0;
  double distance = 0;
  NodeId other{};
  SurfaceId otherSurface{};
  Vec3 point, otherPoint;  ///< in the world, at that step
  /// By how much the distance of the exact faces may differ, from their chord errors and from rounding.
  DistanceError error{};
};

/// The approaches of one surface of an instance over the motion.
struct SurfaceContact {
  NodeId instance{};
  SurfaceId surface{};
  bool moves = false;
  SurfaceApproach least;                 ///< the least clearance, at the first step that has it
  std::optional<SurfaceApproach> first;  ///< contact at the first step that has one; the nearest of that step
};

/// The result of `contactMap`. Lengths in the world's unit.
struct ContactMap {
  /// Every surface of a moved or resting part that comes within the range, by instance and surface.
  std::vector<SurfaceContact> surfaces;
  double range = 0, contactAt = 0;
  std::size_t steps = 0;
  std::size_t answeredSteps = 0;  ///< fewer than `steps` if the status is not complete
  ReportStatus status = ReportStatus::complete;
  double milliseconds = 0;  ///< wall clock
};

/// Finds, for every surface of moved and resting parts, the step of the track at which it first has contact,
/// and its least clearance over all steps. It measures against surfaces of parts that do not move along with
/// it. Parts that the track does not move rest at `poses`. Poses between steps are not examined;
/// `firstContact` does that. An incomplete map lacks steps.
///
/// Throws as `resolve` and `distance`, and InputError for lengths that are negative or not finite.
ContactMap contactMap(const Scene& scene, const Poses& poses, const Track& track,
                      const ContactMapOptions& options = {}, const Progress& progress = {});

}  // namespace fitup

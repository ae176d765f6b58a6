#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fitup/motion/replay.h>

namespace FITUP_EXPORT fitup {

/// Lengths in the world's unit.
struct ContactMapOptions {
  /// Clearances up to here are measured. Unset: a fiftieth of the diagonal of what moves. Larger: slower.
  std::optional<double> range{};
  /// Counts as contact: being at most so far apart; at most `range`.
  double contactAt = 0;
  /// Pairs that are ignored, or outside the sets to check, do not count.
  Rules rules{};
  unsigned threads = 1;  ///< over steps, 0: one for each core. The map does not depend on it
  VectorUse vectorUse = VectorUse::best;
  QueryLimits limits{};  ///< `maxPairs` is not used
  bool force = false;    ///< accepts a track recorded on a model with another hash
};

/// Another surface that one comes near, and when.
struct SurfaceApproach {
  std::size_t step = 0;
  double distance = 0;
  NodeId other{};
  SurfaceId otherSurface{};
  Vec3 point, otherPoint;  ///< in the world, at that step
};

/// What happens to one surface of an instance over the motion.
struct SurfaceContact {
  NodeId instance{};
  SurfaceId surface{};
  bool moves = false;
  SurfaceApproach least;                 ///< the least clearance, at the first step that has it
  std::optional<SurfaceApproach> first;  ///< contact at the first step that has one; the nearest of them
};

struct ContactMap {
  /// Of moved and resting parts: every surface that comes within the range, by instance and surface.
  std::vector<SurfaceContact> surfaces;
  double range = 0, contactAt = 0;
  std::size_t steps = 0;
  std::size_t answeredSteps = 0;  ///< fewer than `steps` if the status is not complete
  ReportStatus status = ReportStatus::complete;
  double milliseconds = 0;  ///< wall clock
};

/// For every surface of moved and of resting parts: at which step of the track it first has contact, and its
/// least clearance over all steps, against surfaces of parts that move otherwise. What the track does not
/// move rests where `poses` have it. Poses between steps are not
/// looked at (`firstContact` does). In a map that is not complete, steps are missing.
///
/// Throws as `resolve` and `distance`; InputError for lengths that are negative or no numbers.
ContactMap contactMap(const Scene& scene, const Poses& poses, const Track& track,
                      const ContactMapOptions& options = {}, const Progress& progress = {});

}  // namespace fitup

#pragma once

#include <vector>

#include <fitup/base/progress.h>
#include <fitup/motion/track.h>
#include <fitup/query/distance_along.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// The way of an instance between two steps of a track.
struct InstanceWay {
  UniformWay way;    ///< in the world; keeps what it needs alive
  double speed = 0;  ///< between s and s', no point of the part moves by more than |s' - s| times this
};

/// The ways of a moved instance.
struct InstanceWays {
  NodeId instance{};
  Box box;                        ///< of the part in the design placement, in the world; conservative
  std::vector<InstanceWay> ways;  ///< from each step to the next one; of a track of one step, one that rests
};

/// The ways of all moved instances that have triangles.
struct TrackWays {
  std::vector<InstanceWays> instances;
  /// Bound on the error of a distance by the rounding of placements and of poses between steps.
  double rounding = 0;
};

/// Resolves a track. Throws as `resolve`; InputError for a step so far away that rounding would hide contact;
/// CancelledError.
TrackWays instanceWays(const Scene& scene, const Track& track, bool force = false,
                       const Progress& progress = {});

}  // namespace fitup

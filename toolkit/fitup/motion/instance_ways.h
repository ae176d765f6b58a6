#pragma once

#include <optional>
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

/// Which ways are asked for.
struct InstanceWaysRequest {
  bool force = false;  ///< accepts a track recorded on a model with a different hash
  /// An instance that is the frame: what keeps its place to it has no ways. Unset: the world.
  std::optional<NodeId> relativeTo{};
  /// Instances and subassemblies that have ways. Those that rest in the world count if the frame moves.
  /// Empty: all that the track moves.
  std::vector<NodeId> parts{};
};

/// The ways of an instance.
struct InstanceWays {
  NodeId instance{};
  Box box;                        ///< of the part in the design placement, in the world; conservative
  std::vector<InstanceWay> ways;  ///< from each step to the next one; of a track of one step, one that rests
};

/// The ways, in the world, of all instances that were asked for, move relative to the frame and have
/// triangles.
struct TrackWays {
  std::vector<InstanceWays> instances;
  /// The motion of the frame in the world, from its design placement, by step as those of the instances.
  /// Empty: the frame rests.
  std::vector<UniformWay> frame;
  /// Bound on the error of a distance by the rounding of placements and of poses between steps.
  double rounding = 0;
};

/// Resolves a track. Throws as `resolve`; InputError for a step so far away that rounding would hide contact,
/// for a frame that is not an instance, and for parts that the assembly does not have; CancelledError.
TrackWays instanceWays(const Scene& scene, const Track& track, const InstanceWaysRequest& request = {},
                       const Progress& progress = {});

}  // namespace fitup

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>

namespace fitup::bench {

/// A part, or a rigid group, and the way that a hand draws it. Lengths in the model's unit.
struct SlideTask {
  std::vector<std::string> instances;  ///< paths; the first one names the group
  std::vector<RigidMotion> way;  ///< of a steady hand, from the design placement; the last pose is the goal
  double positionNoise = 0;      ///< of the hand: half the side of the cube in which it errs
  double angleNoise = 0;         ///< the same of its turn: radians about each axis
  /// Path of the part that stops it on the way; empty: it comes out, to the last pose.
  std::string stopsAt{};
};

/// A model and the parts that are drawn out of it.
struct SlideModel {
  std::string name;
  Assembly assembly;
  std::optional<double> tolerance;  ///< unless another one is asked for; unset: that of each pair
  std::vector<SlideTask> tasks;
};

/// Returns a model for which there are tasks: `plant`, which is made, or a file with one of the names
/// "as1-oc-214.stp" and "13_5_hinge_R_assy.stp". Throws InputError for others, and as `readAssembly`.
SlideModel slideModel(const std::string& nameOrFile);

}  // namespace fitup::bench

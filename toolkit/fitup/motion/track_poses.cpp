#include <fitup/motion/track_poses.h>

#include <cmath>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/motion/detail/rigid_path.h>

namespace fitup {

TrackPoses::TrackPoses(Track track, const Assembly& assembly, bool force)
    : track_(std::move(track)), groups_(resolve(track_, assembly, force)) {
  for (const MovedGroup& group : groups_) {
    Box box;
    for (const NodeId node : group.instances) box.extend(assembly.worldBounds(node));
    centres_.push_back(box.empty() ? Vec3{} : box.centre());
  }
}

std::vector<RigidMotion> TrackPoses::at(double time) const {
  if (track_.steps.empty() || !(time >= 0) || !(time <= static_cast<double>(track_.steps.size() - 1)))
    throw InputError("track '" + track_.name + "'", "step " + numberText(time), "does not exist");
  const auto step = static_cast<std::size_t>(time);
  const double s = time - std::floor(time);
  if (s == 0) return track_.steps[step];
  std::vector<RigidMotion> poses;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    poses.push_back(
        RigidPath(track_.steps[step][g], track_.steps[step + 1][g], centres_[g], track_.wayTo(step + 1, g))
            .at(s));
  return poses;
}

}  // namespace fitup

#pragma once

#include <vector>

#include <fitup/motion/replay.h>

namespace FITUP_EXPORT fitup {

/// The poses of a track in its assembly at any time, along the ways between its steps. Immutable.
class TrackPoses {
 public:
  /// Throws as `resolve`.
  TrackPoses(Track track, const Assembly& assembly, bool force = false);

  [[nodiscard]] const Track& track() const noexcept { return track_; }
  /// The moved nodes, in the order of the track.
  [[nodiscard]] const std::vector<MovedGroup>& groups() const noexcept { return groups_; }
  /// The motion of each moved path from its design placement; 2.25 is a quarter of the way from step 2 to
  /// step
  /// 3. At the steps these are the poses of the track, bit by bit. Throws InputError for a time that the
  /// track does not have.
  [[nodiscard]] std::vector<RigidMotion> at(double time) const;

 private:
  Track track_;
  std::vector<MovedGroup> groups_;
  std::vector<Vec3> centres_;  ///< by group: of its box, in the world, in the design placement
};

}  // namespace fitup

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/motion/track.h>

namespace fitup::viewer {

/// How close recorded steps may lie; a pose is recorded when it is farther from the last one by either.
struct RecordingSteps {
  double distance = 1;  ///< of the moved box's centre, in the assembly's unit
  double degrees = 2;
};

/// Makes a track of the poses of dragged instances. One thread.
class TrackRecorder {
 public:
  /// `moved` are paths of instances, `centre` that of their common box by design, in the world.
  TrackRecorder(std::vector<std::string> moved, const Vec3& centre, std::string unit, std::uint64_t modelHash,
                const RecordingSteps& steps = {});

  /// Motions from the design placement, one for each path. True if they were recorded. `always`: a key pose,
  /// recorded unless it is the last one.
  bool add(std::span<const RigidMotion> poses, bool always = false);
  [[nodiscard]] const Track& track() const noexcept { return track_; }

 private:
  [[nodiscard]] bool isApart(const RigidMotion& a, const RigidMotion& b) const;

  Track track_;
  Vec3 centre_;
  RecordingSteps steps_;
};

}  // namespace fitup::viewer

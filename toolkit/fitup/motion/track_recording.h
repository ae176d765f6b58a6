#pragma once

#include <optional>
#include <span>
#include <utility>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

/// How close recorded steps may lie; a pose is recorded when it is farther from the last one by either.
struct RecordingSteps {
  double distance = 1;  ///< of the moved box's centre, in the assembly's unit
  double degrees = 2;
};

/// Makes a track of the poses of what is moved by hand. One thread.
class TrackRecording {
 public:
  /// `begun` says what moves, in which unit, on which model, under which name; its steps come first. `centre`
  /// is that of what moves by design, in the world.
  explicit TrackRecording(Track begun, const Vec3& centre = {}, const RecordingSteps& steps = {})
      : track_(std::move(begun)), centre_(centre), steps_(steps) {}

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

}  // namespace fitup

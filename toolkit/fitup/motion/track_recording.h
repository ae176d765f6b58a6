#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

/// Spacing of recorded steps: a pose is recorded if it differs from the last one by at least either value.
struct RecordingSteps {
  double distance = 1;  ///< moved by the centre of the moved box, in the assembly's unit
  double degrees = 2;
};

/// Makes a track from poses of parts that are moved by hand. Not thread-safe.
class TrackRecording {
 public:
  /// Continues `begun`, which gives the moved paths, unit, model hash and name; its steps come first.
  /// `centre` is the centre of the moved parts in the design placement, in the world.
  explicit TrackRecording(Track begun, const Vec3& centre = {}, const RecordingSteps& steps = {})
      : track_(std::move(begun)), centre_(centre), steps_(steps) {}

  /// Adds a step; `poses` are motions from the design placement, one for each path. Returns true if the step
  /// was recorded. With `always` it is recorded unless it equals the last one.
  ///
  /// `turn` is the motion since the last recorded step, if that is known: the way of the paths whose poses it
  /// leads to. Other ways are straight; those of paths that are turned together are about one centre, since
  /// otherwise each would turn about its own between the steps.
  bool add(std::span<const RigidMotion> poses, bool always = false, const std::optional<AxisTurn>& turn = {});
  /// Records one more path from now on. It has had `motion` from the design placement since the first step.
  /// Throws InputError if it is already recorded.
  void addMoved(std::string path, const RigidMotion& motion);
  [[nodiscard]] const Track& track() const noexcept { return track_; }

 private:
  [[nodiscard]] bool isApart(const RigidMotion& a, const RigidMotion& b) const;
  [[nodiscard]] std::vector<StepWay> waysTo(std::span<const RigidMotion> poses,
                                            const std::optional<AxisTurn>& turn) const;

  Track track_;
  Vec3 centre_;
  RecordingSteps steps_;
};

}  // namespace fitup

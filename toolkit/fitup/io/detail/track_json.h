#pragma once

#include <optional>

#include <fitup/io/detail/json_fields.h>
#include <fitup/motion/track.h>

namespace fitup::detail {

/// Normalises a quaternion that was written with few digits. One that is already a unit is kept bit by bit,
/// so that writing and reading change nothing. Empty if it is not a rotation.
std::optional<Quaternion> asRotation(const Quaternion& q);

/// Reads the rotations of a track, and counts those that had to be normalised.
class RotationReader {
 public:
  /// Empty if it is not a rotation.
  std::optional<Quaternion> read(const Quaternion& q, std::size_t step, const std::string& path);
  /// Adds a warning with the first of them, if there are any.
  void addWarning(Track& track) const;

 private:
  std::size_t count_ = 0, step_ = 0;
  std::string path_;
  double error_ = 0;
};

/// The motion that turns about `pivot` and then takes it by `translation`.
RigidMotion motionAboutPivot(const Quaternion& rotation, const Vec3& translation, const Vec3& pivot);
/// The translation of the pivot by a motion. `motionAboutPivot` gives the same motion again, bit by bit if
/// the motion came from there, otherwise up to rounding.
Vec3 translationOfPivot(const RigidMotion& motion, const Vec3& pivot);

/// The version of the format that a track needs: 2 if it has ways.
int trackVersion(const Track& track);
/// Reads `translation` and `rotation` (x, y, z, w).
RigidMotion motionFrom(const JsonField& field);
nlohmann::ordered_json motionJson(const RigidMotion& motion);

/// Reads the members of a track besides its format and version (docs/reference/track.md); fails as
/// `readTrack`.
Track trackFrom(const JsonField& field, int version);
/// All of these except the steps.
nlohmann::ordered_json trackHeadJson(const Track& track);
/// A pose of a step, with its way. With a turn, the pose itself is left out: it follows from the step before.
nlohmann::ordered_json poseJson(const Track& track, std::size_t step, std::size_t i);

/// The whole track, without format and version.
nlohmann::ordered_json trackJson(const Track& track);

}  // namespace fitup::detail

#pragma once

#include <optional>

#include <fitup/io/detail/json_fields.h>
#include <fitup/motion/track.h>

namespace fitup::detail {

/// Normalises a quaternion that was written with few digits. One that is already a unit is kept bit by bit,
/// so that writing and reading change nothing. Empty if it is not a rotation.
std::optional<Quaternion> asRotation(const Quaternion& q);

/// Reads `translation` and `rotation` (x, y, z, w).
RigidMotion motionFrom(const JsonField& field);
nlohmann::ordered_json motionJson(const RigidMotion& motion);

/// Reads the members of a track besides its format and version (docs/reference/track.md); fails as
/// `readTrack`.
Track trackFrom(const JsonField& field);
/// All of these except the steps.
nlohmann::ordered_json trackHeadJson(const Track& track);

}  // namespace fitup::detail

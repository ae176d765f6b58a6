#pragma once

#include <optional>

#include <fitup/io/detail/json_fields.h>
#include <fitup/motion/track.h>

namespace fitup::detail {

/// A quaternion written with few digits is brought to unit length; one that is a unit already is kept bit by
/// bit, so that reading what was written changes nothing. Nothing for what is no rotation.
std::optional<Quaternion> asRotation(const Quaternion& q);

/// `translation` and `rotation` (x, y, z, w).
RigidMotion motionFrom(const JsonField& field);
nlohmann::ordered_json motionJson(const RigidMotion& motion);

/// The members of a track beside its format and version (docs/reference/track.md); fails as `readTrack` says.
Track trackFrom(const JsonField& field);
/// All of these but the steps.
nlohmann::ordered_json trackHeadJson(const Track& track);

}  // namespace fitup::detail

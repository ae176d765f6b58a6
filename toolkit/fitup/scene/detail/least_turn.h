#pragma once

#include <fitup/geometry/transform.h>

namespace fitup::detail {

/// The angle between two directions, from 0 to pi; accurate at both ends.
double angleBetween(const Vec3& a, const Vec3& b) noexcept;

/// The smallest rotation that turns one unit vector into another, to rounding. Opposite vectors leave its
/// axis open: it is then one as near as possible to an axis of the coordinates, and the rotation is exactly
/// half a turn.
Quaternion leastTurn(const Vec3& from, const Vec3& to) noexcept;

/// A rotation about a point.
Transform turnedAbout(const Vec3& pivot, const Quaternion& rotation);

}  // namespace fitup::detail

#pragma once

#include <algorithm>

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Two points, one of each of two closed sets in one frame, and how far they are apart.
struct ClosestPoints {
  Vec3 onA, onB;
  double distance = 0;
};

/// The point of the segment nearest to `p`; a segment of no length is a point. The parameter along the
/// segment carries a relative error of a few units of roundoff, the result lies in the box of the segment up
/// to a rounding.
inline Vec3 closestPointOnSegment(const Vec3& p, const Vec3& from, const Vec3& to) noexcept {
  const Vec3 along = to - from;
  const double length = dot(along, along), at = dot(p - from, along);
  if (!(at > 0)) return from;
  if (at >= length) return to;
  return from + along * (at / length);
}

}  // namespace fitup

#pragma once

#include <algorithm>

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// The closest points of two closed sets A and B in one frame, and their distance.
struct ClosestPoints {
  Vec3 onA, onB;
  double distance = 0;
};

/// Returns the point of a segment nearest to `p`. A segment of length zero is a point. The parameter along
/// the segment has a relative error of a few units of roundoff. The result lies in the bounding box of the
/// segment, up to a rounding.
inline Vec3 closestPointOnSegment(const Vec3& p, const Vec3& from, const Vec3& to) noexcept {
  const Vec3 along = to - from;
  const double length = dot(along, along), at = dot(p - from, along);
  if (!(at > 0)) return from;
  if (at >= length) return to;
  return from + along * (at / length);
}

}  // namespace fitup

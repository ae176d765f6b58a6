#pragma once

#include <fitup/geometry/closest_points.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Returns the least distance of a closed segment and a closed triangle in one frame, and points at which it
/// is attained; `onA` is on the segment. A segment of length zero is a point, and a degenerate triangle the
/// segment or point to which it collapses. The distance is 0 exactly if the two intersect
/// (`crossSegmentTriangle`), and otherwise has the errors of `distancePointTriangle` and
/// `distanceSegmentSegment`. Thread-safe.
ClosestPoints distanceSegmentTriangle(const Vec3& from, const Vec3& to, const Triangle& t) noexcept;

}  // namespace fitup

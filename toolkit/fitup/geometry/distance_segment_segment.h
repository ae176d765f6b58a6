#pragma once

#include <optional>

#include <fitup/geometry/closest_points.h>

namespace FITUP_EXPORT fitup {

/// Returns the closest points of the lines through two segments if they lie inside both segments. Returns
/// nothing for parallel segments and for segments of length zero, whose least distance is attained at an end
/// point.
///
/// The parameters come from the cross product of the directions, so on nearly parallel lines they are off by
/// only u / angle. The second point is the one nearest to the first, so the distance is off by a few u times
/// the size of the configuration. `n` is the cross product of the directions of a and b.
std::optional<ClosestPoints> closestInsideSegments(const Vec3& a0, const Vec3& a1, const Vec3& b0,
                                                   const Vec3& b1, const Vec3& n) noexcept;

/// Returns the least distance of two closed segments in one frame, and the points at which it is attained. A
/// segment of length zero is a point. Coordinates are within limits.h. The error of the distance is a few
/// units of roundoff times the largest coordinate difference; the error of the points is a few units of
/// roundoff times their coordinates more.
ClosestPoints distanceSegmentSegment(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) noexcept;

}  // namespace fitup

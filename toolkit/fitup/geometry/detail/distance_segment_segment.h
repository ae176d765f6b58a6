#pragma once

#include <optional>

#include <fitup/geometry/closest_points.h>

namespace FITUP_EXPORT fitup {

/// Where the lines through two segments come closest, if that is inside both segments; nothing for parallel
/// ones and for segments of no length, whose least distance is that of an end point anyway.
///
/// Parameters come from the cross product of the directions, so near parallel lines they are off by u / angle
/// only, and the second point is the one nearest to the first: the distance is off by some u times the size
/// of the configuration. `n` is the cross product of the directions of a and b.
std::optional<ClosestPoints> closestInsideSegments(const Vec3& a0, const Vec3& a1, const Vec3& b0,
                                                   const Vec3& b1, const Vec3& n) noexcept;

/// Least distance of two closed segments, with the points where it is taken. A segment of no length is a
/// point. Coordinates as in limits.h; the error of the distance is some units of roundoff times the largest
/// coordinate difference, that of the points some times their coordinates besides.
ClosestPoints distanceSegmentSegment(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) noexcept;

}  // namespace fitup

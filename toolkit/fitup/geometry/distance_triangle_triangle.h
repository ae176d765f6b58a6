#pragma once

#include <fitup/geometry/closest_points.h>

namespace FITUP_EXPORT fitup {

/// Least distance of two closed triangles in one frame, with the points where it is taken. Degenerate
/// triangles are the segments or points they are. Coordinates within limits.h. Thread-safe.
///
/// Zero exactly when `intersectTriangleTriangle` finds them to intersect (both points are then one point of
/// the common part, rounded as `TriangleIntersection` says); above zero otherwise. The error is some units of
/// double roundoff times the largest coordinate difference of the two triangles; up to 2^-34 of a sliver's
/// length where its height is below 2^-26 of that (`footInTriangle`).
///
/// The least distance of disjoint triangles is taken between two edges or between a corner and a face
/// (Larsen, Gottschalk, Lin and Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999, section 5).
/// The exact test is only asked where the plane across the shortest connection does not separate them.
ClosestPoints distanceTriangleTriangle(const Triangle& a, const Triangle& b) noexcept;

}  // namespace fitup

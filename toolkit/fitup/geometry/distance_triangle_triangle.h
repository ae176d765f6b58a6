#pragma once

#include <fitup/geometry/closest_points.h>

namespace FITUP_EXPORT fitup {

/// Returns the least distance between two closed triangles in one frame, and the points at which it is
/// attained. A degenerate triangle counts as the segment or point to which it collapses. Coordinates are
/// within limits.h. Thread-safe.
///
/// The distance is zero if and only if `intersectTriangleTriangle` is true; both points are then one point of
/// the common part, rounded as `TriangleIntersection` says. Otherwise it is above zero. The error is a few
/// units of double roundoff times the largest coordinate difference of the two triangles. For a sliver whose
/// height is below 2^-26 of its length, the error is up to 2^-34 of that length (`footInTriangle`).
///
/// The least distance of disjoint triangles is attained between two edges or between a corner and a face
/// (Larsen, Gottschalk, Lin and Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999, section 5).
/// The exact test runs only if the plane perpendicular to the shortest connection does not separate the
/// triangles.
ClosestPoints distanceTriangleTriangle(const Triangle& a, const Triangle& b) noexcept;

}  // namespace fitup

#pragma once

#include <optional>

#include <fitup/geometry/closest_points.h>

namespace FITUP_EXPORT fitup {

/// Returns the foot of the perpendicular from `p` to the plane of the triangle if the foot lies in the
/// triangle. If the foot lies outside by less than 2^-10 of an edge, returns a point near the border.
/// Otherwise, and for a degenerate triangle, returns nothing. The result is always a point of the triangle,
/// up to a rounding. `n` is the cross product of the edges from the first corner.
///
/// Let h be the height of the triangle divided by its length. Barycentric coordinates computed from cross
/// products are off by d = u / h; one correction with the residual reduces this to about d^2. The foot is off
/// by at most that times the length, and an edge is at most h / 2 of the length away from it. The nearest
/// point of edges and foot is therefore off by at most 2^-34 times the length, and by a few u times the
/// length for h above 2^-26. This assumes coordinates of the size of their differences; for points far from
/// the origin add a few u times their coordinates.
std::optional<Vec3> footInTriangle(const Vec3& p, const Triangle& t, const Vec3& n) noexcept;

/// Returns the point of the closed triangle nearest to `p`, and its distance; `onA` is `p`. A degenerate
/// triangle counts as the segment or point to which it collapses. The errors are those of `footInTriangle`.
/// Thread-safe.
ClosestPoints distancePointTriangle(const Vec3& p, const Triangle& t) noexcept;

}  // namespace fitup

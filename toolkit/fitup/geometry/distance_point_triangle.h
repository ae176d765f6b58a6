#pragma once

#include <optional>

#include <fitup/geometry/closest_points.h>

namespace FITUP_EXPORT fitup {

/// The foot of the perpendicular from `p` to the triangle's plane, if it lies in the triangle; a point near
/// the border if it lies beside it by less than 2^-10 of an edge; else nothing, as for a degenerate triangle.
/// Always a point of the triangle, up to a rounding. `n` is the cross product of the edges from the first
/// corner.
///
/// Barycentric coordinates by cross products are off by d = u / h, h the height of the triangle over its
/// length; improved once by those of what is left, by about d^2. The foot is off by at most that times the
/// length and an edge is at most h / 2 of it away, so the nearest point of edges and foot is off by at most
/// 2^-34 times the length, and by some u times it for h above 2^-26; all that with coordinates of the size of
/// the differences. Those of points far from the origin add some u times their size.
std::optional<Vec3> footInTriangle(const Vec3& p, const Triangle& t, const Vec3& n) noexcept;

/// The point of the closed triangle nearest to `p`, and its distance; `onA` is `p`. A degenerate triangle is
/// the segment or the point it is. Errors as for `footInTriangle`.
ClosestPoints distancePointTriangle(const Vec3& p, const Triangle& t) noexcept;

}  // namespace fitup

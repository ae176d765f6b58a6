#pragma once

#include <cstdint>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// The way in which a segment intersects a triangle.
enum class SegmentCrossing : std::uint8_t {
  none,
  out,         ///< through the inner side of the face, along its normal (v1 - v0) x (v2 - v0)
  in,          ///< against the normal
  startsOn,    ///< the first point of the segment lies on the closed triangle
  degenerate,  ///< the segment meets an edge or a corner, or lies in the plane, so crossings cannot be
               ///< counted
};

/// Classifies the crossing of a segment and a triangle in one frame. Exact for coordinates within limits.h,
/// by orientation predicates. If the segment intersects a degenerate triangle, the result is `degenerate` or
/// `startsOn`.
SegmentCrossing crossSegmentTriangle(const Vec3& from, const Vec3& to, const Triangle& t) noexcept;

/// Number of different directions of `escapePoint`.
inline constexpr unsigned escapeDirections = 24;

/// Returns a point well outside the box, so that crossings can be counted on the way there from `p`. The
/// first attempt goes towards the nearest side, slightly askew; later attempts take other directions. The
/// result depends only on the arguments.
Vec3 escapePoint(const Vec3& p, const Aabb& box, unsigned attempt) noexcept;

}  // namespace fitup

#pragma once

#include <cstdint>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// How a segment passes a triangle.
enum class SegmentCrossing : std::uint8_t {
  none,
  out,         ///< through the inner side of the face, along its normal (v1 - v0) x (v2 - v0)
  in,          ///< against the normal
  startsOn,    ///< the segment's first point lies on the closed triangle
  degenerate,  ///< meets an edge or a corner, or lies in the plane: crossings cannot be counted this way
};

/// Exact for coordinates within limits.h, by orientation predicates. A degenerate triangle that is met is
/// `degenerate` or `startsOn`.
SegmentCrossing crossSegmentTriangle(const Vec3& from, const Vec3& to, const Triangle& t) noexcept;

/// How many directions `escapePoint` knows.
inline constexpr unsigned escapeDirections = 24;

/// A point well outside of the box, for counting crossings on the way there from `p`: the first attempt goes
/// towards the nearest side, a little askew; later ones go elsewhere. Always the same for the same arguments.
Vec3 escapePoint(const Vec3& p, const Aabb& box, unsigned attempt) noexcept;

}  // namespace fitup

#pragma once

#include <fitup/geometry/vec3.h>

namespace fitup {

/// The point of a segment nearest to `p`; segments without length are the point they are.
Vec3 closestPointOnSegment(const Vec3& p, const Vec3& from, const Vec3& to) noexcept;

/// The point of a triangle nearest to `p`, all in one frame; a degenerate triangle is the segment or the
/// point it is. Rounded: with R the largest coordinate, the distance to it exceeds the exact one by at most
/// about 2^-48 R for triangles whose height is above 2^-20 of their longest edge.
Vec3 closestPointOnTriangle(const Vec3& p, const Triangle& t) noexcept;

}  // namespace fitup

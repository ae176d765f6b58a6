#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/geometry/vec3.h>

namespace fitup::importers {

/// Cuts a polygon of n >= 3 corners into n - 2 triangles (positions in `corners`) without new points, by
/// clipping ears in the plane of its mean normal. Concave polygons are cut correctly, polygons that cross
/// themselves as well as possible. O(n^2) for convex polygons, O(n^3) at worst.
std::vector<std::array<std::uint32_t, 3>> triangulatePolygon(std::span<const Vec3> corners);

}  // namespace fitup::importers

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/geometry/vec3.h>

namespace fitup {

/// For each point the smallest index of a point with the same coordinates. O(n log n).
std::vector<std::uint32_t> weldByCoordinates(std::span<const Point3f> points);

/// For each point the smallest index of a point that a chain of steps of at most `tolerance` an axis leads to;
/// tolerance 0 is `weldByCoordinates`. In the points' unit. O(n log n) where few points lie that close.
std::vector<std::uint32_t> weldByDistance(std::span<const Point3f> points, double tolerance);

}  // namespace fitup

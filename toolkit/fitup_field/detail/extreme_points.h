#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Points whose convex hull approximates that of all points: along each axis, the first and the last point in
/// each of `extremeCells`^2 cells across it (Bentley, Faust and Preparata 1982, who use strips of a plane).
/// Any other point lies outside of their hull by at most the sides of a cell, because each of its cells has
/// points that are at least as far out along that axis. At most `mostExtremePoints` points, in the order
/// given. O(n). Throws CancelledError.
std::vector<Vec3> extremePoints(std::span<const Vec3> points, const WorkMeter& meter = {});

inline constexpr std::size_t extremeCells = 64;
inline constexpr std::size_t mostExtremePoints = 2 * 3 * extremeCells * extremeCells;

}  // namespace fitup::detail

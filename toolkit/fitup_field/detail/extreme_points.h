#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Points whose convex hull stands for that of all of them: the first and the last along each axis in each of
/// `extremeCells`^2 cells across it (Bentley, Faust and Preparata 1982, who do so in strips of a plane). Any
/// other point lies outside of their hull by no more than the sides of a cell, for it shares each of its
/// cells with points that are at least as far out along that axis. At most `mostExtremePoints`, however many
/// are given, in their order. O(n). Throws CancelledError.
std::vector<Vec3> extremePoints(std::span<const Vec3> points, const WorkMeter& meter = {});

inline constexpr std::size_t extremeCells = 64;
inline constexpr std::size_t mostExtremePoints = 2 * 3 * extremeCells * extremeCells;

}  // namespace fitup::detail

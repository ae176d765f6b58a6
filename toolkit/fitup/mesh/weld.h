#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Returns for each point the smallest index of a point with the same coordinates. 0 and -0 are equal; NaN is
/// equal to nothing. O(n), with a hash table of 6 to 12 bytes per point. Throws CancelledError.
std::vector<std::uint32_t> weldByCoordinates(std::span<const Point3f> points, const WorkMeter& meter = {});
std::vector<std::uint32_t> weldByCoordinates(std::span<const Vec3> points, const WorkMeter& meter = {});

}  // namespace fitup

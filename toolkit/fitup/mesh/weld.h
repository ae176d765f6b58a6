#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vec3.h>

namespace fitup {

/// For each point the smallest index of a point with the same coordinates. O(n log n). Throws CancelledError.
std::vector<std::uint32_t> weldByCoordinates(std::span<const Point3f> points, const WorkMeter& meter = {});

}  // namespace fitup

#pragma once

#include <cstdint>
#include <optional>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/wide_bodies.h>

namespace fitup::detail {

/// Returns the shells of a surface, that is, sets of triangles connected by shared points, as a file's welded
/// points or a builder define them. They are returned only if splitting by shells first yields a smaller area
/// of boxes than splitting by triangles throughout, which is estimated from a sample. Examples are crossing
/// bars, stacked plates, and loose bodies that interlock in one mesh. Returns nothing for a single shell, for
/// small surfaces, and if shells are tiny. Polls `meter`.
std::optional<Bodies> shellsWorthSplitting(const TriangleMesh& mesh, std::uint32_t surface, float unit,
                                           const WorkMeter& meter = {});

}  // namespace fitup::detail

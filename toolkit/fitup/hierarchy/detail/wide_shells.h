#pragma once

#include <cstdint>
#include <optional>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/wide_bodies.h>

namespace fitup::detail {

/// The shells of a surface: triangles that hang together by points that they share, as a file's welded points
/// or a builder's say. Only where splitting by shells first makes less area of boxes than splitting by
/// triangles throughout, which a sample shows: bars that cross, plates in a stack, loose bodies that reach
/// past each other in one mesh. Nothing for a single shell, for small surfaces, and where shells are tiny.
/// Polls `meter`.
std::optional<Bodies> shellsWorthSplitting(const TriangleMesh& mesh, std::uint32_t surface, float unit,
                                           const WorkMeter& meter = {});

}  // namespace fitup::detail

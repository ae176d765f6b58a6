#pragma once

#include <span>

#include <fitup/hierarchy/detail/large_pages.h>
#include <fitup/hierarchy/detail/wide_shape.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// Fits cylinders around the children of all nodes of a tree in the fast layout, from its other arrays. Marks
/// the flat nodes in `nodes`. `reach` is the largest coordinate of a corner. `heights` are those of the
/// nodes, counted as for `FitHeight`. Runs in the calling thread's TBB arena. Adds to `counts`, and advances
/// `meter` by 3 units for each triangle.
LargeVector<WideCylinders> fitCylinders(std::span<WideNode> nodes, std::span<const WideFrame> frames,
                                        std::span<const float> packets, float reach,
                                        std::span<const std::uint32_t> heights, FitHeight height,
                                        FitCounts& counts, const WorkMeter& meter = {});

}  // namespace fitup::detail

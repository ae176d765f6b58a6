#pragma once

#include <span>

#include <fitup/hierarchy/detail/large_pages.h>
#include <fitup/hierarchy/detail/wide_shape.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// Cylinders around the children of all nodes of a tree in the fast layout, whose other arrays are given.
/// Says in `nodes` which are flat. `reach`: no coordinate of a corner is larger. `heights` of the nodes, as
/// `FitHeight` counts them. Runs in the calling thread's TBB arena. Adds to `counts`; advances
/// `meter` by 3 units a triangle.
LargeVector<WideCylinders> fitCylinders(std::span<WideNode> nodes, std::span<const WideFrame> frames,
                                        std::span<const float> packets, float reach,
                                        std::span<const std::uint32_t> heights, FitHeight height,
                                        FitCounts& counts, const WorkMeter& meter = {});

}  // namespace fitup::detail

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/build_item.h>

namespace fitup::detail {

/// A run of items, or of their slots.
struct BuildGroup {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] std::uint32_t count() const noexcept { return end - begin; }
};

/// At most eight groups, which become the children of a node.
struct BuildGroups {
  std::array<BuildGroup, 8> group;
  std::uint32_t count = 0;
};

/// Splits the triangles of a node into at most eight groups and reorders them in place.
///
/// Let T be the smallest 8^k with 8 T >= n. No group is larger than T, so that the tree is as shallow as
/// possible and leaves are nearly full. Among the splits that keep sum ceil(n_i / T) <= 8, the surface area
/// heuristic chooses, over 16 bins on each axis or, below 65 triangles, over all positions in the order of
/// centres. Equal centres keep their order in `items`. `unit` is a power of two by which coordinates are
/// scaled to compute areas. Polls `meter` before each pass over a group.
BuildGroups splitTriangles(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end, float unit,
                           const WorkMeter& meter = {});

/// Splits two or more surfaces, or shells of one surface, in two. `weights[id]` is the number of triangles of
/// each. Returns the number of items in the first part.
std::uint32_t splitBodies(std::span<BuildItem> items, std::span<const std::uint32_t> weights, float unit);

}  // namespace fitup::detail

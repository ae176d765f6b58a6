#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/float4.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// A triangle, a surface or a shell while a tree is built: its box, in the free lane of which stands its
/// number.
struct BuildItem {
  Float4 min, max;

  [[nodiscard]] std::uint32_t id() const noexcept { return static_cast<std::uint32_t>(bits(min)[3]); }
  void setId(std::uint32_t id) noexcept {
    Int4 b = bits(min);
    b[3] = static_cast<std::int32_t>(id);
    min = __builtin_bit_cast(Float4, b);
  }
  /// Twice the box's centre. The fourth lane is cleared: read as a float, a number is denormal and slow.
  [[nodiscard]] Float4 centre() const noexcept {
    return __builtin_bit_cast(Float4, bits(min) & Int4{-1, -1, -1, 0}) + max;
  }

 private:
  static Int4 bits(Float4 v) noexcept { return __builtin_bit_cast(Int4, v); }
};

BuildItem itemOf(const TriangleMesh& mesh, std::uint32_t triangle);

/// A run of items that becomes one child of a node.
struct BuildGroup {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] std::uint32_t count() const noexcept { return end - begin; }
};

/// At most eight groups that become the children of a node.
struct BuildGroups {
  std::array<BuildGroup, 8> group;
  std::uint32_t count = 0;
};

/// Splits the triangles of a node into at most eight groups, reordering them in place.
///
/// Let T be the smallest 8^k with 8 T >= n. No group is larger than T, so that the tree is as flat as it can
/// be, and leaves are nearly full: among the splits that keep sum ceil(n_i / T) <= 8, the surface area
/// heuristic chooses, over 16 bins on each axis, below 65 triangles over all positions. `unit` is a power of
/// two by which coordinates are scaled in areas. Polls `meter` before each pass over a group.
BuildGroups splitTriangles(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end, float unit,
                           const WorkMeter& meter = {});

/// Splits surfaces, or shells of one, into at most eight groups, the one of the largest area first,
/// `weights[id]` being the number of triangles of each.
BuildGroups splitBodies(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end,
                        std::span<const std::uint32_t> weights, float unit);

}  // namespace fitup::detail

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fitup/hierarchy/detail/wide_children.h>

namespace fitup::detail {

/// Upper bound on the coordinates of the mesh's corners and on their distances from the local origin.
inline double reachOf(const TriangleMesh& mesh) noexcept {
  return mesh.triangleCount() == 0 ? 0 : norm(mesh.bounds().centre()) + norm(mesh.bounds().halfExtent());
}

enum class VisitOrder { any, nearestFirst };

/// Descends one tree. `children(frame, centre, half, count, keep)` calls `keep(k, bound)` for each child of a
/// node to continue with. Children whose bound is not below `limit`, which may shrink, are left out. With
/// `nearestFirst`, children of a node are visited in increasing order of their bounds. `leaf(child)` receives
/// the leaves. A `Visit` is a bound and a child that is still to be visited.
template <VisitOrder order, typename Visit, typename Children, typename Leaf>
void descendWide(const WideBvh& tree, std::vector<Visit>& stack, const double& limit,
                 const Children& children, const Leaf& leaf) {
  if (tree.nodeCount() == 0) return;
  stack.assign(1, {-std::numeric_limits<double>::max(), WideChild::ofNode(0)});
  while (!stack.empty()) {
    const auto [nearest, next] = stack.back();
    stack.pop_back();
    if (!(nearest < limit)) continue;
    if (next.isLeaf()) {
      leaf(next);
      continue;
    }
    const std::size_t before = stack.size();
    openWideNode(
        tree, next.node(),
        [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
            std::uint32_t count) __attribute__((always_inline)) {
          children(frame, centre, half, count, [&](std::uint32_t k, double bound) {
            if (bound < limit) stack.push_back({bound, child[k]});
          });
        });
    if constexpr (order == VisitOrder::nearestFirst)
      std::sort(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end(),
                [](const Visit& a, const Visit& b) { return a.bound > b.bound; });
  }
}

/// Calls `meets(k, away, grownHalf)` for the children whose grown boxes meet the segment with this middle and
/// reach. All are in the node's axes, which transform points in the same way as boxes, so their stretch does
/// not matter. Tests the separating axes of a box and a segment: the box's three axes and their cross
/// products with the segment (Gottschalk 1996 with one thin box). `grown` covers the rounding of coordinates.
template <typename Rows, typename Meets>
void childrenOnSegment(const Rows& centre, const Rows& half, std::uint32_t count, const Vec3& middle,
                       const Vec3& reach, double grown, const Meets& meets) noexcept {
  const Vec3 a{std::abs(reach.x), std::abs(reach.y), std::abs(reach.z)};
  for (std::uint32_t k = 0; k < count; ++k) {
    const Vec3 d{double(centre[0][k]) - middle.x, double(centre[1][k]) - middle.y,
                 double(centre[2][k]) - middle.z};
    const Vec3 e{double(half[0][k]) + grown, double(half[1][k]) + grown, double(half[2][k]) + grown};
    const bool apart = std::abs(d.x) > e.x + a.x || std::abs(d.y) > e.y + a.y || std::abs(d.z) > e.z + a.z ||
                       std::abs(d.y * reach.z - d.z * reach.y) > e.y * a.z + e.z * a.y ||
                       std::abs(d.z * reach.x - d.x * reach.z) > e.z * a.x + e.x * a.z ||
                       std::abs(d.x * reach.y - d.y * reach.x) > e.x * a.y + e.y * a.x;
    if (!apart) meets(k, d, e);
  }
}

}  // namespace fitup::detail

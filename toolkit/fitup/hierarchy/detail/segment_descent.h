#pragma once

#include <limits>
#include <vector>

#include <fitup/hierarchy/detail/wide_descent.h>

namespace fitup::detail {

/// Calls `visit(id)` for every triangle whose box the segment meets, and for some more, until it returns
/// false. `reach` is `reachOf` the mesh; coordinates are local.
template <typename Visit, typename OnTriangle>
void descendSegment(const WideBvh& tree, double reach, std::vector<Visit>& stack, const Vec3& from,
                    const Vec3& to, const OnTriangle& visit) {
  const Vec3 middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const double slack =
      2 *
      wideBoxSlack(reach + std::abs(from.x) + std::abs(from.y) + std::abs(from.z) + norm(half), tree.layout);
  double limit = 1;
  descendWide<VisitOrder::any>(
      tree, stack, limit,
      [&](const WideFrame& frame, const auto& centre, const auto& halves, std::uint32_t count,
          const auto& keep) {
        childrenOnSegment(centre, halves, count, intoAxes(frame, middle), intoAxes(frame, half), slack,
                          [&](std::uint32_t k, const Vec3&, const Vec3&) { keep(k, 0); });
      },
      [&](WideChild leaf) {
        for (std::uint32_t k = 0; k < leaf.count(); ++k)
          if (!visit(triangleInLeaf(tree, leaf, k))) {
            limit = -std::numeric_limits<double>::infinity();
            return;
          }
      });
}

}  // namespace fitup::detail

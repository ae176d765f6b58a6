#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// A node while its tree is built: children, still without boxes. Child i covers the slots from firstSlot[i]
/// to firstSlot[i + 1].
struct WideShape {
  std::array<WideChild, 8> child;
  std::array<std::uint32_t, 9> firstSlot{};
  std::uint32_t surface = WideNodeHead::mixed;
  std::uint32_t childCount = 0;

  [[nodiscard]] std::uint32_t leafMask() const noexcept {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < childCount; ++i) mask |= std::uint32_t{child[i].isLeaf()} << i;
    return mask;
  }
};

/// A tree without boxes: children after parents, nodes[0] with the root as its only child.
struct TreeShape {
  std::vector<WideShape> nodes;
  std::vector<std::uint32_t> triangleAt;  ///< by slot
};

/// Splits the triangles of a mesh by surfaces, then by the surface area heuristic. Large subtrees are tasks
/// of the calling thread's TBB arena; the shape does not depend on their number.
TreeShape buildShape(const TriangleMesh& mesh);

/// Gives the nodes of a shape their boxes and axes, and the leaves their triangles.
WideBvh fitBoxes(const TriangleMesh& mesh, TreeShape shape, const WideBvhOptions& options);

}  // namespace fitup::detail

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

/// Splits the triangles of a mesh by surfaces, these by their shells where that pays, then by the surface
/// area heuristic. Large subtrees are tasks of the calling thread's TBB arena; the shape does not depend on
/// their number. Advances `meter` by `shapeUnits` a triangle. Throws CancelledError.
TreeShape buildShape(const TriangleMesh& mesh, const WorkMeter& meter = {});
/// About as long as the R-trees take is one unit, nanoseconds apart.
inline constexpr std::uint64_t shapeUnits = 6, fitUnits = 8;

/// The tree without its boxes; `fitBoxes` with the same options makes the same tree of it. Throws InputError
/// for one whose leaves are not in the order of their slots, which no build makes.
TreeShape shapeOf(const WideBvh& tree);

/// Up to which height of a child fitting looks at all corners below it: a leaf has height 0, a node one more
/// than its highest child. Boxes in turned axes and cylinders of higher children are put together from those
/// of their own children, which makes them larger.
enum class FitHeight : std::uint32_t {
  leavesOfNodes = 1,  ///< each corner is looked at for two nodes at most, so fitting is linear
  every = ~0U,        ///< the tightest boxes; O(n log n)
};

/// Work of `fitBoxes` that grows with the tree: corners placed in the axes of boxes or cylinders, and boxes
/// and cylinders put together from others.
struct FitCounts {
  std::uint64_t corners = 0, merges = 0;
};

/// Gives the nodes of a shape their boxes and axes, and the leaves their triangles. Runs in the calling
/// thread's TBB arena; the result does not depend on its threads. Advances `meter` by at most `fitUnits` a
/// triangle. Throws CancelledError.
WideBvh fitBoxes(const TriangleMesh& mesh, TreeShape shape, const WideBvhOptions& options,
                 FitHeight height = FitHeight::every, FitCounts* counts = nullptr,
                 const WorkMeter& meter = {});

}  // namespace fitup::detail

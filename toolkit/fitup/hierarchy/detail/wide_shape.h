#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// A node while its tree is built: children without boxes. Child i covers the slots from firstSlot[i] to
/// firstSlot[i + 1].
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

/// A tree without boxes. Children come after parents, and nodes[0] has the root as its only child.
struct TreeShape {
  std::vector<WideShape> nodes;
  std::vector<std::uint32_t> triangleAt;  ///< triangles by slot
};

/// Splits the triangles of a mesh by surfaces, these by their shells if that pays off, and then by the
/// surface area heuristic. Large subtrees are tasks of the calling thread's TBB arena; the shape does not
/// depend on the number of threads. Advances `meter` by `shapeUnits` for each triangle. Throws
/// CancelledError.
TreeShape buildShape(const TriangleMesh& mesh, const WorkMeter& meter = {});
/// Units of work for each triangle. A unit takes about as long as one of an R-tree build, to within
/// nanoseconds.
inline constexpr std::uint64_t shapeUnits = 6, fitUnits = 8;

/// Returns the tree without its boxes. `fitBoxes` with the same options makes the same tree again. Throws
/// InputError for a tree whose leaves are not in the order of their slots, which no build makes.
TreeShape shapeOf(const WideBvh& tree);

/// Largest height of a child for which fitting uses all corners below it. A leaf has height 0, a node one
/// more than its highest child. Boxes in rotated axes and cylinders of higher children are combined from
/// those of their own children, which makes them larger.
enum class FitHeight : std::uint32_t {
  leavesOfNodes = 1,  ///< each corner is used for two nodes at most, so fitting is linear
  every = ~0U,        ///< the tightest boxes; O(n log n)
};

/// Work of `fitBoxes` that grows with the tree: corners mapped to the axes of boxes or cylinders, and boxes
/// and cylinders combined from others.
struct FitCounts {
  std::uint64_t corners = 0, merges = 0;
};

/// Computes the boxes and axes of the nodes of a shape, and the triangles of its leaves. Runs in the calling
/// thread's TBB arena; the result does not depend on its threads. Advances `meter` by at most `fitUnits` for
/// each triangle. Throws CancelledError.
WideBvh fitBoxes(const TriangleMesh& mesh, TreeShape shape, const WideBvhOptions& options,
                 FitHeight height = FitHeight::every, FitCounts* counts = nullptr,
                 const WorkMeter& meter = {});

}  // namespace fitup::detail

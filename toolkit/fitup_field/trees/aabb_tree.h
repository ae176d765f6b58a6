#pragma once

#include <memory>

#include <fitup/base/shared_array.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup_field/field_kinds.h>
#include <fitup_field/trees/tree_link.h>

namespace FITUP_EXPORT fitup {

/// A box and its contents: two children, adjacent from node `link.node()` on, or one triangle. It contains
/// the corners below it exactly.
struct AabbNode {
  float centre[3], half[3];
  TreeLink link;
};
static_assert(sizeof(AabbNode) == 28);

/// SOLID's tree: axis-aligned boxes, one triangle per leaf, the longest axis split at the box's middle. 56
/// bytes per triangle.
///
/// Queries descend the box of larger volume (`BoxTest::usual`: SAT lite). Any affine placement is supported:
/// the normals of B's faces are then the rows of the inverse, up to scale. G. van den Bergen, Efficient
/// Collision Detection of Complex Deformable Models using AABB Trees, 1998.
class AabbTree final : public HierarchyTree {
 public:
  /// Throws RangeError for more than 2^30 triangles. O(n log n).
  static std::shared_ptr<const AabbTree> build(const TriangleMesh& mesh, const ResearchOptions& options = {},
                                               const WorkMeter& meter = {});
  /// Makes a tree from nodes as in `nodes()`, for example after a refit. Precondition: they are well formed
  /// for their mesh.
  explicit AabbTree(SharedArray<AabbNode> nodes, BoxTest boxTest = BoxTest::usual)
      : nodes_(std::move(nodes)), boxTest_(boxTest) {}

  /// nodes()[0] is the root. Children come after their parents, so one pass from the end refits them. There
  /// are 2n - 1.
  [[nodiscard]] const SharedArray<AabbNode>& nodes() const noexcept { return nodes_; }

  [[nodiscard]] HierarchyKind kind() const noexcept override { return field::aabb; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return nodes_.size() * sizeof(AabbNode); }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override;
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  [[nodiscard]] std::shared_ptr<const HierarchyTree> refitted(const TriangleMesh& before,
                                                              const TriangleMesh& mesh,
                                                              const RefitOptions& options,
                                                              RefitCounts& counts) const override;
  [[nodiscard]] double boxAreas() const noexcept override;
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  SharedArray<AabbNode> nodes_;
  BoxTest boxTest_;
};

}  // namespace fitup

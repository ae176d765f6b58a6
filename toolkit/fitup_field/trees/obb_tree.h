#pragma once

#include <memory>

#include <fitup/base/shared_array.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup_field/field_kinds.h>

namespace FITUP_EXPORT fitup {

/// An oriented box: {p : |F (p - centre)| <= half}, where F is the matrix with the stored columns; it is
/// orthonormal up to the rounding of its entries. The box contains the corners below it. Half extents exceed
/// the necessary ones by 2^-20 of the largest. half[0] is the largest.
struct ObbNode {
  float columns[3][3], centre[3], half[3];
  std::uint32_t first;  ///< inner node: first child, the second follows; leaf: first slot
  std::uint32_t count;  ///< triangles of a leaf; 0: an inner node
};
static_assert(sizeof(ObbNode) == 68);

/// RAPID's tree: boxes along the eigenvectors of a covariance. The longest axis is split at the mean of the
/// vertices, otherwise the second, otherwise the third; otherwise the group is a leaf of several triangles.
/// From a depth of 64 on, a group is split at the median instead, so that building takes O(n log^2 n) (with
/// hulls) for every mesh. At most 140 bytes per triangle.
///
/// Queries descend the box with the longest side (`BoxTest::usual`: full SAT). S. Gottschalk, M. C. Lin, D.
/// Manocha, OBBTree: A Hierarchical Structure for Rapid Interference Detection, 1996.
class ObbTree final : public HierarchyTree {
 public:
  /// Throws RangeError for more than 2^30 triangles.
  static std::shared_ptr<const ObbTree> build(const TriangleMesh& mesh, const ResearchOptions& options = {},
                                              const WorkMeter& meter = {});
  /// Children come after their parents. Slots number the triangles in the order of the leaves.
  ObbTree(SharedArray<ObbNode> nodes, SharedArray<std::uint32_t> triangleAt, double epsilon, BoxTest boxTest)
      : nodes_(std::move(nodes)), triangleAt_(std::move(triangleAt)), epsilon_(epsilon), boxTest_(boxTest) {}

  [[nodiscard]] const SharedArray<ObbNode>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] HierarchyKind kind() const noexcept override { return field::obb; }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return nodes_.size() * sizeof(ObbNode) + triangleAt_.size() * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override;
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  SharedArray<ObbNode> nodes_;
  SharedArray<std::uint32_t> triangleAt_;
  double epsilon_;
  BoxTest boxTest_;
};

}  // namespace fitup

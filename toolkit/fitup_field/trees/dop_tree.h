#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include <fitup/base/shared_array.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup_field/field_kinds.h>
#include <fitup_field/trees/tree_link.h>

namespace FITUP_EXPORT fitup {

/// The normals of the slabs, not of unit length: three axes, six (1, +-1, 0), and for k = 24 three (1, 1,
/// -1).
inline constexpr std::array<std::array<int, 3>, 12> dopDirections{{{1, 0, 0},
                                                                   {0, 1, 0},
                                                                   {0, 0, 1},
                                                                   {1, 1, 0},
                                                                   {1, 0, 1},
                                                                   {0, 1, 1},
                                                                   {1, -1, 0},
                                                                   {1, 0, -1},
                                                                   {0, 1, -1},
                                                                   {1, 1, -1},
                                                                   {1, -1, 1},
                                                                   {-1, 1, 1}}};

/// low[i] <= dopDirections[i] . p <= high[i] for every corner p below the node.
template <std::size_t slabs>
struct DopNode {
  float low[slabs], high[slabs];
  TreeLink link;  ///< the first child, which the second follows; or a triangle
};
static_assert(sizeof(DopNode<9>) == 76 && sizeof(DopNode<12>) == 100);

/// A tree of discrete orientation polytopes (k = 18 or 24), one triangle per leaf, with SOLID's split: 152 or
/// 200 bytes per triangle.
///
/// Queries open both nodes. When a polytope of B is met, it is enclosed by one with A's directions. Seen from
/// B, each of A's directions is a sum of three of B's with the least coefficients, which a query finds once;
/// 3 k products realign a node. J. T. Klosowski and others, Efficient Collision Detection Using Bounding
/// Volume Hierarchies of k-DOPs, 1998; G. Zachmann, Rapid Collision Detection by Dynamically Aligned
/// DOP-Trees, 1998.
class DopTree final : public HierarchyTree {
 public:
  /// Throws RangeError for more than 2^30 triangles. O(n log n).
  static std::shared_ptr<const DopTree> build(const TriangleMesh& mesh, const ResearchOptions& options = {},
                                              const WorkMeter& meter = {});
  /// Precondition: one of the two arrays is empty.
  DopTree(DopKind k, SharedArray<DopNode<9>> nodes18, SharedArray<DopNode<12>> nodes24)
      : k_(k), nodes18_(std::move(nodes18)), nodes24_(std::move(nodes24)) {}

  [[nodiscard]] DopKind k() const noexcept { return k_; }
  [[nodiscard]] HierarchyKind kind() const noexcept override { return field::dop; }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return nodes18_.size() * sizeof(DopNode<9>) + nodes24_.size() * sizeof(DopNode<12>);
  }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override;
  /// Visits axis-aligned boxes: the first three slabs.
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  /// Throws NotBuiltError if the trees have different k.
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  DopKind k_;
  SharedArray<DopNode<9>> nodes18_;
  SharedArray<DopNode<12>> nodes24_;
};

}  // namespace fitup

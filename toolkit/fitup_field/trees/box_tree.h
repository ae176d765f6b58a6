#pragma once

#include <cstdint>
#include <memory>

#include <fitup/base/shared_array.h>
#include <fitup/geometry/aabb.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup_field/field_kinds.h>

namespace FITUP_EXPORT fitup {

/// A node defines its box relative to its parent's: one side, perpendicular to `axis`, moves inward by
/// `offset`. It is the lower side for an *upper* node, otherwise the upper side. Boxes exist only during the
/// descent.
class BoxTreeNode {
 public:
  static constexpr std::uint32_t mostNodes = 1U << 27;

  BoxTreeNode() = default;
  BoxTreeNode(float offset, int axis, bool upper) noexcept
      : offset_(offset), bits_(std::uint32_t{upper} << 31 | static_cast<std::uint32_t>(axis) << 29) {}
  void setChildren(std::uint32_t node) noexcept { bits_ = (bits_ & planeBits) | node; }
  void setOnlyChild(std::uint32_t node) noexcept { bits_ = (bits_ & planeBits) | onlyChildBit | node; }
  void setTriangle(std::uint32_t triangle) noexcept { bits_ = (bits_ & planeBits) | leafBit | triangle; }

  [[nodiscard]] float offset() const noexcept { return offset_; }
  [[nodiscard]] int axis() const noexcept { return static_cast<int>(bits_ >> 29 & 3U); }
  [[nodiscard]] bool upper() const noexcept { return (bits_ >> 31) != 0; }
  /// The side that moves: its axis, plus 4 for a lower side.
  [[nodiscard]] std::uint32_t side() const noexcept { return bits_ >> 29; }
  [[nodiscard]] bool isLeaf() const noexcept { return (bits_ & leafBit) != 0; }
  /// Whether its only child cuts another side, so that a box is cut more than once on one level.
  [[nodiscard]] bool hasOnlyChild() const noexcept { return (bits_ & onlyChildBit) != 0; }
  /// Precondition: not a leaf.
  [[nodiscard]] std::uint32_t children() const noexcept { return hasOnlyChild() ? 1 : 2; }
  /// The first child, which a second follows; or the triangle.
  [[nodiscard]] std::uint32_t index() const noexcept { return bits_ & (mostNodes - 1); }
  /// Turns the box of the parent into that of this node. All code uses this arithmetic, for which `offset`
  /// was chosen.
  void cut(Aabb& parent) const noexcept {
    Point3f& corner = upper() ? parent.min : parent.max;
    float& side = axis() == 0 ? corner.x : axis() == 1 ? corner.y : corner.z;
    side += upper() ? offset_ : -offset_;
  }

 private:
  static constexpr std::uint32_t planeBits = 7U << 29, leafBit = 1U << 28, onlyChildBit = 1U << 27;

  float offset_ = 0;
  std::uint32_t bits_ = 0;
};
static_assert(sizeof(BoxTreeNode) == 8);

/// Zachmann's restricted boxtree: 8 bytes per node, one triangle per leaf. Siblings are adjacent, so that a
/// visit finds the planes of both in one place (section 3.2.5); their planes may be perpendicular
/// (section 4.2).
///
/// A node tightens one side only, which makes boxes loose for many levels: with one cut per level, queries
/// take four to seven times the box tests of an AABB tree. Therefore a node may have an only child, which
/// cuts another side, and both count as one step of the descent. `ResearchOptions::spareCuts` limits their
/// number; a quarter per triangle, the usual number, makes 18 bytes per triangle, as many as the 9 bytes per
/// node of the paper. `detail::BoxCutter` places them where they take away most volume.
///
/// Groups are split across one of three axes by the least sum of the Minkowski volumes of their tight boxes
/// (section 4.1), between bins. Unlike in the paper, a volume is weighted by its number of triangles: without
/// that, splitting off single triangles is cheapest. A node's plane is chosen after the split, with the
/// planes of its children in view.
///
/// Queries open both nodes and update the intervals of both boxes on every separating axis with each cut
/// (`BoxTest`: `aligned` 12 operations, `lite`, the usual one, 24, `full` 82 in the paper's count). There are
/// at most 64 + log2 n levels, because groups deeper than 64 are halved.
///
/// G. Zachmann, Minimal hierarchical collision detection, 2002.
class BoxTree final : public HierarchyTree {
 public:
  static constexpr std::uint32_t mostTriangles = BoxTreeNode::mostNodes / 4;

  /// Throws RangeError for more than `mostTriangles`. O(n log n).
  static std::shared_ptr<const BoxTree> build(const TriangleMesh& mesh, const ResearchOptions& options = {},
                                              const WorkMeter& meter = {});
  /// Children come after their parents, and the root has no only child. `depth` is the number of cuts to the
  /// deepest leaf.
  BoxTree(Aabb rootBox, SharedArray<BoxTreeNode> nodes, std::uint32_t depth, BoxTest boxTest)
      : rootBox_(rootBox), nodes_(std::move(nodes)), depth_(depth), boxTest_(boxTest) {}

  [[nodiscard]] const SharedArray<BoxTreeNode>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] const Aabb& rootBox() const noexcept { return rootBox_; }
  [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }

  [[nodiscard]] HierarchyKind kind() const noexcept override { return field::box; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return nodes_.size() * sizeof(BoxTreeNode); }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override;
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  Aabb rootBox_;
  SharedArray<BoxTreeNode> nodes_;
  std::uint32_t depth_ = 0;
  BoxTest boxTest_;
};

}  // namespace fitup

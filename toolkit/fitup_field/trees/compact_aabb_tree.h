#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <fitup/base/shared_array.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup_field/field_kinds.h>
#include <fitup_field/trees/aabb_tree.h>
#include <fitup_field/trees/tree_link.h>

namespace FITUP_EXPORT fitup {

/// A box in 16-bit numbers: coordinate k of the centre is centre[k] times the tree's `centreScale[k]`, and
/// likewise for the half extents; each product is rounded to 32 bits. It contains the exact box.
struct QuantizedBox {
  std::int16_t centre[3];
  std::uint16_t half[3];
};

/// Nodes of the four configurations in memory. With leaves (2n - 1 nodes): 28 bytes (`AabbNode`) or 16 bytes
/// (this type).
struct QuantizedNode {
  QuantizedBox box;
  TreeLink link;  ///< the first child, which the second follows; or a triangle
};
/// Without leaves (n - 1 nodes): a child is a node or a triangle.
struct NoLeafNode {
  float centre[3], half[3];
  TreeLink child[2];
};
struct QuantizedNoLeafNode {
  QuantizedBox box;
  TreeLink child[2];
};
static_assert(sizeof(QuantizedNode) == 16 && sizeof(NoLeafNode) == 32 && sizeof(QuantizedNoLeafNode) == 20);

/// OPCODE's trees: SOLID's split, with or without nodes for leaves, in floats (`field::opcode`) or 16-bit
/// numbers (`opcodeQuantized`): 56, 32, 32 and 20 bytes per triangle. Without leaves, triangles are tested
/// against boxes and both nodes are opened; with leaves, the larger one is. The paper's fifth configuration,
/// both reductions with SAT lite, is `opcodeQuantized` with `BoxTest::lite`.
///
/// P. Terdiman, Memory-optimized bounding-volume hierarchies, 2001.
class CompactAabbTree final : public HierarchyTree {
 public:
  /// The nodes of one configuration; the other arrays are empty.
  struct Data {
    bool quantized = false;
    std::array<float, 3> centreScale{}, halfScale{};
    SharedArray<AabbNode> nodes;
    SharedArray<QuantizedNode> quantizedNodes;
    SharedArray<NoLeafNode> noLeafNodes;
    SharedArray<QuantizedNoLeafNode> quantizedNoLeafNodes;
    TreeLink root;  ///< without leaves: a mesh of one triangle has no node
    bool withLeaves = false;
    BoxTest boxTest = BoxTest::usual;
  };

  /// Throws RangeError for more than 2^30 triangles. O(n log n).
  static std::shared_ptr<const CompactAabbTree> build(const TriangleMesh& mesh,
                                                      const ResearchOptions& options, bool quantized,
                                                      const WorkMeter& meter = {});
  explicit CompactAabbTree(Data data) : data_(std::move(data)) {}

  [[nodiscard]] const Data& data() const noexcept { return data_; }
  [[nodiscard]] HierarchyKind kind() const noexcept override {
    return data_.quantized ? field::opcodeQuantized : field::opcode;
  }
  [[nodiscard]] std::size_t bytes() const noexcept override;
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override;
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  /// Throws NotBuiltError if only one of the trees has leaves.
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  Data data_;
};

}  // namespace fitup

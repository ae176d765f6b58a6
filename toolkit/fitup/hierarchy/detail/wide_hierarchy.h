#pragma once

#include <utility>

#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace FITUP_EXPORT fitup {

/// The tree of kind `wide` of a model: a `WideBvh`.
class WideHierarchy final : public HierarchyTree {
 public:
  explicit WideHierarchy(WideBvh tree) : tree_(std::move(tree)) {}

  [[nodiscard]] const WideBvh& tree() const noexcept { return tree_; }

  [[nodiscard]] HierarchyKind kind() const noexcept override { return HierarchyKind::wide; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return tree_.bytes(); }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override {
    return tree_.problemFor(mesh, true);
  }
  /// Boxes are in the axes of their nodes.
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  [[nodiscard]] std::shared_ptr<const HierarchyTree> refitted(const TriangleMesh& before,
                                                              const TriangleMesh& mesh,
                                                              const RefitOptions& options,
                                                              RefitCounts& counts) const override;
  [[nodiscard]] double boxAreas() const noexcept override;
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  WideBvh tree_;
};

}  // namespace fitup

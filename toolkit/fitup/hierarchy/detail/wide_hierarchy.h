#pragma once

#include <utility>

#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace FITUP_EXPORT fitup {

/// The kind `wide`: a `WideBvh` as one of the trees of a model.
class WideHierarchy final : public HierarchyTree {
 public:
  explicit WideHierarchy(WideBvh tree) : tree_(std::move(tree)) {}

  [[nodiscard]] const WideBvh& tree() const noexcept { return tree_; }

  [[nodiscard]] HierarchyKind kind() const noexcept override { return HierarchyKind::wide; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return tree_.bytes(); }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override {
    return tree_.problemFor(mesh, true);
  }
  /// In the axes of the nodes.
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

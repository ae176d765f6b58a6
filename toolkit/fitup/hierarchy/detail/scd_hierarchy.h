#pragma once

#include <utility>

#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/scd_trees.h>

namespace FITUP_EXPORT fitup {

/// The tree of kind `scd` of a model: `ScdTrees`. Precondition: it has triangle trees.
class ScdHierarchy final : public HierarchyTree {
 public:
  explicit ScdHierarchy(ScdTrees trees) : trees_(std::move(trees)) {}

  [[nodiscard]] const ScdTrees& trees() const noexcept { return trees_; }

  [[nodiscard]] HierarchyKind kind() const noexcept override { return HierarchyKind::scd; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return trees_.bytes(); }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override;
  /// Visits the boxes of the surface tree and, below each surface, those of its triangle tree.
  void visitBoxes(std::size_t deepest, const BoxVisit& visit) const override;
  [[nodiscard]] std::shared_ptr<const HierarchyTree> refitted(const TriangleMesh& before,
                                                              const TriangleMesh& mesh,
                                                              const RefitOptions& options,
                                                              RefitCounts& counts) const override;
  [[nodiscard]] double boxAreas() const noexcept override;
  /// Runs figure 4 of Figueiredo (`OverlapBoxSetting::on`), the same without its filter (`off`), or the
  /// classical descent of both trees (figure 1, `classical`). All find the same set of pairs; the order and
  /// the counts differ.
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const override;

 private:
  ScdTrees trees_;
};

}  // namespace fitup

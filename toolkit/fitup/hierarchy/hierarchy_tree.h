#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/level_box.h>
#include <fitup/hierarchy/refit.h>
#include <fitup/hierarchy/traversal.h>

namespace FITUP_EXPORT fitup {

class WideScratch;

/// Scratch memory of the traversals of `HierarchyTree`, kept by the caller between queries.
class TreeScratch {
 public:
  TreeScratch();
  ~TreeScratch();
  TreeScratch(TreeScratch&&) noexcept;
  TreeScratch& operator=(TreeScratch&&) noexcept;

  struct Data;
  /// What the wide tree keeps, which queries look into between traversals.
  [[nodiscard]] WideScratch& wide() noexcept;
  [[nodiscard]] Data& data() noexcept { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// A hierarchy of a model, of one kind. Boxes are of the mesh's local coordinates. Immutable, so every const
/// member is thread-safe.
class HierarchyTree {
 public:
  virtual ~HierarchyTree() = default;
  HierarchyTree() = default;
  HierarchyTree(const HierarchyTree&) = delete;
  HierarchyTree& operator=(const HierarchyTree&) = delete;

  [[nodiscard]] virtual HierarchyKind kind() const noexcept = 0;
  /// Bytes of all arrays.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
  /// What is wrong with the tree as one of `mesh`, or nothing: every triangle stands in one leaf, children
  /// lie behind their parents, every box contains the corners below it. O(n depth).
  [[nodiscard]] virtual std::optional<std::string> problemFor(const TriangleMesh& mesh) const = 0;
  /// Visits the boxes down to level `deepest`, parents before their children; level 0 is the root. A triangle
  /// without a box of its own has the last one above it.
  virtual void visitBoxes(std::size_t deepest, const BoxVisit& visit) const = 0;
  /// The same nodes with boxes around the triangles of `mesh`, which has those of `before`, the tree's own
  /// mesh, with points elsewhere. Adds to `counts`. Precondition: `isRefittable(kind())`. Null for all other
  /// kinds.
  [[nodiscard]] virtual std::shared_ptr<const HierarchyTree> refitted(const TriangleMesh& before,
                                                                      const TriangleMesh& mesh,
                                                                      const RefitOptions& options,
                                                                      RefitCounts& counts) const;
  /// The sum of half the areas of all boxes, which grows where a refitted tree gets worse; of refittable
  /// kinds.
  [[nodiscard]] virtual double boxAreas() const noexcept { return 0; }
  /// Finds the pairs that the task asks for; this is the tree of the part that plays A. Any placement that
  /// can be inverted is answered directly. Precondition: `treeOfB` is of the same kind, neither mesh is
  /// empty.
  virtual void traverse(const TraversalTask& task, const HierarchyTree& treeOfB,
                        TreeScratch& scratch) const = 0;
};

}  // namespace fitup

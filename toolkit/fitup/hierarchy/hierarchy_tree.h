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

/// Scratch memory of the traversals of `HierarchyTree`, which the caller keeps between queries.
class TreeScratch {
 public:
  TreeScratch();
  ~TreeScratch();
  TreeScratch(TreeScratch&&) noexcept;
  TreeScratch& operator=(TreeScratch&&) noexcept;

  struct Data;
  /// The scratch memory of the wide tree, which queries also use between traversals.
  [[nodiscard]] WideScratch& wide() noexcept;
  [[nodiscard]] Data& data() noexcept { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// A hierarchy of one kind over a mesh. Boxes are in the local coordinates of the mesh. Immutable, so every
/// const member is thread-safe.
class HierarchyTree {
 public:
  virtual ~HierarchyTree() = default;
  HierarchyTree() = default;
  HierarchyTree(const HierarchyTree&) = delete;
  HierarchyTree& operator=(const HierarchyTree&) = delete;

  [[nodiscard]] virtual HierarchyKind kind() const noexcept = 0;
  /// Bytes of all arrays.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
  /// Returns a description of what is wrong with the tree as a tree of `mesh`, or nothing. Checks that every
  /// triangle is in one leaf, that children come after their parents, and that every box contains the corners
  /// below it. O(n depth).
  [[nodiscard]] virtual std::optional<std::string> problemFor(const TriangleMesh& mesh) const = 0;
  /// Visits the boxes down to level `deepest`, parents before children. Level 0 is the root. A triangle
  /// without a box of its own is represented by the last box above it.
  virtual void visitBoxes(std::size_t deepest, const BoxVisit& visit) const = 0;
  /// Returns the same nodes with boxes around the triangles of `mesh`. `before` is the tree's own mesh;
  /// `mesh` has the same triangles with moved points. Adds to `counts`. Precondition: `isRefittable(kind())`.
  /// Returns null for all other kinds.
  [[nodiscard]] virtual std::shared_ptr<const HierarchyTree> refitted(const TriangleMesh& before,
                                                                      const TriangleMesh& mesh,
                                                                      const RefitOptions& options,
                                                                      RefitCounts& counts) const;
  /// Sum of half the areas of all boxes, for refittable kinds. It grows as refitted trees get worse.
  [[nodiscard]] virtual double boxAreas() const noexcept { return 0; }
  /// Finds the pairs for the task. This is the tree of the part in the role of A. Any placement that can be
  /// inverted is handled directly. Precondition: `treeOfB` is of the same kind, and neither mesh is empty.
  virtual void traverse(const TraversalTask& task, const HierarchyTree& treeOfB,
                        TreeScratch& scratch) const = 0;
};

}  // namespace fitup

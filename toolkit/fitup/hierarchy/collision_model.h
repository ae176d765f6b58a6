#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/hierarchy/build_options.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/part_box.h>
#include <fitup/hierarchy/part_hull.h>
#include <fitup/hierarchy/refit.h>
#include <fitup/hierarchy/scd_trees.h>
#include <fitup/hierarchy/wide_bvh.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// What is known of a model that came about by refitting.
struct RefitHistory {
  std::uint32_t refits = 0;  ///< since its trees were built
  RefitCounts counts;        ///< of the last refit
  /// `CollisionModel::areaCost` of the model whose trees were built, by kind; for `costGrowth`.
  std::vector<std::pair<HierarchyKind, double>> builtCosts;
};

/// A part ready for queries: its mesh and the hierarchies over it. Immutable, so every const member is
/// thread-safe; shared by all instances of the part.
class CollisionModel {
 public:
  /// Advances `meter` by about `units`; throws CancelledError when its progress is cancelled. `threads`: 0 is
  /// one for each core; R-trees and the wide tree are built at once, the latter on all but one. The result
  /// does not depend on it.
  static std::shared_ptr<const CollisionModel> build(std::shared_ptr<const TriangleMesh> mesh,
                                                     const BuildOptions& options = {},
                                                     const WorkMeter& meter = {}, unsigned threads = 1);
  /// How much work a build is, for a `WorkMeter`.
  static std::uint64_t units(const TriangleMesh& mesh, const BuildOptions& options) noexcept;
  /// From trees that were built before, as a model file stores them. Throws InputError if they do not fit the
  /// mesh; whether the wide tree's boxes hold its triangles is not looked at, which `WideBvh::problemFor`
  /// does. Throws CancelledError.
  static std::shared_ptr<const CollisionModel> fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                         ScdTrees trees, std::optional<WideBvh> wide,
                                                         const WorkMeter& meter = {});

  /// The same. Precondition: both fit the mesh, which `ScdTrees::isWellFormedFor` and `WideBvh::problemFor`
  /// tell.
  static std::shared_ptr<const CollisionModel> fromCheckedTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                                ScdTrees trees, std::optional<WideBvh> wide);

  /// A new version of a part that has been deformed: the same triangles with points elsewhere, the same nodes
  /// of every hierarchy with new boxes. The old version stays as it is, and may be queried meanwhile.
  ///
  /// `pointsInPart[i]` is where point i of `mesh()` is now, in the part frame, in double precision; the new
  /// mesh is `withPoints(mesh(), pointsInPart)`, which throws as it says. Points of the source are those of
  /// the mesh by `TriangleMeshBuilder::keptPoints`.
  ///
  /// Reports of the new version are those of a model built anew. It costs a fraction of a build and is
  /// linear; queries get slower the less the deformed part resembles the one that was built: see
  /// `costGrowth`.
  ///
  /// Throws NotRefittableError if the model carries a hierarchy of a kind that is not `isRefittable`. A body
  /// model is built anew of the result.
  [[nodiscard]] std::shared_ptr<const CollisionModel> refit(std::span<const Vec3> pointsInPart,
                                                            const RefitOptions& options = {}) const;
  /// The same with a mesh that `withPoints` has made of this model's. Throws InputError if it has other
  /// triangles or surfaces.
  [[nodiscard]] std::shared_ptr<const CollisionModel> refit(std::shared_ptr<const TriangleMesh> deformed,
                                                            const RefitOptions& options = {}) const;
  /// The areas of all boxes of a hierarchy together, as parts of the area of the box around the whole: by the
  /// surface area heuristic (Goldsmith and Salmon 1987) the number of boxes that a ray through the part
  /// meets. 0 for a part without extent and for kinds that are not `isRefittable`. Linear in the nodes.
  /// Throws NotBuiltError.
  [[nodiscard]] double areaCost(HierarchyKind kind) const;
  /// `areaCost` now, divided by what it was when the trees were built; 1 for a model that was not refitted.
  /// From about 2 on a build pays for itself within a thousand queries (docs/results/refit.md).
  [[nodiscard]] double costGrowth(HierarchyKind kind) const;
  /// Unset for a model that was built.
  [[nodiscard]] const std::optional<RefitHistory>& refitHistory() const noexcept { return history_; }

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }
  [[nodiscard]] const std::shared_ptr<const TriangleMesh>& sharedMesh() const noexcept { return mesh_; }
  /// The surface R-tree, and the triangle R-trees of a model that carries `scd`.
  [[nodiscard]] const ScdTrees& rtrees() const noexcept { return rtrees_; }
  [[nodiscard]] bool hasWide() const noexcept { return wide_ != nullptr; }
  /// Throws NotBuiltError if the model was built without it.
  [[nodiscard]] const WideBvh& wide() const {
    if (wide_ == nullptr) failNotBuilt(HierarchyKind::wide);
    return *wide_;
  }
  /// The mesh's box, as the test of two parts' boxes reads it.
  [[nodiscard]] const PartBox& box() const noexcept { return box_; }
  /// The corners of the part's convex hull, made when it is asked for first, which takes milliseconds, and
  /// kept; not in model files and not counted by `hierarchyBytes`. Queries with `Coherence::on` ask for it at
  /// the first near miss; to spare a drag that moment, ask before. Empty for a refitted model, whose hull
  /// would hardly be asked for before the next version, and for one without the wide tree.
  [[nodiscard]] const PartHull& hull() const;
  [[nodiscard]] bool has(HierarchyKind kind) const noexcept { return find(kind) != nullptr; }
  /// Those that it carries.
  [[nodiscard]] std::vector<HierarchyKind> kinds() const;
  /// Throws NotBuiltError if the model was built without it.
  [[nodiscard]] const HierarchyTree& tree(HierarchyKind kind) const {
    const HierarchyTree* found = find(kind);
    if (found == nullptr) failNotBuilt(kind);
    return *found;
  }
  /// The same model with what `options` ask for and it does not carry yet; shares the rest, trees of kinds
  /// that it carries stay as they are. Itself, where nothing is missing. `meter` as for `build`.
  /// Throws InputError for no model.
  [[nodiscard]] static std::shared_ptr<const CollisionModel> with(std::shared_ptr<const CollisionModel> model,
                                                                  const BuildOptions& options,
                                                                  const WorkMeter& meter = {});
  /// Bytes of one kind's own arrays (of `scd` the surface R-tree's too); 0 where it is not carried.
  [[nodiscard]] std::size_t hierarchyBytes(HierarchyKind kind) const noexcept;
  /// Bytes of all hierarchies, without points and triangle indices.
  [[nodiscard]] std::size_t hierarchyBytes() const noexcept;

 private:
  struct LazyHull {
    std::once_flag made;
    PartHull hull;
  };
  explicit CollisionModel(std::shared_ptr<const TriangleMesh> mesh) : mesh_(std::move(mesh)), box_(*mesh_) {}
  void setRTrees(ScdTrees rtrees);
  void setTree(std::shared_ptr<const HierarchyTree> tree);
  [[nodiscard]] const HierarchyTree* find(HierarchyKind kind) const noexcept {
    for (const auto& [its, tree] : trees_)
      if (its == kind) return tree.get();
    return nullptr;
  }
  [[noreturn]] void failNotBuilt(HierarchyKind kind) const;

  std::shared_ptr<const TriangleMesh> mesh_;
  PartBox box_;
  std::shared_ptr<LazyHull> hull_ =
      std::make_shared<LazyHull>();  ///< one for all copies: each is good for their mesh
  ScdTrees rtrees_;
  std::vector<std::pair<HierarchyKind, std::shared_ptr<const HierarchyTree>>> trees_;
  const WideBvh* wide_ = nullptr;  ///< that of `trees_`, which most queries ask for
  std::optional<RefitHistory> history_;
};

}  // namespace fitup

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

/// History of a model that was made by refitting.
struct RefitHistory {
  std::uint32_t refits = 0;  ///< number of refits since its trees were built
  RefitCounts counts;        ///< counts of the last refit
  /// `CollisionModel::areaCost` of the model whose trees were built, for each kind. Used by `costGrowth`.
  std::vector<std::pair<HierarchyKind, double>> builtCosts;
};

/// A part ready for queries: its mesh and the hierarchies over it. Immutable, so every const member is
/// thread-safe. All instances of the part share it.
class CollisionModel {
 public:
  /// Builds a model. Advances `meter` by about `units`; throws CancelledError when its progress is cancelled,
  /// and InputError for a null mesh. `threads` = 0 means one for each core. R-trees and the wide tree are
  /// built at the same time, the latter on all threads but one. The result does not depend on the number of
  /// threads.
  static std::shared_ptr<const CollisionModel> build(std::shared_ptr<const TriangleMesh> mesh,
                                                     const BuildOptions& options = {},
                                                     const WorkMeter& meter = {}, unsigned threads = 1);
  /// Returns the amount of work of a build, for a `WorkMeter`.
  static std::uint64_t units(const TriangleMesh& mesh, const BuildOptions& options) noexcept;
  /// Makes a model from existing trees, as a model file stores them. Throws InputError if they do not fit the
  /// mesh. It does not check whether the boxes of the wide tree contain its triangles; `WideBvh::problemFor`
  /// does. Throws CancelledError.
  static std::shared_ptr<const CollisionModel> fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                         ScdTrees trees, std::optional<WideBvh> wide,
                                                         const WorkMeter& meter = {});

  /// Same without checks. Precondition: both fit the mesh, as `ScdTrees::isWellFormedFor` and
  /// `WideBvh::problemFor` report.
  static std::shared_ptr<const CollisionModel> fromCheckedTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                                ScdTrees trees, std::optional<WideBvh> wide);

  /// Makes a new version of a deformed part: the same triangles with moved points, and the same nodes of
  /// every hierarchy with new boxes. The old version does not change and may be queried meanwhile.
  ///
  /// `pointsInPart[i]` is the new position of point i of `mesh()`, in the part frame, in double precision.
  /// The new mesh is `withPoints(mesh(), pointsInPart)`, which throws as documented there.
  /// `TriangleMeshBuilder::keptPoints` maps points of the source to points of the mesh.
  ///
  /// Reports of the new version are those of a newly built model. A refit takes linear time, a fraction of a
  /// build. The less the deformed part resembles the one that was built, the slower queries become; see
  /// `costGrowth`.
  ///
  /// Throws NotRefittableError if the model has a hierarchy of a kind that is not `isRefittable`. A solid
  /// model must be built again from the result.
  [[nodiscard]] std::shared_ptr<const CollisionModel> refit(std::span<const Vec3> pointsInPart,
                                                            const RefitOptions& options = {}) const;
  /// Same with a mesh that `withPoints` made from this model's mesh. Throws InputError if the mesh is null or
  /// has other triangles or surfaces.
  [[nodiscard]] std::shared_ptr<const CollisionModel> refit(std::shared_ptr<const TriangleMesh> deformed,
                                                            const RefitOptions& options = {}) const;
  /// Returns the total area of all boxes of a hierarchy, divided by the area of the box around the whole. By
  /// the surface area heuristic (Goldsmith and Salmon 1987) this is the number of boxes that a ray through
  /// the part hits. It is 0 for a part without extent and for kinds that are not `isRefittable`. Linear in
  /// the nodes. Throws NotBuiltError.
  [[nodiscard]] double areaCost(HierarchyKind kind) const;
  /// Returns `areaCost` divided by its value when the trees were built; 1 for a model that was not refitted.
  /// From about 2 on, a new build pays off within a thousand queries (docs/results/refit.md). Throws
  /// NotBuiltError.
  [[nodiscard]] double costGrowth(HierarchyKind kind) const;
  /// Unset for a model that was built and not refitted.
  [[nodiscard]] const std::optional<RefitHistory>& refitHistory() const noexcept { return history_; }

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }
  [[nodiscard]] const std::shared_ptr<const TriangleMesh>& sharedMesh() const noexcept { return mesh_; }
  /// The surface R-tree, and the triangle R-trees if the model has `scd`.
  [[nodiscard]] const ScdTrees& rtrees() const noexcept { return rtrees_; }
  [[nodiscard]] bool hasWide() const noexcept { return wide_ != nullptr; }
  /// Throws NotBuiltError if the model has no wide tree.
  [[nodiscard]] const WideBvh& wide() const {
    if (wide_ == nullptr) failNotBuilt(HierarchyKind::wide);
    return *wide_;
  }
  /// The bounding box of the mesh, in the form that box tests of two parts use.
  [[nodiscard]] const PartBox& box() const noexcept { return box_; }
  /// The corners of the convex hull of the part. The first call computes the hull, which takes milliseconds,
  /// and keeps it. It is neither stored in model files nor counted by `hierarchyBytes`. Queries with
  /// `Coherence::on` need it at the first near miss; call this beforehand to avoid that delay in a drag.
  /// Empty for a model without the wide tree, and for a refitted model, whose hull would rarely be used
  /// before the next version.
  [[nodiscard]] const PartHull& hull() const;
  [[nodiscard]] bool has(HierarchyKind kind) const noexcept { return find(kind) != nullptr; }
  /// The kinds that the model has.
  [[nodiscard]] std::vector<HierarchyKind> kinds() const;
  /// Throws NotBuiltError if the model has no tree of this kind.
  [[nodiscard]] const HierarchyTree& tree(HierarchyKind kind) const {
    const HierarchyTree* found = find(kind);
    if (found == nullptr) failNotBuilt(kind);
    return *found;
  }
  /// Returns the model with the hierarchies that `options` ask for and that it lacks. Existing trees are
  /// shared and not changed. Returns the model itself if nothing is missing. `meter` as for `build`. Throws
  /// InputError for a null model.
  [[nodiscard]] static std::shared_ptr<const CollisionModel> with(std::shared_ptr<const CollisionModel> model,
                                                                  const BuildOptions& options,
                                                                  const WorkMeter& meter = {});
  /// Bytes of the arrays of one kind (for `scd` including the surface R-tree); 0 if the model lacks it.
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
      std::make_shared<LazyHull>();  ///< shared by all copies, because it depends only on the mesh
  ScdTrees rtrees_;
  std::vector<std::pair<HierarchyKind, std::shared_ptr<const HierarchyTree>>> trees_;
  const WideBvh* wide_ = nullptr;  ///< the wide tree in `trees_`, which most queries use
  std::optional<RefitHistory> history_;
};

}  // namespace fitup

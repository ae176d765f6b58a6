#pragma once

#include <memory>
#include <optional>

#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/part_box.h>
#include <fitup/hierarchy/scd_trees.h>
#include <fitup/hierarchy/wide_bvh.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup {

/// What `CollisionModel::build` makes.
struct BuildOptions {
  /// Fan-out and packing of the R-trees.
  RTreeOptions rtree;
  /// The triangle R-trees (TBV), which `scd` needs. Off: a lean build, half the memory and time; the surface
  /// R-tree is always there.
  bool triangleTrees = true;
  /// The default hierarchy; unset: none is built, and queries have to ask for another kind.
  std::optional<WideBvhOptions> wide = WideBvhOptions{};
  friend bool operator==(const BuildOptions&, const BuildOptions&) = default;
};

/// A part ready for queries: its mesh and the hierarchies over it. Immutable, so every const member is
/// thread-safe; shared by all instances of the part.
class CollisionModel {
 public:
  static std::shared_ptr<const CollisionModel> build(std::shared_ptr<const TriangleMesh> mesh,
                                                     const BuildOptions& options = {});
  /// From trees that were built before, as a model file stores them. Throws InputError if they do not fit the
  /// mesh; whether the wide tree's boxes hold its triangles is not looked at, which would cost as much as to
  /// build it.
  static std::shared_ptr<const CollisionModel> fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                         ScdTrees trees, std::optional<WideBvh> wide);

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }
  [[nodiscard]] const std::shared_ptr<const TriangleMesh>& sharedMesh() const noexcept { return mesh_; }
  [[nodiscard]] const ScdTrees& scd() const noexcept { return scd_; }
  /// False after a lean build.
  [[nodiscard]] bool hasTriangleTrees() const noexcept {
    return !scd_.triangleTrees.empty() || mesh_->surfaces().empty();
  }
  [[nodiscard]] bool hasWide() const noexcept { return wide_.has_value(); }
  /// Throws NotBuiltError if the model was built without it.
  [[nodiscard]] const WideBvh& wide() const;
  [[nodiscard]] const PartBox& box() const noexcept { return box_; }
  /// Bytes of all hierarchies, without points and triangle indices.
  [[nodiscard]] std::size_t hierarchyBytes() const noexcept;

 private:
  CollisionModel(std::shared_ptr<const TriangleMesh> mesh, ScdTrees trees, std::optional<WideBvh> wide)
      : mesh_(std::move(mesh)), box_(*mesh_), scd_(std::move(trees)), wide_(std::move(wide)) {}
  std::shared_ptr<const TriangleMesh> mesh_;
  PartBox box_;
  ScdTrees scd_;
  std::optional<WideBvh> wide_;
};

}  // namespace fitup

#pragma once

#include <memory>
#include <optional>

#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/scd_trees.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup {

/// What `CollisionModel::build` makes.
struct BuildOptions {
  /// Fan-out and packing of the R-trees.
  RTreeOptions rtree;
  friend bool operator==(const BuildOptions&, const BuildOptions&) = default;
};

/// A part ready for queries: its mesh and the hierarchies over it. Immutable, so every const member is
/// thread-safe; shared by all instances of the part.
class CollisionModel {
 public:
  static std::shared_ptr<const CollisionModel> build(std::shared_ptr<const TriangleMesh> mesh,
                                                     const BuildOptions& options = {});
  /// From trees that were built before, as a model file stores them. Throws InputError if they do not fit the
  /// mesh.
  static std::shared_ptr<const CollisionModel> fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                         ScdTrees trees);

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }
  [[nodiscard]] const std::shared_ptr<const TriangleMesh>& sharedMesh() const noexcept { return mesh_; }
  [[nodiscard]] const ScdTrees& scd() const noexcept { return scd_; }
  /// Bytes of all hierarchies, without points and triangle indices.
  [[nodiscard]] std::size_t hierarchyBytes() const noexcept;

 private:
  CollisionModel(std::shared_ptr<const TriangleMesh> mesh, ScdTrees trees)
      : mesh_(std::move(mesh)), scd_(std::move(trees)) {}
  std::shared_ptr<const TriangleMesh> mesh_;
  ScdTrees scd_;
};

}  // namespace fitup

#pragma once

#include <array>
#include <memory>
#include <optional>

#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/scd_trees.h>
#include <fitup/hierarchy/tree_options.h>
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
  /// The systems of the field; unset: not built.
  std::optional<AabbTreeOptions> aabb;
  std::optional<ObbTreeOptions> obb;
  std::optional<BoxTreeOptions> box;
  std::optional<DopTreeOptions> dop;
  std::optional<CompactAabbOptions> opcode, opcodeQuantized;

  /// Asks for a kind, with its usual options unless some are there already.
  void add(HierarchyKind kind);
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
  [[nodiscard]] bool has(HierarchyKind kind) const noexcept;
  /// A hierarchy of the field's systems (any kind but `wide` and `scd`). Throws NotBuiltError if the model
  /// was built without it.
  [[nodiscard]] const HierarchyTree& tree(HierarchyKind kind) const;
  /// The same model with what `options` ask for and it does not carry yet; shares the rest, trees of kinds
  /// that it carries stay as they are. Itself, where nothing is missing.
  [[nodiscard]] static std::shared_ptr<const CollisionModel> with(std::shared_ptr<const CollisionModel> model,
                                                                  const BuildOptions& options);
  /// Bytes of one kind's own arrays; 0 where it is not carried.
  [[nodiscard]] std::size_t hierarchyBytes(HierarchyKind kind) const noexcept;
  /// Bytes of all hierarchies, without points and triangle indices.
  [[nodiscard]] std::size_t hierarchyBytes() const noexcept;

 private:
  CollisionModel(std::shared_ptr<const TriangleMesh> mesh, ScdTrees trees, std::optional<WideBvh> wide)
      : mesh_(std::move(mesh)), scd_(std::move(trees)), wide_(std::move(wide)) {}
  std::shared_ptr<const TriangleMesh> mesh_;
  ScdTrees scd_;
  std::optional<WideBvh> wide_;
  std::array<std::shared_ptr<const HierarchyTree>, hierarchyKindCount> trees_;  ///< by kind
};

}  // namespace fitup

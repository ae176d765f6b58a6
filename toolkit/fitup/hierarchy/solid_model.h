#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/surface_patches.h>
#include <fitup/hierarchy/walls.h>
#include <fitup/mesh/boundary_mesh.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

namespace FITUP_EXPORT fitup {

/// A part for depth and verdict queries: the surface that bounds its material, with its collision model and
/// topology, and what is inside of it. Immutable, so every const member is thread-safe. All instances of the
/// part share it.
///
/// The inside is found in these steps, each of which `text` reports: equal triangles cancel or count once and
/// seams are joined (`boundaryMesh`); normals are turned to agree within each connected component; shells
/// that lie wholly inside the material of others bound cavities (`Watertightness`); shells that intersect are
/// a union, whose inner walls do not count for depths (`outer`). `PointQuery::side` then classifies points by
/// their winding number.
class SolidModel {
 public:
  /// O(n log n), and a new collision model if the boundary is not the part's mesh. Throws InputError for a
  /// null model, NotBuiltError if it has no wide tree, and CancelledError.
  static std::shared_ptr<const SolidModel> build(std::shared_ptr<const CollisionModel> model,
                                                 const WorkMeter& meter = {});

  /// The model that the solid was built from: all triangles of the part, as the file has them.
  [[nodiscard]] const std::shared_ptr<const CollisionModel>& partModel() const noexcept { return part_; }
  /// The model of the boundary: that of the part unless `repairs` changed anything. Its surfaces have the
  /// ordinals of the part's, its triangles other ids.
  [[nodiscard]] const CollisionModel& model() const noexcept { return *model_; }
  [[nodiscard]] const std::shared_ptr<const CollisionModel>& sharedModel() const noexcept { return model_; }
  /// The mesh of the boundary.
  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return model_->mesh(); }
  /// Of the boundary's mesh, like `watertightness`.
  [[nodiscard]] const MeshTopology& topology() const noexcept { return topology_; }
  [[nodiscard]] const Watertightness& watertightness() const noexcept { return watertightness_; }
  [[nodiscard]] const BoundaryRepairs& repairs() const noexcept { return repairs_; }
  /// Where the material may be thin. Made when first asked for, in O(n).
  [[nodiscard]] const Walls& walls() const;
  /// The model for distances from the boundary: without the inner walls where shells overlap. It is `model()`
  /// unless there are any. Its surfaces have the ordinals of the part's, its triangles other ids. Made when
  /// first asked for, in O(n log n).
  [[nodiscard]] const CollisionModel& outer() const;
  /// The flat and round surfaces of `outer`. Made when first asked for, in O(n log n).
  [[nodiscard]] const SurfacePatches& patches() const;

 private:
  SolidModel(std::shared_ptr<const CollisionModel> model, const WorkMeter& meter);
  std::shared_ptr<const CollisionModel> part_, model_;
  MeshTopology topology_;
  Watertightness watertightness_;
  BoundaryRepairs repairs_;
  mutable std::once_flag wallsOnce_;
  mutable std::optional<Walls> walls_;
  mutable std::once_flag outerOnce_;
  mutable std::shared_ptr<const CollisionModel> outer_;
  mutable std::once_flag patchesOnce_;
  mutable std::optional<SurfacePatches> patches_;
};

/// Text for people: `text` of the watertightness, and what was done to find the boundary, such as "closed,
/// 12 points joined within 1e-06".
std::string text(const SolidModel& solid);

}  // namespace fitup

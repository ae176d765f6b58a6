#pragma once

#include <memory>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

namespace FITUP_EXPORT fitup {

/// A part for depth and verdict queries: its collision model, the topology of its triangles, and whether they
/// bound a volume. Immutable, so every const member is thread-safe. All instances of the part share it.
class SolidModel {
 public:
  /// Builds the topology in O(n log n). Throws InputError for a null model, NotBuiltError if it has no wide
  /// tree, and CancelledError.
  static std::shared_ptr<const SolidModel> build(std::shared_ptr<const CollisionModel> model,
                                                 const WorkMeter& meter = {});

  [[nodiscard]] const CollisionModel& model() const noexcept { return *model_; }
  [[nodiscard]] const std::shared_ptr<const CollisionModel>& sharedModel() const noexcept { return model_; }
  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return model_->mesh(); }
  [[nodiscard]] const MeshTopology& topology() const noexcept { return topology_; }
  [[nodiscard]] const Watertightness& watertightness() const noexcept { return watertightness_; }

 private:
  SolidModel(std::shared_ptr<const CollisionModel> model, const WorkMeter& meter);
  std::shared_ptr<const CollisionModel> model_;
  MeshTopology topology_;
  Watertightness watertightness_;
};

}  // namespace fitup

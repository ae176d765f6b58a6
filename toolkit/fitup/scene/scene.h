#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/posed_solid.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/poses.h>

namespace FITUP_EXPORT fitup {

/// One model for each part of an assembly, indexed by PartId.
using CollisionModels = std::vector<std::shared_ptr<const CollisionModel>>;

/// Builds the models of all parts on `threads` threads. A mesh shared by several PartIds is built once.
/// Throws CancelledError.
CollisionModels buildCollisionModels(const Assembly& assembly, const BuildOptions& options = {},
                                     const Progress& progress = {}, unsigned threads = 1);

/// The subject of queries: an assembly, a collision model for each part, and a solid for each part whose
/// depth or verdict is requested.
///
/// Models and solids are made when they are first requested, and kept. A scene is a handle: copies share
/// everything, and objects made from a scene (guards, live checks, verifiers) keep a handle of their own, so
/// you may pass a temporary. A scene never changes and every member is thread-safe; an edited assembly is
/// another scene (`edited`). `Poses` hold the instances that are not at their design placements.
///
/// Members that take an instance throw InputError for a node that is not one.
class Scene {
 public:
  /// A scene without instances.
  Scene();
  /// Takes `models` indexed by PartId. If it is empty, models are built with `build` when they are first
  /// requested. Otherwise throws InputError unless it has one model for each part, of the mesh of that part.
  explicit Scene(Assembly assembly, CollisionModels models = {}, const BuildOptions& build = {});
  /// Makes a scene of two models, or of one twice, without an assembly: two instances whose part frames are
  /// the world frame. Throws InputError for a null model.
  static Scene of(std::shared_ptr<const CollisionModel> a, std::shared_ptr<const CollisionModel> b);
  /// Makes a scene of another assembly with its models. Keeps the solids of models that both scenes share.
  /// Throws as the constructor.
  [[nodiscard]] Scene edited(Assembly assembly, CollisionModels models) const;
  /// Returns the same scene in which one instance shows another mesh, as a part of its own. All
  /// other models and solids are shared, also those that are made later. Throws InputError for a null mesh.
  [[nodiscard]] Scene withMesh(NodeId instance, std::shared_ptr<const TriangleMesh> mesh) const;
  /// Returns the same scene with models that also carry what `build` requests (`CollisionModel::with`).
  /// Throws CancelledError.
  [[nodiscard]] Scene with(const BuildOptions& build, const Progress& progress = {}) const;

  [[nodiscard]] const Assembly& assembly() const noexcept;

  /// Instances in the order of `Assembly::instances`. Their *position* is the index in this list.
  [[nodiscard]] std::span<const NodeId> instances() const noexcept;
  [[nodiscard]] std::uint32_t positionOf(NodeId instance) const;
  /// Paths by position, made on the first call.
  [[nodiscard]] const std::vector<std::string>& paths() const;

  [[nodiscard]] const Transform& designPlacement(NodeId instance) const;
  [[nodiscard]] Transform worldFromPart(NodeId instance, const Poses& poses) const;
  /// Bounding box of an instance's part in the world, conservative.
  [[nodiscard]] Box worldBounds(NodeId instance, const Poses& poses) const;
  /// Throws InputError if a pose belongs to a node that is not an instance.
  void requireInstances(const Poses& poses) const;
  /// The assembly with its instances at their poses, for export.
  [[nodiscard]] Assembly posedAssembly(const Poses& poses) const;

  [[nodiscard]] const std::shared_ptr<const CollisionModel>& collisionModel(PartId part) const;
  [[nodiscard]] const CollisionModel& modelOf(NodeId instance) const;
  /// Throws NotBuiltError if the part's collision model has no wide tree.
  [[nodiscard]] const std::shared_ptr<const SolidModel>& solid(PartId part) const;
  [[nodiscard]] const SolidModel& solidOf(NodeId instance) const;
  [[nodiscard]] PosedModel posed(NodeId instance, const Poses& poses = {}) const;
  [[nodiscard]] PosedSolid posedSolid(NodeId instance, const Poses& poses = {}) const;

  /// Returns all collision models. Makes missing ones on `threads` threads. Throws CancelledError.
  CollisionModels collisionModels(const Progress& progress = {}, unsigned threads = 1) const;
  /// Makes the missing collision models, or solids, of these parts on `threads` threads. Throws
  /// CancelledError.
  void prepareModels(std::span<const PartId> parts, const Progress& progress = {},
                     unsigned threads = 1) const;
  void prepareSolids(std::span<const PartId> parts, const Progress& progress = {},
                     unsigned threads = 1) const;
  /// False if `prepareModels` may still have work to do.
  [[nodiscard]] bool hasAllModels() const noexcept;

 private:
  struct State;
  explicit Scene(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace fitup

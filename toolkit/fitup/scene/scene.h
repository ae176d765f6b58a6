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

/// One model for each part of an assembly, by PartId.
using CollisionModels = std::vector<std::shared_ptr<const CollisionModel>>;

/// Builds the models of all parts on `threads` threads. Parts that several PartIds share are built once.
/// Throws CancelledError.
CollisionModels buildCollisionModels(const Assembly& assembly, const BuildOptions& options = {},
                                     const Progress& progress = {}, unsigned threads = 1);

/// What queries are asked of: an assembly, a collision model for each part, and a solid for each part whose
/// depth or verdict somebody asks for.
///
/// Models and solids are made once, when they are first asked for, and kept. A scene is a handle: copies
/// share everything, and whatever is made from a scene (guards, live checks, verifiers) keeps its own handle,
/// so that a temporary may be handed over. A scene never changes, so every member is thread-safe; an edited
/// assembly is another scene (`edited`). `Poses` say which instances do not stand as designed.
///
/// Members that take an instance throw InputError for a node that is none.
class Scene {
 public:
  /// No instance.
  Scene();
  /// `models` by PartId; none: they are built by `build` when they are first asked for. Throws InputError if
  /// there is not one for each part, of its mesh.
  explicit Scene(Assembly assembly, CollisionModels models = {}, const BuildOptions& build = {});
  /// A scene of two models, or of one twice, without an assembly: two instances, whose part frames are the
  /// world's. Throws InputError for a model that is null.
  static Scene of(std::shared_ptr<const CollisionModel> a, std::shared_ptr<const CollisionModel> b);
  /// Another assembly with its models. Solids that this scene has made of models that both share are kept.
  /// Throws as the constructor.
  [[nodiscard]] Scene edited(Assembly assembly, CollisionModels models) const;
  /// The same with models that carry what `build` asks for too (`CollisionModel::with`). Throws
  /// CancelledError.
  [[nodiscard]] Scene with(const BuildOptions& build, const Progress& progress = {}) const;

  [[nodiscard]] const Assembly& assembly() const noexcept;

  /// Instances in the order of `Assembly::instances`; their *position* is that in this list.
  [[nodiscard]] std::span<const NodeId> instances() const noexcept;
  [[nodiscard]] std::uint32_t positionOf(NodeId instance) const;
  /// Paths by position, made when first asked for.
  [[nodiscard]] const std::vector<std::string>& paths() const;

  [[nodiscard]] const Transform& designPlacement(NodeId instance) const;
  [[nodiscard]] Transform worldFromPart(NodeId instance, const Poses& poses) const;
  /// Box of an instance's part in the world, conservative.
  [[nodiscard]] Box worldBounds(NodeId instance, const Poses& poses) const;
  /// Throws InputError for poses of a node that is no instance.
  void requireInstances(const Poses& poses) const;
  /// The assembly with its instances where `poses` have them, for exports.
  [[nodiscard]] Assembly posedAssembly(const Poses& poses) const;

  [[nodiscard]] const std::shared_ptr<const CollisionModel>& collisionModel(PartId part) const;
  [[nodiscard]] const CollisionModel& modelOf(NodeId instance) const;
  /// Throws NotBuiltError if the part's collision model has no wide tree.
  [[nodiscard]] const std::shared_ptr<const SolidModel>& solid(PartId part) const;
  [[nodiscard]] const SolidModel& solidOf(NodeId instance) const;
  [[nodiscard]] PosedModel posed(NodeId instance, const Poses& poses = {}) const;
  [[nodiscard]] PosedSolid posedSolid(NodeId instance, const Poses& poses = {}) const;

  /// All collision models. Makes those that are missing, on `threads` threads. Throws CancelledError.
  CollisionModels collisionModels(const Progress& progress = {}, unsigned threads = 1) const;
  /// Makes the collision models, or the solids, of these parts that are missing, likewise.
  void prepareModels(std::span<const PartId> parts, const Progress& progress = {},
                     unsigned threads = 1) const;
  void prepareSolids(std::span<const PartId> parts, const Progress& progress = {},
                     unsigned threads = 1) const;
  /// False while `prepareModels` may have something to do.
  [[nodiscard]] bool hasAllModels() const noexcept;

 private:
  struct State;
  explicit Scene(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace fitup

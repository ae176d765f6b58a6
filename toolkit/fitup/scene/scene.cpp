#include <fitup/scene/scene.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include <tbb/task_arena.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>

namespace fitup {
namespace {

/// An object that the first caller makes while others wait. If making it throws, the next caller tries again.
template <typename Object>
class MadeOnce {
 public:
  using Pointer = std::shared_ptr<const Object>;
  MadeOnce() = default;
  explicit MadeOnce(Pointer made) : made_(std::move(made)), isMade_(made_ != nullptr) {}

  [[nodiscard]] bool isMade() const noexcept { return isMade_.load(std::memory_order_acquire); }
  template <typename Make>
  const Pointer& get(const Make& make) {
    if (!isMade()) {
      const std::lock_guard lock(mutex_);
      if (!isMade()) {
        // Without isolation, this thread could take up a task that requests the same object while it waits
        // for others.
        tbb::this_task_arena::isolate([&] { made_ = make(); });
        isMade_.store(true, std::memory_order_release);
      }
    }
    return made_;
  }

 private:
  std::mutex mutex_;
  Pointer made_;
  std::atomic<bool> isMade_{false};
};

/// The models made of one mesh.
struct PartModels {
  std::shared_ptr<const TriangleMesh> mesh;
  MadeOnce<CollisionModel> model;
  MadeOnce<SolidModel> solid;

  explicit PartModels(std::shared_ptr<const TriangleMesh> ofMesh,
                      std::shared_ptr<const CollisionModel> given = nullptr)
      : mesh(std::move(ofMesh)), model(std::move(given)) {}
};

}  // namespace

struct Scene::State {
  Assembly assembly;
  BuildOptions build;
  std::vector<std::shared_ptr<PartModels>> parts;  ///< by PartId; parts with the same model share an entry
  std::vector<NodeId> instances;
  std::vector<Transform> design;         ///< worldFromPart by position
  std::vector<std::uint32_t> positions;  ///< by NodeId; `none` for subassemblies
  mutable std::atomic<bool> hasAllModels{false};
  mutable std::once_flag pathsMade;
  mutable std::vector<std::string> paths;

  static constexpr std::uint32_t none = ~0U;
  using Known = std::map<const CollisionModel*, std::shared_ptr<PartModels>>;

  State(Assembly ofAssembly, const CollisionModels& models, const BuildOptions& by, const Known& known = {})
      : assembly(std::move(ofAssembly)), build(by) {
    addParts(models, known);
    hasAllModels = !models.empty();
    instances = assembly.instances();
    positions.assign(assembly.nodes().size(), none);
    design.reserve(instances.size());
    for (const NodeId node : instances) {
      positions[index(node)] = static_cast<std::uint32_t>(design.size());
      design.push_back(assembly.worldFromNode(node));
    }
  }

  /// Another assembly whose first parts are those of `other`; the others have no models yet.
  State(Assembly ofAssembly, const State& other) : State(std::move(ofAssembly), {}, other.build) {
    std::ranges::copy(other.parts, parts.begin());
  }

  void addParts(const CollisionModels& models, Known known) {
    if (!models.empty() && models.size() != assembly.partCount())
      throw InputError(
          "scene", "models",
          std::to_string(models.size()) + " models for " + std::to_string(assembly.partCount()) + " parts");
    std::map<const TriangleMesh*, std::shared_ptr<PartModels>> ofMesh;
    for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
      const auto& mesh = assembly.sharedPart(PartId{i});
      if (models.empty()) {
        std::shared_ptr<PartModels>& part = ofMesh[mesh.get()];
        if (!part) part = std::make_shared<PartModels>(mesh);
        parts.push_back(part);
        continue;
      }
      // A model of another mesh would give results for that mesh.
      if (!models[i] || models[i]->mesh().contentHash() != mesh->contentHash())
        throw InputError("scene", "model " + std::to_string(i),
                         "does not belong to part '" + mesh->name() + "'");
      std::shared_ptr<PartModels>& part = known[models[i].get()];
      if (!part) part = std::make_shared<PartModels>(mesh, models[i]);
      parts.push_back(part);
    }
  }

  [[nodiscard]] std::vector<std::shared_ptr<PartModels>> of(std::span<const PartId> ids) const {
    std::vector<std::shared_ptr<PartModels>> found;
    for (const PartId part : ids) {
      (void)at(part);
      found.push_back(parts[index(part)]);
    }
    return found;
  }
  [[nodiscard]] PartModels& at(PartId part) const {
    (void)assembly.sharedPart(part);  // throws if there is no such part
    return *parts[index(part)];
  }
  [[nodiscard]] const std::shared_ptr<const CollisionModel>& modelOf(PartModels& part,
                                                                     const WorkMeter& meter = {},
                                                                     unsigned threads = 1) const {
    return part.model.get([&] { return CollisionModel::build(part.mesh, build, meter, threads); });
  }
  [[nodiscard]] const std::shared_ptr<const SolidModel>& solidOf(PartModels& part,
                                                                 const WorkMeter& meter = {}) const {
    return part.solid.get([&] { return SolidModel::build(modelOf(part), meter); });
  }

  void makeModels(std::span<const std::shared_ptr<PartModels>> asked, const Progress& progress,
                  unsigned threads) const {
    std::vector<PartModels*> missing;
    std::uint64_t units = 0;
    for (PartModels* part : distinct(asked))
      if (!part->model.isMade()) {
        missing.push_back(part);
        units += CollisionModel::units(*part->mesh, build);
      }
    if (missing.empty()) return;
    const WorkMeter meter(progress, "building hierarchies", units);
    // If there are fewer parts than threads, each part gets several.
    const unsigned each =
        workerCount(threads, std::numeric_limits<std::size_t>::max()) / workerCount(threads, missing.size());
    parallelFor(missing.size(), threads, [&](std::size_t i, unsigned) {
      meter.poll();
      (void)modelOf(*missing[i], meter, each);
    });
    meter.finish();
  }

  /// Distinct entries in the order of their first use.
  static std::vector<PartModels*> distinct(std::span<const std::shared_ptr<PartModels>> all) {
    std::vector<PartModels*> result;
    std::map<const PartModels*, bool> seen;
    for (const auto& part : all)
      if (seen.emplace(part.get(), true).second) result.push_back(part.get());
    return result;
  }
};

CollisionModels buildCollisionModels(const Assembly& assembly, const BuildOptions& options,
                                     const Progress& progress, unsigned threads) {
  return Scene(assembly, {}, options).collisionModels(progress, threads);
}

Scene::Scene() : Scene(Assembly()) {}

Scene::Scene(Assembly assembly, CollisionModels models, const BuildOptions& build)
    : state_(std::make_shared<const State>(std::move(assembly), models, build)) {}

Scene Scene::of(std::shared_ptr<const CollisionModel> a, std::shared_ptr<const CollisionModel> b) {
  if (!a || !b) throw InputError("scene", "models", "one of the two is null");
  Assembly assembly;
  for (const auto& model : {a, b})
    assembly.addNode(model->mesh().name(), {}, {}, assembly.addPart(model->sharedMesh()));
  return Scene(std::move(assembly), {std::move(a), std::move(b)});
}

Scene Scene::edited(Assembly assembly, CollisionModels models) const {
  State::Known known;
  for (const auto& part : state_->parts)
    if (part->model.isMade()) known[state_->modelOf(*part).get()] = part;
  return Scene(std::make_shared<const State>(std::move(assembly), models, state_->build, known));
}

Scene Scene::withMesh(NodeId instance, std::shared_ptr<const TriangleMesh> mesh) const {
  Assembly changed = assembly();
  changed.setPart(instance, changed.addPart(std::move(mesh)));
  return Scene(std::make_shared<const State>(std::move(changed), *state_));
}

Scene Scene::with(const BuildOptions& build, const Progress& progress) const {
  CollisionModels models = collisionModels(progress, allCores);
  std::map<const CollisionModel*, std::shared_ptr<const CollisionModel>> made;
  std::uint64_t units = 0;
  for (const auto& model : models)
    if (made.emplace(model.get(), nullptr).second) units += CollisionModel::units(model->mesh(), build);
  const WorkMeter meter(progress, "building hierarchies", units);
  for (auto& model : models) {
    meter.poll();
    auto& more = made.at(model.get());
    if (!more) more = CollisionModel::with(model, build, meter);
    model = more;
  }
  meter.finish();
  return edited(state_->assembly, std::move(models));
}

const Assembly& Scene::assembly() const noexcept { return state_->assembly; }

std::span<const NodeId> Scene::instances() const noexcept { return state_->instances; }

std::uint32_t Scene::positionOf(NodeId instance) const {
  const auto& positions = state_->positions;
  if (index(instance) >= positions.size() || positions[index(instance)] == State::none)
    (void)assembly().partOf(instance);  // throws an error that says what is wrong
  return positions[index(instance)];
}

const std::vector<std::string>& Scene::paths() const {
  std::call_once(state_->pathsMade, [&] {
    state_->paths.reserve(instances().size());
    for (const NodeId node : instances()) state_->paths.push_back(assembly().path(node));
  });
  return state_->paths;
}

const Transform& Scene::designPlacement(NodeId instance) const {
  return state_->design[positionOf(instance)];
}

Transform Scene::worldFromPart(NodeId instance, const Poses& poses) const {
  const std::uint32_t position = positionOf(instance);
  const Transform* placed = poses.find(instance);
  return placed != nullptr ? *placed : state_->design[position];
}

Box Scene::worldBounds(NodeId instance, const Poses& poses) const {
  return placedBox(worldFromPart(instance, poses), assembly().meshOf(instance).boundsInPart());
}

void Scene::requireInstances(const Poses& poses) const {
  for (const auto& [instance, worldFromPart] : poses) (void)positionOf(instance);
}

Assembly Scene::posedAssembly(const Poses& poses) const {
  requireInstances(poses);
  Assembly posed = assembly();
  // Each instance separately: those below another instance that was placed are moved back.
  for (const NodeId node : instances()) {
    const Transform world = worldFromPart(node, poses);
    if (posed.worldFromNode(node) == world) continue;
    const auto parent = posed.node(node).parent;
    posed.setPlacement(node, parent ? posed.worldFromNode(*parent).inverse() * world : world);
  }
  return posed;
}

const std::shared_ptr<const CollisionModel>& Scene::collisionModel(PartId part) const {
  return state_->modelOf(state_->at(part));
}

const CollisionModel& Scene::modelOf(NodeId instance) const {
  return *collisionModel(assembly().partOf(instance));
}

const std::shared_ptr<const SolidModel>& Scene::solid(PartId part) const {
  return state_->solidOf(state_->at(part));
}

const SolidModel& Scene::solidOf(NodeId instance) const { return *solid(assembly().partOf(instance)); }

PosedModel Scene::posed(NodeId instance, const Poses& poses) const {
  return {collisionModel(assembly().partOf(instance)), worldFromPart(instance, poses)};
}

PosedSolid Scene::posedSolid(NodeId instance, const Poses& poses) const {
  return {solid(assembly().partOf(instance)), worldFromPart(instance, poses)};
}

CollisionModels Scene::collisionModels(const Progress& progress, unsigned threads) const {
  state_->makeModels(state_->parts, progress, threads);
  state_->hasAllModels = true;
  CollisionModels models;
  for (const auto& part : state_->parts) models.push_back(state_->modelOf(*part));
  return models;
}

bool Scene::hasAllModels() const noexcept { return state_->hasAllModels; }

void Scene::prepareModels(std::span<const PartId> parts, const Progress& progress, unsigned threads) const {
  state_->makeModels(state_->of(parts), progress, threads);
}

void Scene::prepareSolids(std::span<const PartId> parts, const Progress& progress, unsigned threads) const {
  const std::vector<std::shared_ptr<PartModels>> asked = state_->of(parts);
  state_->makeModels(asked, progress, threads);
  std::vector<PartModels*> missing = State::distinct(asked);
  std::erase_if(missing, [](const PartModels* part) { return part->solid.isMade(); });
  if (missing.empty()) return;
  std::uint64_t triangles = 0;
  for (const PartModels* part : missing) triangles += part->mesh->triangleCount();
  const WorkMeter meter(progress, "preparing solids", triangles);
  parallelFor(missing.size(), threads, [&](std::size_t i, unsigned) {
    meter.poll();
    (void)state_->solidOf(*missing[i], meter);
    meter.advance(missing[i]->mesh->triangleCount());
  });
  meter.finish();
}

}  // namespace fitup

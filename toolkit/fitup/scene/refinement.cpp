#include <fitup/scene/refinement.h>

#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/work_meter.h>

namespace fitup {
namespace {

using Solid = std::shared_ptr<const SolidModel>;

struct Key {
  PartId part;
  int level;  ///< binary exponent of the chord error
  std::vector<SurfaceId> faces;
  friend bool operator<(const Key& p, const Key& q) {
    return std::tie(p.part, p.level, p.faces) < std::tie(q.part, q.level, q.faces);
  }
};

}  // namespace

struct Refinement::State {
  std::shared_ptr<PartRefiner> refiner;
  std::size_t room;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::map<Key, Solid> solids;  ///< null while one thread makes it
  std::size_t kept = 0;         ///< triangles of `solids`
  Statistics statistics;

  void keep(const Key& key, const Solid& solid) {
    const std::lock_guard lock(mutex);
    const std::size_t triangles = solid->mesh().triangleCount();
    ++statistics.meshes;
    statistics.triangles += triangles;
    // Most pairs are asked about once, so it hardly matters which solids are dropped.
    for (auto at = solids.begin(); kept + triangles > room && at != solids.end();) {
      if (!at->second) {
        ++at;
        continue;
      }
      kept -= at->second->mesh().triangleCount();
      at = solids.erase(at);
    }
    kept += triangles;
    solids[key] = solid;
    changed.notify_all();
  }
  void giveUp(const Key& key) {
    const std::lock_guard lock(mutex);
    solids.erase(key);
    changed.notify_all();
  }
};

Refinement::Refinement(std::shared_ptr<PartRefiner> refiner, std::size_t room)
    : state_(std::make_unique<State>()) {
  if (!refiner) throw InputError("refinement", "refiner", "is null");
  state_->refiner = std::move(refiner);
  state_->room = room;
}

Refinement::~Refinement() = default;

bool Refinement::isOf(PartId part, const TriangleMesh& mesh) const {
  const TriangleMesh* known = state_->refiner->coarseMesh(part);
  return known == nullptr || known == &mesh;
}

std::shared_ptr<const SolidModel> Refinement::solid(PartId part, std::span<const SurfaceId> faces,
                                                    double chordError, const Progress& progress) {
  if (!state_->refiner->canRefine(part)) return nullptr;
  if (!(chordError > 0) || !std::isfinite(chordError))
    throw InputError("refinement", "chord error", "is not above zero");
  const Key key{part, std::ilogb(chordError), {faces.begin(), faces.end()}};
  {
    std::unique_lock lock(state_->mutex);
    for (;;) {
      const auto [known, isNew] = state_->solids.try_emplace(key);
      if (isNew) break;
      if (known->second) return known->second;
      if (progress.cancelled()) throw CancelledError();
      state_->changed.wait_for(lock, std::chrono::milliseconds(50));
    }
  }
  try {
    const auto mesh = state_->refiner->refine(part, faces, std::ldexp(1.0, key.level), progress);
    const WorkMeter meter(progress);
    const Solid solid = SolidModel::build(CollisionModel::build(mesh, {}, meter), meter);
    state_->keep(key, solid);
    return solid;
  } catch (...) {
    state_->giveUp(key);
    throw;
  }
}

Refinement::Statistics Refinement::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

}  // namespace fitup

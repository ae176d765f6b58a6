#include "contestant.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace fitup::bench {
namespace {

/// Bullet's GImpact (trees of quantized boxes over moving triangle meshes), through contactPairTest. Its
/// callback receives the two triangles of each contact point, once or more for a pair, and cannot end the
/// search, so the first pair costs as much as all.
class Bullet : public Contestant {
 public:
  Bullet() : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &configuration_) {
    // contactPairTest uses the table of closest-point algorithms, which registerAlgorithm does not fill.
    dispatcher_.registerClosestPointsCreateFunc(GIMPACT_SHAPE_PROXYTYPE, GIMPACT_SHAPE_PROXYTYPE, &create_);
  }

  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = "Bullet GImpact";
    info.software = "Bullet " FITUP_BENCH_BULLET;
    info.builtFor = "packaged";
    info.note = sizeof(btScalar) == sizeof(float) ? "float" : "double";
    info.note += "; makes contact points, cannot end at the first";
    return info;
  }
  [[nodiscard]] bool answers(QueryMode) const override { return true; }

  void load(const Parts& parts) override {
    parts_.clear();
    meshes_ = parts;
    for (const auto& mesh : parts) {
      Part& part = *parts_.emplace_back(std::make_unique<Part>());
      for (std::uint32_t i = 0; i < mesh->points().size(); ++i) {
        const Vec3 p = mesh->pointInPart(i);
        part.points.push_back(
            {static_cast<btScalar>(p.x), static_cast<btScalar>(p.y), static_cast<btScalar>(p.z)});
      }
      for (const TriangleIndices& t : mesh->triangles())
        part.triangles.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
  }
  void build() override {
    for (auto& owned : parts_) {
      Part& part = *owned;
      part.shape.reset();
      part.input = std::make_unique<btTriangleIndexVertexArray>(
          static_cast<int>(part.triangles.size()), part.triangles.data()->data(), sizeof(part.triangles[0]),
          static_cast<int>(part.points.size()), part.points.data()->data(), sizeof(part.points[0]));
      part.shape = std::make_unique<btGImpactMeshShape>(part.input.get());
      part.shape->setMargin(0);  // otherwise triangles that only come near would count
      part.shape->updateBound();
    }
  }
  /// Makes an object for each resting part, which is placed once, and for each moving one.
  void enter(const Scene& scene) override {
    resting_ = std::vector<btCollisionObject>(scene.resting.size());
    movers_ = std::vector<Mover>(scene.movers.size());
    for (std::size_t i = 0; i < scene.resting.size(); ++i) {
      resting_[i].setCollisionShape(parts_[scene.resting[i].part]->shape.get());
      resting_[i].setWorldTransform(pose(scene.resting[i].worldFromPart));
    }
    for (std::size_t i = 0; i < scene.movers.size(); ++i)
      movers_[i].object.setCollisionShape(parts_[scene.movers[i]]->shape.get());
  }
  void beginStep() override { ++step_; }
  [[nodiscard]] std::optional<std::size_t> hierarchyBytes() const override {
    std::size_t bytes = 0;
    for (const auto& part : parts_)
      for (int i = 0; i < part->shape->getMeshPartCount(); ++i)
        bytes += static_cast<std::size_t>(part->shape->getMeshPart(i)->getBoxSet()->getNodeCount()) *
                 sizeof(BT_QUANTIZED_BVH_NODE);
    return bytes;
  }

  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    btCollisionObject& a = resting_[pair.resting];
    Mover& b = movers_[pair.mover];
    if (b.placedIn != step_) b.object.setWorldTransform(pose(pair.worldFromB));
    b.placedIn = step_;
    std::vector<TrianglePair>& pairs = pairs_;
    pairs.clear();
    Collect collect(a, pairs);
    world_.contactPairTest(&a, &b.object, collect);
    if (mode == QueryMode::firstSurfacePair) return pairs.empty() ? 0 : 1;
    if (mode == QueryMode::allSurfacePairs)
      return countSurfacePairs(pairs, *meshes_[pair.partA], *meshes_[pair.partB], surfaces_);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs.size();
  }
  bool lastPairs(QueryMode mode, std::vector<std::uint64_t>& pairs) override {
    return appendPairs(mode, pairs_, surfaces_, pairs);
  }

 private:
  struct Part {
    std::vector<std::array<btScalar, 3>> points;
    std::vector<std::array<int, 3>> triangles;
    std::unique_ptr<btTriangleIndexVertexArray> input;
    std::unique_ptr<btGImpactMeshShape> shape;
  };
  struct Mover {
    btCollisionObject object;
    std::uint64_t placedIn = 0;  ///< step
  };
  struct Collect : btCollisionWorld::ContactResultCallback {
    Collect(const btCollisionObject& first, std::vector<TrianglePair>& found) : a(&first), pairs(found) {}
    const btCollisionObject* a;
    std::vector<TrianglePair>& pairs;
    btScalar addSingleResult(btManifoldPoint&, const btCollisionObjectWrapper* first, int, int index0,
                             const btCollisionObjectWrapper*, int, int index1) override {
      const auto id = [](int i) { return TriangleId(static_cast<std::uint32_t>(i)); };
      const bool swapped = first->getCollisionObject() != a;
      pairs.push_back(swapped ? TrianglePair{id(index1), id(index0)} : TrianglePair{id(index0), id(index1)});
      return 0;
    }
  };

  static btTransform pose(const Transform& t) {
    const auto s = [](double v) { return static_cast<btScalar>(v); };
    return btTransform(btMatrix3x3(s(t.m[0][0]), s(t.m[0][1]), s(t.m[0][2]), s(t.m[1][0]), s(t.m[1][1]),
                                   s(t.m[1][2]), s(t.m[2][0]), s(t.m[2][1]), s(t.m[2][2])),
                       btVector3(s(t.t.x), s(t.t.y), s(t.t.z)));
  }

  btDefaultCollisionConfiguration configuration_;
  btGImpactCollisionAlgorithm::CreateFunc create_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_;
  Parts meshes_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<btCollisionObject> resting_;
  std::vector<Mover> movers_;
  std::uint64_t step_ = 0;
  std::vector<TrianglePair> pairs_;
  std::vector<SurfacePair> surfaces_;
};

}  // namespace

Contestants makeBulletPeers() {
  Contestants peers;
  peers.push_back(std::make_unique<Bullet>());
  return peers;
}

}  // namespace fitup::bench

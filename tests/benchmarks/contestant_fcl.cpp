#include "contestant.h"

#include <fcl/fcl.h>

#include <set>
#include <type_traits>

namespace fitup::bench {
namespace {

/// FCL's BVH of oriented boxes, as its users run it: contacts without contact geometry, rigid poses, nothing
/// rebuilt.
template <typename Scalar>
class FclObb : public Contestant {
 public:
  [[nodiscard]] std::string name() const override {
    return std::string("FCL OBB, ") + (std::is_same_v<Scalar, float> ? "float" : "double");
  }
  /// FCL knows no surfaces: the pairs of surfaces are taken from its contacts.
  [[nodiscard]] bool answers(QueryMode) const override { return true; }

  void prepare(const Scene& scene) override {
    parts_.clear();
    scene_ = &scene;
    for (const auto& part : scene.parts) {
      std::vector<fcl::Vector3<Scalar>> points;
      for (std::uint32_t i = 0; i < part->points().size(); ++i) {
        const Vec3 p = part->pointInPart(i);
        points.emplace_back(static_cast<Scalar>(p.x), static_cast<Scalar>(p.y), static_cast<Scalar>(p.z));
      }
      std::vector<fcl::Triangle> triangles;
      for (const TriangleIndices& t : part->triangles()) triangles.emplace_back(t[0], t[1], t[2]);
      auto model = std::make_shared<fcl::BVHModel<fcl::OBB<Scalar>>>();
      model->beginModel();
      model->addSubModel(points, triangles);
      model->endModel();
      parts_.push_back(std::move(model));
    }
  }

  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    const std::size_t most = mode == QueryMode::firstSurfacePair ? 1 : std::numeric_limits<int>::max();
    const fcl::CollisionRequest<Scalar> request(most, false);
    fcl::CollisionResult<Scalar> result;
    fcl::collide(parts_[pair.partA].get(), pose(pair.worldFromA), parts_[pair.partB].get(),
                 pose(pair.worldFromB), request, result);
    if (mode != QueryMode::allSurfacePairs) return result.numContacts();
    const TriangleMesh &a = *scene_->parts[pair.partA], &b = *scene_->parts[pair.partB];
    surfaces_.clear();
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const auto& contact = result.getContact(i);
      surfaces_.push_back({a.surfaceOf(TriangleId(static_cast<std::uint32_t>(contact.b1))),
                           b.surfaceOf(TriangleId(static_cast<std::uint32_t>(contact.b2)))});
    }
    std::sort(surfaces_.begin(), surfaces_.end());
    return static_cast<std::size_t>(std::unique(surfaces_.begin(), surfaces_.end()) - surfaces_.begin());
  }

 private:
  static fcl::Transform3<Scalar> pose(const Transform& t) {
    fcl::Transform3<Scalar> r = fcl::Transform3<Scalar>::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        r.linear()(i, j) = static_cast<Scalar>(t.m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      r.translation()(i) = static_cast<Scalar>(t.t[i]);
    }
    return r;
  }

  const Scene* scene_ = nullptr;
  std::vector<std::shared_ptr<fcl::BVHModel<fcl::OBB<Scalar>>>> parts_;
  std::vector<SurfacePair> surfaces_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> makeFclPeers() {
  std::vector<std::unique_ptr<Contestant>> peers;
  peers.push_back(std::make_unique<FclObb<double>>());
  peers.push_back(std::make_unique<FclObb<float>>());
  return peers;
}

}  // namespace fitup::bench

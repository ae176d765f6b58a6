#pragma once

#include <fcl/fcl.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "contestant.h"

namespace fitup::bench {

/// How FCL was compiled, as the rows of the tables tell.
struct FclBuild {
  const char* suffix;    ///< of the name; empty for the first build
  const char* builtFor;  ///< `ContestantInfo::builtFor`
  const char* note;
};

// Not in a named namespace: each source that includes this has its own compilation of FCL.
namespace {

/// Made for each question: if it is kept, a question takes longer, because it is then copied in other pieces
/// than it was written in.
template <typename Scalar>
fcl::Transform3<Scalar> fclPose(const Transform& t) {
  fcl::Transform3<Scalar> r = fcl::Transform3<Scalar>::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      r.linear()(i, j) = static_cast<Scalar>(t.m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    r.translation()(i) = static_cast<Scalar>(t.t[i]);
  }
  return r;
}

/// The points and triangles of a part, as FCL takes them.
template <typename Scalar>
struct FclInput {
  std::vector<fcl::Vector3<Scalar>> points;
  std::vector<fcl::Triangle> triangles;

  explicit FclInput(const TriangleMesh& part) {
    for (std::uint32_t i = 0; i < part.points().size(); ++i) {
      const Vec3 p = part.pointInPart(i);
      points.emplace_back(static_cast<Scalar>(p.x), static_cast<Scalar>(p.y), static_cast<Scalar>(p.z));
    }
    for (const TriangleIndices& t : part.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  }
  template <typename Volume>
  [[nodiscard]] std::unique_ptr<fcl::BVHModel<Volume>> built() const {
    auto model = std::make_unique<fcl::BVHModel<Volume>>();
    // With the final sizes, the model allocates once.
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
  }
};

/// FCL's functions for any two shapes.
struct FclCalls {
  template <typename Volume, typename Request, typename Result, typename Pose>
  static void collide(const fcl::BVHModel<Volume>& a, const Pose& poseA, const fcl::BVHModel<Volume>& b,
                      const Pose& poseB, const Request& request, Result& result) {
    fcl::collide(&a, poseA, &b, poseB, request, result);
  }
  template <typename Volume, typename Request, typename Result, typename Pose>
  static void distance(const fcl::BVHModel<Volume>& a, const Pose& poseA, const fcl::BVHModel<Volume>& b,
                       const Pose& poseB, const Request& request, Result& result) {
    fcl::distance(&a, poseA, &b, poseB, request, result);
  }
};

/// FCL's bounding volume hierarchies, as its users run them: contacts without contact geometry, rigid poses.
/// Oriented volumes (OBB, OBBRSS, kIOS) are tested in place. For all others, `collide` copies both models,
/// moves the copies' vertices and refits or rebuilds them in every call (fcl/narrowphase/detail/
/// collision_func_matrix-inl.h, BVHCollide); their rows say so.
template <typename Volume, typename Calls = FclCalls>
class Fcl : public Contestant {
 public:
  using Scalar = typename Volume::S;
  using Model = fcl::BVHModel<Volume>;

  Fcl(std::string volume, Movement movement, const FclBuild& build)
      : volume_(std::move(volume)), movement_(movement), build_(build) {}

  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = "FCL " + volume_;
    if (std::is_same_v<Scalar, float>) info.name += " float";
    info.name += build_.suffix;
    if (movement_ == Movement::rebuilds) info.name += " (rebuilds)";
    info.software = "FCL " FCL_VERSION;
    info.builtFor = build_.builtFor;
    info.note = std::is_same_v<Scalar, double> ? "double" : "float";
    info.note += build_.note;
    if (movement_ == Movement::rebuilds)
      info.note += "; copies, moves and rebuilds its models in every query";
    info.movement = movement_;
    return info;
  }
  /// FCL has no surfaces, so the pairs of surfaces are derived from its contacts.
  [[nodiscard]] bool answers(QueryMode) const override { return true; }

  void load(const Parts& parts) override {
    parts_ = parts;
    models_.clear();
    input_.clear();
    for (const auto& part : parts) input_.emplace_back(*part);
  }
  void build() override {
    models_.clear();
    for (const FclInput<Scalar>& input : input_) models_.push_back(input.template built<Volume>());
  }
  /// FCL's `memUsage` returns a status and counts points, so nodes and the order of triangles are counted
  /// here.
  [[nodiscard]] std::optional<std::size_t> hierarchyBytes() const override {
    std::size_t bytes = 0;
    for (const auto& model : models_)
      bytes += static_cast<std::size_t>(model->getNumBVs()) * sizeof(fcl::BVNode<Volume>) +
               static_cast<std::size_t>(model->num_tris) * sizeof(unsigned);
    return bytes;
  }

  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    const std::size_t most = mode == QueryMode::firstSurfacePair ? 1 : std::numeric_limits<int>::max();
    const fcl::CollisionRequest<Scalar> request(most, false);
    result_.clear();
    Calls::collide(*models_[pair.partA], fclPose<Scalar>(pair.worldFromA), *models_[pair.partB],
                   fclPose<Scalar>(pair.worldFromB), request, result_);
    if (mode != QueryMode::allSurfacePairs) return result_.numContacts();
    pairs_.clear();
    for (std::size_t i = 0; i < result_.numContacts(); ++i) {
      const auto& contact = result_.getContact(i);
      pairs_.push_back({TriangleId(static_cast<std::uint32_t>(contact.b1)),
                        TriangleId(static_cast<std::uint32_t>(contact.b2))});
    }
    return countSurfacePairs(pairs_, *parts_[pair.partA], *parts_[pair.partB], surfaces_);
  }

  bool lastPairs(QueryMode mode, std::vector<std::uint64_t>& pairs) override {
    if (mode == QueryMode::allTrianglePairs)
      for (std::size_t i = 0; i < result_.numContacts(); ++i)
        pairs.push_back(packed(result_.getContact(i).b1, result_.getContact(i).b2));
    else
      for (const SurfacePair& pair : surfaces_) pairs.push_back(packed(pair.a, pair.b));
    return true;
  }

  /// Only swept spheres measure in place; others move copies, as in `collide`.
  [[nodiscard]] bool measuresDistances() const override {
    return std::is_same_v<Volume, fcl::RSS<Scalar>> || std::is_same_v<Volume, fcl::OBBRSS<Scalar>> ||
           std::is_same_v<Volume, fcl::kIOS<Scalar>>;
  }
  /// Measures without nearest points and penetration depth, and without an allowed error.
  double distance(const PosedPair& pair) override {
    const fcl::DistanceRequest<Scalar> request(false);
    fcl::DistanceResult<Scalar> result;
    Calls::distance(*models_[pair.partA], fclPose<Scalar>(pair.worldFromA), *models_[pair.partB],
                    fclPose<Scalar>(pair.worldFromB), request, result);
    return std::max(0.0, static_cast<double>(result.min_distance));
  }

 private:
  std::string volume_;
  Movement movement_;
  FclBuild build_;
  Parts parts_;
  std::vector<FclInput<Scalar>> input_;
  std::vector<std::unique_ptr<Model>> models_;
  fcl::CollisionResult<Scalar> result_;  ///< reuses the memory of the previous result, as ours do
  std::vector<TrianglePair> pairs_;
  std::vector<SurfacePair> surfaces_;
};

}  // namespace
}  // namespace fitup::bench

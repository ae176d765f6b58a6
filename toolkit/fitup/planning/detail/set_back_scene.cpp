#include <fitup/planning/detail/set_back_scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include <fitup/base/error.h>

namespace fitup::detail {

std::optional<double> SetBackScene::scaleOf(NodeId instance) const {
  const Transform world = scene_.worldFromPart(instance, poses_);
  const double scale = std::cbrt(std::abs(world.determinant()));
  Transform rigid = world;
  for (auto& row : rigid.m)
    for (double& entry : row) entry /= scale;
  if (!(scale > 0) || !(rigid.orthonormalError() <= orthonormalTolerance)) return std::nullopt;
  return scale;
}

SetBackPart* SetBackScene::partOf(NodeId instance) {
  if (!scaleOf(instance)) return nullptr;
  const PartId part = scene_.assembly().partOf(instance);
  const auto [found, isNew] = parts_.try_emplace(part);
  if (isNew) found->second = SetBackPart::of(scene_.solid(part));
  return found->second.get();
}

std::optional<std::vector<Vec3>> SetBackScene::pointsOf(NodeId instance, std::span<const ReliefFace> faces,
                                                        double& growth) {
  SetBackPart* const part = partOf(instance);
  if (part == nullptr) return std::nullopt;
  const double scale = *scaleOf(instance);
  std::vector<Vec3> points = part->points();
  for (const ReliefFace& face : faces) {
    if (face.instance != instance) continue;
    if (!part->move(face.surfaces, face.offset / scale, points)) return std::nullopt;
    growth = std::max(growth, part->growthOf(face.surfaces, face.offset / scale));
  }
  return points;
}

std::shared_ptr<const TriangleMesh> SetBackScene::meshOf(NodeId instance, std::span<const ReliefFace> faces) {
  double growth = 1;
  const auto points = pointsOf(instance, faces, growth);
  return points ? partOf(instance)->meshWith(*points, growth) : nullptr;
}

std::optional<Scene> SetBackScene::with(std::span<const ReliefFace> faces) {
  Scene changed = scene_;
  std::set<NodeId> done;
  for (const ReliefFace& face : faces) {
    if (!done.insert(face.instance).second) continue;
    auto mesh = meshOf(face.instance, faces);
    if (!mesh) return std::nullopt;
    changed = changed.withMesh(face.instance, std::move(mesh));
  }
  return changed;
}

bool SetBackScene::isSound(const Scene& changed, std::span<const ReliefFace> faces) {
  return std::ranges::all_of(faces, [&](const ReliefFace& face) {
    SetBackPart* const part = partOf(face.instance);
    return part != nullptr && part->isSound(changed.solidOf(face.instance));
  });
}

double SetBackScene::mostOffset(std::span<const ReliefFace> others, const ReliefFace& face, double most) {
  std::vector<ReliefFace> faces(others.begin(), others.end());
  faces.push_back(face);
  const auto isKept = [&](double offset) {
    faces.back().offset = offset;
    double growth = 1;
    return pointsOf(face.instance, faces, growth).has_value();
  };
  if (isKept(most)) return most;
  constexpr int steps = 20;
  double low = 0, high = most;
  for (int k = 0; k < steps && high - low > 1e-3 * low; ++k) {
    const double middle = 0.5 * (low + high);
    (isKept(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace fitup::detail

namespace fitup {

std::optional<Scene> withFacesSetBack(const Scene& scene, const Poses& poses,
                                      std::span<const ReliefFace> faces) {
  for (const ReliefFace& face : faces) {
    const std::string path = scene.assembly().path(face.instance);
    const TriangleMesh& mesh = scene.assembly().meshOf(face.instance);
    if (!(face.offset > 0) || !std::isfinite(face.offset))
      throw InputError("face of '" + path + "'", "offset", "is not above zero");
    for (const SurfaceId surface : face.surfaces)
      if (index(surface) >= mesh.surfaces().size())
        throw InputError("face of '" + path + "'", "surface " + std::to_string(index(surface)),
                         "there is none");
  }
  detail::SetBackScene setBack(scene, poses);
  std::optional<Scene> changed = setBack.with(faces);
  if (changed && !setBack.isSound(*changed, faces)) return std::nullopt;
  return changed;
}

}  // namespace fitup

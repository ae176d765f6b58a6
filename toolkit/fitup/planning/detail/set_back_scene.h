#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/planning/detail/set_back.h>
#include <fitup/planning/removal_relief.h>

namespace fitup::detail {

/// Makes scenes in which faces of instances are set back, and remembers the parts that it looked at. Keeps
/// references to scene and poses. Not thread-safe.
class SetBackScene {
 public:
  SetBackScene(const Scene& scene, const Poses& poses) : scene_(scene), poses_(poses) {}

  /// The part of an instance; null if its faces cannot be set back (`withFacesSetBack`).
  SetBackPart* partOf(NodeId instance);
  /// The length in the world of one unit of the instance's part. Empty if its placement is no similarity.
  [[nodiscard]] std::optional<double> scaleOf(NodeId instance) const;
  /// Empty if the part of a face cannot be changed, or a triangle would turn over.
  std::optional<Scene> with(std::span<const ReliefFace> faces);
  /// False if a changed part of a scene that `with` made is not sound.
  bool isSound(const Scene& changed, std::span<const ReliefFace> faces);
  /// The largest offset of `face`, up to `most`, with which no triangle turns over while the others are as
  /// given, to about a thousandth of it. 0 if there is none.
  double mostOffset(std::span<const ReliefFace> others, const ReliefFace& face, double most);

 private:
  /// The mesh of an instance with those of the faces that it has; null if a triangle turns over.
  std::shared_ptr<const TriangleMesh> meshOf(NodeId instance, std::span<const ReliefFace> faces);
  std::optional<std::vector<Vec3>> pointsOf(NodeId instance, std::span<const ReliefFace> faces,
                                            double& growth);

  const Scene& scene_;
  const Poses& poses_;
  std::map<PartId, std::unique_ptr<SetBackPart>> parts_;
};

}  // namespace fitup::detail

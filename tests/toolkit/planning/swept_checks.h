#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/motion/track_poses.h>
#include <fitup/planning/swept_volume.h>

#include "support/tiny_meshes.h"

namespace fitup::test {

/// A scene of one part at the origin, "part".
inline Scene sceneOfPart(MeshPtr mesh, const Transform& worldFromPart = {}) {
  Assembly assembly("sweep");
  assembly.addNode("part", worldFromPart, {}, assembly.addPart(std::move(mesh)));
  return Scene(std::move(assembly));
}

inline Track trackOf(std::vector<RigidMotion> poses, std::vector<StepWay> ways = {}) {
  Track track;
  track.moved = {"part"};
  for (const RigidMotion& pose : poses) track.steps.push_back({pose});
  for (const StepWay& way : ways) track.ways.push_back({way});
  return track;
}

inline RigidMotion shiftBy(const Vec3& by) { return {{}, by}; }

/// A track of one turn about an axis, from the design placement.
inline Track turnTrack(const AxisTurn& turn) {
  return trackOf({RigidMotion{}, turn.at(1)}, {StepWay{}, StepWay{turn, {}}});
}

/// A random point of the surface of a mesh, in its part frame; every triangle is equally likely.
inline Vec3 surfacePoint(const TriangleMesh& mesh, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  const auto id = std::uniform_int_distribution<std::uint32_t>(
      0, static_cast<std::uint32_t>(mesh.triangleCount() - 1))(random);
  const Triangle t = mesh.triangle(TriangleId{id});
  double a = share(random), b = share(random);
  if (a + b > 1) a = 1 - a, b = 1 - b;
  return mesh.origin() + t.v[0] + (t.v[1] - t.v[0]) * a + (t.v[2] - t.v[0]) * b;
}

/// The closed surface of a swept volume, for questions about points of the world.
class Envelope {
 public:
  explicit Envelope(const std::shared_ptr<const TriangleMesh>& mesh)
      : solid_(SolidModel::build(CollisionModel::build(mesh))), query_(solid_->model()) {}

  [[nodiscard]] bool contains(const Vec3& p) {
    return query_.side(p - solid_->mesh().origin(), watertightness()) == PointSide::inside;
  }
  [[nodiscard]] bool isClosed() const {
    return watertightness().closed() && solid_->repairs().joinedPoints == 0 &&
           std::ranges::none_of(watertightness().components(), [](const ComponentWatertightness& c) {
             return c.reversedTriangles > 0 || c.insideOut;
           });
  }
  [[nodiscard]] const Watertightness& watertightness() const { return solid_->watertightness(); }

 private:
  std::shared_ptr<const SolidModel> solid_;
  PointQuery query_;
};

/// Distance of a point from the surfaces of all moved parts at one time of a track, by a query of a point:
/// the oracle, which knows nothing of ways of points. 0 inside of closed parts.
class PosedDistance {
 public:
  PosedDistance(const Scene& scene, const Track& track) : scene_(scene), poses_(track, scene.assembly()) {
    for (const MovedGroup& group : poses_.groups())
      for (const NodeId node : group.instances) queries_.emplace_back(scene.modelOf(node));
  }

  [[nodiscard]] double lastStep() const { return static_cast<double>(poses_.track().steps.size() - 1); }

  double at(double time, const Vec3& p) {
    const std::vector<RigidMotion> poses = poses_.at(time);
    double least = std::numeric_limits<double>::infinity();
    std::size_t i = 0;
    for (std::size_t g = 0; g < poses.size(); ++g)
      for (const NodeId node : poses_.groups()[g].instances) {
        const SolidModel& solid = scene_.solidOf(node);
        const Transform partFromWorld = (poses[g].transform() * scene_.designPlacement(node)).inverse();
        const Vec3 local = partFromWorld.apply(p) - solid.mesh().origin();
        if (solid.watertightness().closed() &&
            PointQuery(solid.model()).side(local, solid.watertightness()) == PointSide::inside)
          return 0;
        const Vec3 there = partFromWorld.apply(p) - scene_.modelOf(node).mesh().origin();
        least = std::min(least,
                         queries_[i++].closest(there, least).value_or(ClosestPoint{{}, {}, least}).distance);
      }
    return least;
  }

  /// The least of `samples` times of every step.
  double least(const Vec3& p, int samples) {
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= samples * lastStep(); ++k) best = std::min(best, at(double(k) / samples, p));
    return best;
  }

 private:
  const Scene& scene_;
  TrackPoses poses_;
  std::vector<PointQuery> queries_;
};

/// How many of `count` random points of moved parts, at random times, are not inside of the envelope.
inline int countOutside(const Scene& scene, const Track& track, Envelope& envelope, int count,
                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const TrackPoses poses(track, scene.assembly());
  std::uniform_real_distribution<double> when(0, static_cast<double>(track.steps.size() - 1));
  int outside = 0;
  for (int i = 0; i < count; ++i) {
    const double time = when(random);
    const std::size_t g = random() % poses.groups().size();
    const auto& instances = poses.groups()[g].instances;
    const NodeId node = instances[random() % instances.size()];
    const Vec3 p = surfacePoint(scene.assembly().meshOf(node), random);
    const Vec3 world = (poses.at(time)[g].transform() * scene.designPlacement(node)).apply(p);
    if (!envelope.contains(world)) ++outside;
  }
  return outside;
}

}  // namespace fitup::test

#include <fitup/motion/instance_ways.h>

#include <algorithm>
#include <array>
#include <memory>

#include <fitup/base/work_meter.h>
#include <fitup/motion/detail/track_scene.h>

namespace fitup {

TrackWays instanceWays(const Scene& scene, const Track& track, bool force, const Progress& progress) {
  TrackWays result;
  const WorkMeter meter(progress);
  const detail::TrackScene resolved(scene, {}, track, force, meter);
  if (track.steps.empty()) return result;
  std::vector<std::array<Vec3, 8>> corners(resolved.design.size());
  std::vector<std::uint32_t> moved;
  for (const std::uint32_t i : resolved.moved) {
    const PlacedInstance& placed = resolved.design[i];
    const TriangleMesh& mesh = scene.assembly().meshOf(placed.node);
    corners[i] = cornersInWorld(mesh, placed.worldFromPart);
    if (mesh.triangleCount() == 0) continue;
    moved.push_back(i);
    result.instances.push_back({placed.node, placed.worldBox, {}});
  }
  if (moved.empty()) return result;
  result.rounding = motionAccuracy(scene.assembly(), resolved, track, corners).rounding;
  const std::size_t ways = std::max<std::size_t>(track.steps.size() - 1, 1);
  for (std::size_t step = 0; step < ways; ++step) {
    const auto paths = std::make_shared<const std::vector<RigidPath>>(resolved.pathsFrom(track, step));
    for (std::size_t k = 0; k < moved.size(); ++k) {
      meter.poll();
      const RigidPath& path = (*paths)[resolved.groupOf[moved[k]]];
      UniformWay way = path.wayOf(resolved.design[moved[k]].worldFromPart);
      // It refers to the path.
      way.worldFromPart = [paths, at = std::move(way.worldFromPart)](double s) { return at(s); };
      result.instances[k].ways.push_back({std::move(way), path.speedBound(corners[moved[k]])});
    }
  }
  return result;
}

}  // namespace fitup

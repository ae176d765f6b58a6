#include <fitup/motion/instance_ways.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fitup/base/work_meter.h>
#include <fitup/motion/detail/track_scene.h>

namespace fitup {

namespace {

using detail::TrackScene;

/// The same way, which keeps what it refers to alive.
UniformWay keeping(UniformWay way, const std::shared_ptr<const std::vector<RigidPath>>& paths) {
  way.worldFromPart = [paths, at = std::move(way.worldFromPart)](double s) { return at(s); };
  return way;
}

/// The group of an instance, or `TrackScene::resting`.
std::uint32_t groupOf(const TrackScene& resolved, NodeId instance) {
  for (std::uint32_t i = 0; i < resolved.design.size(); ++i)
    if (resolved.design[i].node == instance) return resolved.groupOf[i];
  return TrackScene::resting;
}

/// True if a group is in its design placement all the time.
bool staysInDesign(const TrackScene& resolved, const Track& track, std::uint32_t group) {
  for (std::size_t step = 0; step < track.steps.size(); ++step) {
    if (track.steps[step][group] != RigidMotion{}) return false;
    const UniformWay way = resolved.pathsFrom(track, step)[group].wayOf({});
    if (way.shift != Vec3{} || way.turn != Vec3{}) return false;
  }
  return true;
}

}  // namespace

TrackWays instanceWays(const Scene& scene, const Track& track, const InstanceWaysRequest& request,
                       const Progress& progress) {
  TrackWays result;
  const WorkMeter meter(progress);
  const Assembly& assembly = scene.assembly();
  if (request.relativeTo) static_cast<void>(assembly.partOf(*request.relativeTo));  // throws
  for (const NodeId part : request.parts) static_cast<void>(assembly.node(part));   // throws
  const TrackScene resolved(scene, {}, track, request.force, meter);
  if (track.steps.empty()) return result;
  const std::uint32_t frame =
      request.relativeTo ? groupOf(resolved, *request.relativeTo) : TrackScene::resting;
  const bool frameMoves = frame != TrackScene::resting && !staysInDesign(resolved, track, frame);
  const auto isAsked = [&](std::uint32_t i) {
    const bool isResting = resolved.groupOf[i] == TrackScene::resting;
    if (isResting ? !frameMoves : resolved.groupOf[i] == frame) return false;
    if (request.parts.empty()) return !isResting;
    return std::ranges::any_of(
        request.parts, [&](NodeId part) { return assembly.isAtOrBelow(resolved.design[i].node, part); });
  };
  std::vector<std::array<Vec3, 8>> corners(resolved.design.size());
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < resolved.design.size(); ++i) {
    meter.poll();
    const PlacedInstance& placed = resolved.design[i];
    const TriangleMesh& mesh = assembly.meshOf(placed.node);
    corners[i] = cornersInWorld(mesh, placed.worldFromPart);
    if (mesh.triangleCount() == 0 || !isAsked(i)) continue;
    asked.push_back(i);
    result.instances.push_back({placed.node, placed.worldBox, {}});
  }
  if (asked.empty()) return result;
  result.rounding = motionAccuracy(assembly, resolved, track, corners).rounding;
  // The pose in the frame is a product of two poses, whose errors add. Its points are at most three times as
  // far from the origin as those in the world.
  if (frameMoves) result.rounding *= 4;
  const std::size_t ways = std::max<std::size_t>(track.steps.size() - 1, 1);
  double gap = 0;
  for (std::size_t step = 0; step < ways; ++step) {
    const auto paths = std::make_shared<const std::vector<RigidPath>>(resolved.pathsFrom(track, step));
    if (frameMoves) result.frame.push_back(keeping((*paths)[frame].wayOf({}), paths));
    for (std::size_t k = 0; k < asked.size(); ++k) {
      meter.poll();
      const Transform& placement = resolved.design[asked[k]].worldFromPart;
      const std::uint32_t group = resolved.groupOf[asked[k]];
      if (group == TrackScene::resting)
        result.instances[k].ways.push_back({UniformWay::at(placement), 0});
      else
        result.instances[k].ways.push_back({keeping((*paths)[group].wayOf(placement), paths),
                                            (*paths)[group].speedBound(corners[asked[k]])});
      if (!frameMoves) continue;
      // A turn of the frame ends at the next pose only up to rounding.
      const Transform frameFromWorld = result.frame.back().worldFromPart(1).inverse();
      std::array<Vec3, 8> seen = cornersInWorld(assembly.meshOf(resolved.design[asked[k]].node),
                                                result.instances[k].ways.back().way.worldFromPart(1));
      for (Vec3& corner : seen) corner = frameFromWorld.apply(corner);
      gap = std::max(gap, (*paths)[frame].gapAtEnd(seen));
    }
  }
  result.rounding += gap;
  return result;
}

}  // namespace fitup

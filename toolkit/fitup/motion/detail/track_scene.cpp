#include <fitup/motion/detail/track_scene.h>

#include <algorithm>
#include <string>

#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

RigidPath groupPathFrom(const Track& track, std::size_t step, std::size_t group, const Vec3& centre) {
  const std::size_t next = std::min(step + 1, track.steps.size() - 1);
  return {track.steps[step][group], track.steps[next][group], centre,
          next > step ? track.wayTo(next, group) : StepWay{}};
}

/// True if both groups have the same poses at every step, and the same motion between.
bool moveTogether(const Track& track, std::size_t i, std::size_t j, const std::vector<Vec3>& centres) {
  if (i == j) return true;
  if (!std::ranges::all_of(track.steps, [&](const auto& step) { return step[i] == step[j]; })) return false;
  for (std::size_t k = 0; k + 1 < track.steps.size(); ++k)
    if (!groupPathFrom(track, k, i, centres[i]).isSameMotion(groupPathFrom(track, k, j, centres[j])))
      return false;
  return true;
}

}  // namespace

TrackScene::TrackScene(const Scene& scene, const Poses& poses, const Track& track, bool force,
                       const WorkMeter& meter)
    : groups(resolve(track, scene.assembly(), force)) {
  scene.requireInstances(poses);
  for (const NodeId node : scene.instances()) {
    meter.poll();
    groupOf.push_back(resting);
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      if (scene.assembly().isAtOrBelow(node, groups[g].node)) groupOf.back() = g;
    design.push_back(placedInstance(
        scene.assembly(), node,
        groupOf.back() == resting ? scene.worldFromPart(node, poses) : scene.designPlacement(node)));
  }
  for (std::uint32_t i = 0; i < design.size(); ++i) (groupOf[i] == resting ? rest : moved).push_back(i);
  std::vector<Box> boxes(groups.size());
  for (const std::uint32_t i : moved) boxes[groupOf[i]].extend(design[i].worldBox);
  for (const Box& box : boxes) centres.push_back(box.empty() ? Vec3{} : box.centre());
  // The first of the groups that move together represents all of them.
  std::vector<std::size_t> rigid(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    meter.poll();
    rigid[g] = 0;
    while (!moveTogether(track, rigid[g], g, centres)) ++rigid[g];
  }
  CandidateList pairs(meter);
  for (std::size_t i = 0; groups.size() > 1 && i < moved.size(); ++i)
    for (std::size_t j = i + 1; j < moved.size(); ++j)
      if (rigid[groupOf[moved[i]]] != rigid[groupOf[moved[j]]])
        pairs.add({moved[i], moved[j]});
      else
        pairs.look();
  movedPairs = pairs.take();
}

std::vector<RigidPath> TrackScene::pathsFrom(const Track& track, std::size_t step) const {
  std::vector<RigidPath> paths;
  for (std::size_t g = 0; g < groups.size(); ++g) paths.push_back(groupPathFrom(track, step, g, centres[g]));
  return paths;
}

MotionAccuracy motionAccuracy(const Assembly& assembly, const TrackScene& scene, const Track& track,
                              const std::vector<std::array<Vec3, 8>>& corners) {
  MotionAccuracy accuracy;
  Box all;
  for (const PlacedInstance& p : scene.design) all.extend(p.worldBox);
  accuracy.size = all.empty() ? 0.0 : 2 * norm(all.halfExtent());
  const auto requireNear = [&](std::size_t step, double error) {
    // Such a step would make the result for all other steps useless.
    if (!(error <= accuracy.size / 64))
      throw InputError("track", "step " + std::to_string(step),
                       "is so far away that contact cannot be determined");
  };
  double restGrowth = 0, restReach = 0;
  for (const std::uint32_t i : scene.rest) {
    restGrowth = std::max(restGrowth, scene.design[i].growth);
    restReach = std::max(restReach, scene.design[i].reach);
  }
  for (std::size_t k = 0; k < track.steps.size(); ++k) {
    const std::vector<RigidPath> paths = scene.pathsFrom(track, k);
    double growth = restGrowth, reach = restReach, gap = 0, speed = 0;
    for (const RigidPath& path : paths) reach = std::max(reach, path.reach());
    for (const std::uint32_t i : scene.moved) {
      const std::uint32_t g = scene.groupOf[i];
      const PlacedInstance placed = placedInstance(
          assembly, scene.design[i].node, track.steps[k][g].transform() * scene.design[i].worldFromPart);
      growth = std::max(growth, placed.growth);
      reach = std::max(reach, placed.reach);
      // A turn ends at the next pose only up to rounding.
      gap = std::max(gap, paths[g].gapAtEnd(corners[i]));
      speed = std::max(speed, paths[g].speedBound(corners[i]));
    }
    // Placing: at most sqrt(3) growth (reach + reach). Poses between steps: less than the same again.
    accuracy.rounding = std::max(accuracy.rounding, 16 * growth * reach + gap);
    requireNear(k, 4 * accuracy.rounding);
    accuracy.least = std::max(accuracy.least, 0x1p-39 * speed);
    if (k + 1 < track.steps.size()) requireNear(k + 1, accuracy.least);
  }
  accuracy.least = std::max(accuracy.least, 4 * accuracy.rounding);
  return accuracy;
}

}  // namespace fitup::detail

#include <fitup/motion/detail/track_scene.h>

#include <algorithm>

namespace fitup::detail {
namespace {

bool moveAlike(const Track& track, std::size_t i, std::size_t j) {
  return std::all_of(track.steps.begin(), track.steps.end(),
                     [&](const auto& step) { return step[i] == step[j]; });
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
  // The first of the groups that move alike represents all of them.
  std::vector<std::size_t> rigid(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    meter.poll();
    rigid[g] = 0;
    while (!moveAlike(track, rigid[g], g)) ++rigid[g];
  }
  CandidateList pairs(meter);
  for (std::size_t i = 0; groups.size() > 1 && i < moved.size(); ++i)
    for (std::size_t j = i + 1; j < moved.size(); ++j)
      if (rigid[groupOf[moved[i]]] != rigid[groupOf[moved[j]]])
        pairs.add({moved[i], moved[j]});
      else
        pairs.look();
  movedPairs = pairs.take();
  std::vector<Box> boxes(groups.size());
  for (std::uint32_t i : moved) boxes[rigid[groupOf[i]]].extend(design[i].worldBox);
  for (std::size_t g = 0; g < groups.size(); ++g)
    centres.push_back(boxes[rigid[g]].empty() ? Vec3{} : boxes[rigid[g]].centre());
}

}  // namespace fitup::detail

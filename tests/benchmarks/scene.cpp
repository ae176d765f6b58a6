#include "scene.h"

#include <algorithm>
#include <map>

#include <fitup/motion/replay.h>
#include <models/random.h>

namespace fitup::bench {

std::size_t Scene::questionCount() const {
  std::size_t count = 0;
  for (const auto& step : steps) count += step.size();
  return count;
}

std::size_t triangleCount(const Parts& parts) {
  std::size_t count = 0;
  for (const auto& part : parts) count += part->triangleCount();
  return count;
}

Scene sceneOfPlacements(const std::string& name, const Parts& parts, std::uint32_t partB,
                        const std::vector<Transform>& placements) {
  Scene scene;
  scene.name = name;
  scene.parts = parts;
  scene.resting = {{0, {}}};
  scene.movers = {partB};
  for (const Transform& placement : placements) scene.steps.push_back({{0, partB, {}, placement}});
  return scene;
}

Scene sceneOfPairs(const std::string& name, const Parts& parts, const std::vector<PartPair>& pairs) {
  Scene scene;
  scene.name = name;
  scene.parts = parts;
  scene.suitsCoherence = false;
  const auto count = static_cast<std::uint32_t>(parts.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    scene.resting.push_back({i, {}});
    scene.movers.push_back(i);
  }
  for (const PartPair& pair : pairs)
    scene.steps.push_back({{pair.partA,
                            pair.partB,
                            {},
                            pair.worldFromB,
                            pair.partA * count + pair.partB,
                            pair.partA,
                            pair.partB}});
  return scene;
}

Scene sceneOfTrack(const std::string& name, const Assembly& assembly, const Track& track) {
  Scene scene;
  scene.name = name;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i)
    scene.parts.push_back(assembly.sharedPart(PartId{i}));
  const std::vector<MovedGroup> groups = resolve(track, assembly);
  std::vector<NodeId> resting;
  for (NodeId node : assembly.instances())
    if (std::none_of(groups.begin(), groups.end(),
                     [&](const MovedGroup& g) { return assembly.isAtOrBelow(node, g.node); }))
      resting.push_back(node);
  const auto part = [&](NodeId node) { return static_cast<std::uint32_t>(assembly.partOf(node)); };
  for (NodeId rest : resting) scene.resting.push_back({part(rest), assembly.worldFromNode(rest)});
  for (const MovedGroup& group : groups)
    for (NodeId moved : group.instances) scene.movers.push_back(part(moved));
  for (const auto& poses : track.steps) {
    auto& step = scene.steps.emplace_back();
    std::uint32_t mover = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (NodeId moved : groups[g].instances) {
        const Transform worldFromB = poses[g].transform() * assembly.worldFromNode(moved);
        for (std::uint32_t rest = 0; rest < scene.resting.size(); ++rest)
          step.push_back({scene.resting[rest].part, part(moved), scene.resting[rest].worldFromPart,
                          worldFromB, static_cast<std::uint32_t>(step.size()), rest, mover});
        ++mover;
      }
  }
  return scene;
}

Scene sceneOfNudges(const std::string& name, const Assembly& assembly, std::size_t steps,
                    std::uint64_t seed) {
  Scene scene;
  scene.name = name;
  scene.suitsCoherence = false;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i)
    scene.parts.push_back(assembly.sharedPart(PartId{i}));
  std::vector<PlacedInstance> placed;
  for (NodeId node : assembly.instances()) {
    placed.push_back(placedInstance(assembly, node, assembly.worldFromNode(node)));
    const auto part = static_cast<std::uint32_t>(assembly.partOf(node));
    scene.resting.push_back({part, placed.back().worldFromPart});
    scene.movers.push_back(part);
  }

  models::Random random(seed);
  const std::size_t each = std::max<std::size_t>(1, steps / std::max<std::size_t>(1, placed.size()));
  std::uint32_t pairs = 0;
  for (std::uint32_t m = 0; m < placed.size(); ++m) {
    const PlacedInstance& moved = placed[m];
    std::map<NodeId, std::uint32_t> numberWith;
    for (std::size_t k = 0; k < each; ++k) {
      const auto within = [&](double limit) { return random.between(-limit, limit); };
      const double size = norm(moved.worldBox.max - moved.worldBox.min);
      const Vec3 shift{within(0.02 * size), within(0.02 * size), within(0.02 * size)};
      const Vec3 axis{within(1), within(1), within(1)};
      const RigidMotion nudge = motionAbout(moved.worldBox.centre(), axisAngle(axis, within(0.052)), shift);
      const PlacedInstance now =
          placedInstance(assembly, moved.node, nudge.transform() * moved.worldFromPart);
      auto& step = scene.steps.emplace_back();
      for (std::uint32_t r = 0; r < placed.size(); ++r) {
        const PlacedInstance& other = placed[r];
        if (r == m || !other.worldBox.overlaps(now.worldBox)) continue;
        const auto [at, isNew] = numberWith.try_emplace(other.node, pairs);
        if (isNew) ++pairs;
        step.push_back({scene.resting[r].part, scene.movers[m], other.worldFromPart, now.worldFromPart,
                        at->second, r, m});
      }
    }
  }
  return scene;
}

}  // namespace fitup::bench

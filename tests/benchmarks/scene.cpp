#include "scene.h"

#include <algorithm>

#include <fitup/motion/replay.h>

namespace fitup::bench {

Scene sceneOfTrack(const std::string& name, const Assembly& assembly, const Track& track) {
  Scene scene;
  scene.name = name;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) scene.parts.push_back(assembly.sharedPart(PartId{i}));
  const std::vector<MovedGroup> groups = resolve(track, assembly);
  std::vector<NodeId> resting;
  for (NodeId node : assembly.instances())
    if (std::none_of(groups.begin(), groups.end(), [&](const MovedGroup& g) { return assembly.isAtOrBelow(node, g.node); }))
      resting.push_back(node);
  const auto part = [&](NodeId node) { return static_cast<std::uint32_t>(*assembly.node(node).part); };
  for (const auto& poses : track.steps) {
    auto& step = scene.steps.emplace_back();
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (NodeId moved : groups[g].instances)
        for (NodeId rest : resting)
          step.push_back({part(rest), part(moved), assembly.worldFromNode(rest),
                          poses[g].transform() * assembly.worldFromNode(moved)});
  }
  return scene;
}

}  // namespace fitup::bench

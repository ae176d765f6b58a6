#include <fitup/scene/nearest_other.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

namespace fitup {

NearestOther::NearestOther(const Scene& scene, std::span<const std::vector<NodeId>> groups,
                           const Rules& rules)
    : scene_(scene) {
  const std::span<const NodeId> instances = scene.instances();
  const auto pathOf = [&](NodeId node) -> const std::string& {
    return scene.paths()[scene.positionOf(node)];
  };
  std::set<NodeId> done;  // of this group and earlier ones: each pair of groups is measured once
  for (const std::vector<NodeId>& group : groups) {
    done.insert(group.begin(), group.end());
    std::vector<NodeId> outside;
    std::ranges::copy_if(instances, std::back_inserter(outside),
                         [&](NodeId node) { return !done.contains(node); });
    if (group.empty() || outside.empty()) continue;
    if (rules.empty()) {
      moversByOthers_[outside] = group;
      continue;
    }
    for (const NodeId mover : group) {
      std::vector<NodeId> others;
      std::ranges::copy_if(outside, std::back_inserter(others),
                           [&](NodeId other) { return rules.asksFor(pathOf(mover), pathOf(other)); });
      if (!others.empty()) moversByOthers_[others].push_back(mover);
    }
  }
}

std::vector<NodeId> NearestOther::others() const {
  std::set<NodeId> all;
  for (const auto& [others, movers] : moversByOthers_) all.insert(others.begin(), others.end());
  return {all.begin(), all.end()};
}

std::optional<InstanceDistance> NearestOther::at(const Poses& poses, const Progress& progress) const {
  std::optional<InstanceDistance> nearest;
  for (const auto& [others, movers] : moversByOthers_) {
    DistanceRequest request;
    if (nearest) request.ignoreBeyond = nearest->nearest.distance;
    const ClearanceReport found = minimumDistance(scene_, poses, movers, others, request, progress);
    if (found.pairs.empty()) continue;
    if (!nearest || found.pairs.front().nearest.distance < nearest->nearest.distance)
      nearest = found.pairs.front();
  }
  return nearest;
}

}  // namespace fitup

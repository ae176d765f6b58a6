#include <fitup/motion/posed_assembly.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include <fitup/base/error.h>

namespace fitup {

Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion) {
  const Transform placed = motion.transform() * design.worldFromNode(instance);
  const Box box = placedBox(placed, design.meshOf(instance).boundsInPart());
  bool isNear = placed.isFinite();
  for (int k = 0; k < 3 && !box.empty(); ++k)
    isNear = isNear && std::abs(box.min[k]) <= farthestMoved && std::abs(box.max[k]) <= farthestMoved;
  if (!isNear)
    throw InputError("'" + design.path(instance) + "' would be more than 1e9 " + design.unit() +
                     " from the origin");
  return placed;
}

PosedAssembly::Placements PosedAssembly::placementsOf(std::span<const InstanceMove> moves) {
  Placements placements;
  for (const InstanceMove& move : moves) placements[move.instance] = move.worldFromPart;
  return placements;
}

Transform PosedAssembly::worldFromPart(NodeId instance) const {
  const auto found = placements_.find(instance);
  return found == placements_.end() ? design_->worldFromNode(instance) : found->second;
}

void PosedAssembly::move(std::span<const InstanceMove> moves) {
  Placements next = placements_;
  for (const InstanceMove& move : moves) next[move.instance] = move.worldFromPart;
  place(std::move(next));
}

void PosedAssembly::place(Placements placements) {
  const Placements before = std::exchange(placements_, std::move(placements));
  const auto entry = [](const Placements& in, NodeId node) {
    const auto found = in.find(node);
    return found == in.end() ? nullptr : &found->second;
  };
  const auto nodes = posed_.nodes();
  // Parents stand before their children.
  std::vector<bool> changed(nodes.size(), false), elsewhere(nodes.size(), false);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodeId node{i};
    const auto& parent = nodes[i].parent;
    const Transform *old = entry(before, node), *now = entry(placements_, node);
    const bool parentElsewhere = parent && elsewhere[index(*parent)];
    elsewhere[i] = parentElsewhere || now != nullptr;
    changed[i] = (parent && changed[index(*parent)]) || (old == nullptr) != (now == nullptr) ||
                 (old != nullptr && *old != *now);
    if (!changed[i] || !nodes[i].part) continue;
    if (!elsewhere[i]) {
      posed_.setPlacement(node, design_->node(node).parentFromNode);
    } else {
      const Transform world = now != nullptr ? *now : design_->worldFromNode(node);
      posed_.setPlacement(node, parent ? posed_.worldFromNode(*parent).inverse() * world : world);
    }
  }
}

}  // namespace fitup

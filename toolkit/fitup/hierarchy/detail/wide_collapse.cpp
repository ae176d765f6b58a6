#include <fitup/hierarchy/detail/wide_collapse.h>

#include <fitup/base/tuning-inl.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace fitup::detail {
namespace {

/// Returns the number of children that a body must be allowed to become in order to become its groups.
std::size_t enoughFor(const BuildGroups& groups) noexcept {
  return groups.count <= tuning::fewGroups ? groups.count : 9;
}

/// Division of a number of children of a wide node between the two halves of a binary node.
struct Share {
  float cost = std::numeric_limits<float>::infinity();
  std::size_t left = 1;
};
Share bestShare(const BodyNode& node, std::size_t children) noexcept {
  Share best;
  for (std::size_t left = 1; left < children; ++left) {
    const float cost = node.left->cost[left] + node.right->cost[children - left];
    if (cost < best.cost) best = {cost, left};
  }
  return best;
}

void addHalves(ShapeFamily& family, const BodyNode& node, const Share& share, std::size_t atMost) noexcept;

/// Adds a tree as at most `atMost` children.
void addTree(ShapeFamily& family, const BodyNode& node, std::size_t atMost) noexcept {
  if (node.isBody()) {
    if (atMost >= enoughFor(node.groups)) return family.addTriangles(node.groups, node.surface);
  } else if (atMost > 1) {
    const Share share = bestShare(node, atMost);
    if (share.cost < node.cost[1]) return addHalves(family, node, share, atMost);
  }
  family.add({node.slots, node.surface, &node});
}
void addHalves(ShapeFamily& family, const BodyNode& node, const Share& share, std::size_t atMost) noexcept {
  addTree(family, *node.left, share.left);
  addTree(family, *node.right, atMost - share.left);
}

}  // namespace

void setCosts(BodyNode& node, float unit) noexcept {
  // Every node has a cost, even around points, so that of equal areas the tree with fewer nodes wins.
  const float own = std::max(node.box.halfArea(unit), 0x1p-100F);
  const std::size_t most = node.cost.size();
  if (node.isBody()) {
    for (std::size_t i = 1; i < most; ++i) node.cost[i] = i < enoughFor(node.groups) ? own : 0;
    return;
  }
  node.cost[1] = own + bestShare(node, most).cost;
  for (std::size_t i = 2; i < most; ++i) node.cost[i] = std::min(node.cost[1], bestShare(node, i).cost);
}

void ShapeFamily::addTriangles(const BuildGroups& groups, std::uint32_t surface) noexcept {
  for (std::uint32_t k = 0; k < groups.count; ++k) add({groups.group[k], surface, nullptr});
}

ShapeFamily familyOf(const BodyNode& node) noexcept {
  ShapeFamily family;
  if (node.isBody())
    family.addTriangles(node.groups, node.surface);
  else
    addHalves(family, node, bestShare(node, family.child.size()), family.child.size());
  return family;
}

}  // namespace fitup::detail

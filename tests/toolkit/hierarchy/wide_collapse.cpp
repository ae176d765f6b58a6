#include <fitup/hierarchy/detail/wide_collapse.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include <catch2/catch.hpp>

#include <fitup/hierarchy/wide_bvh.h>
#include <models/random.h>

namespace wide_collapse_tests {

using namespace fitup;
using detail::BodyNode;
using detail::familyOf;
using detail::setCosts;
using detail::ShapeChild;
using detail::ShapeFamily;

namespace {

using Nodes = std::deque<BodyNode>;

std::uint32_t below(models::Random& random, std::uint32_t end) {
  return static_cast<std::uint32_t>(random.bits() % end);
}

/// Makes bodies of up to eight groups of nine triangles, below random halves, with boxes of whole numbers.
const BodyNode& randomTree(Nodes& nodes, models::Random& random, std::uint32_t bodies, std::uint32_t& slot) {
  BodyNode& node = nodes.emplace_back();
  node.slots.begin = slot;
  if (bodies == 1) {
    node.surface = static_cast<std::uint32_t>(nodes.size());
    node.groups.count = 1 + below(random, 8);
    for (std::uint32_t k = 0; k < node.groups.count; ++k, slot += 9) node.groups.group[k] = {slot, slot + 9};
    for (int axis = 0; axis < 3; ++axis) {
      node.box.min[axis] = static_cast<float>(below(random, 20));
      node.box.max[axis] = node.box.min[axis] + static_cast<float>(below(random, 6));
    }
  } else {
    const auto left = 1 + below(random, bodies - 1);
    node.left = &randomTree(nodes, random, left, slot);
    node.right = &randomTree(nodes, random, bodies - left, slot);
    node.surface = WideNodeHead::mixed;
    node.box = node.left->box;
    node.box.extend(node.right->box);
  }
  node.slots.end = slot;
  setCosts(node, 1);
  return node;
}

double areaOf(const BodyNode& node) { return std::max(node.box.halfArea(1), 0x1p-100F); }

/// Tries all ways: [i] is the least cost of a tree as exactly i children of a wide node.
std::array<double, 9> leastAsChildren(const BodyNode& node) {
  std::array<double, 9> least;
  least.fill(std::numeric_limits<double>::infinity());
  if (node.isBody()) {
    // One group is the body itself; more than two are never children of another node.
    if (node.groups.count > 1) least[1] = areaOf(node);
    if (node.groups.count <= 2) least[node.groups.count] = 0;
    return least;
  }
  const auto left = leastAsChildren(*node.left), right = leastAsChildren(*node.right);
  for (std::size_t i = 1; i < 8; ++i)
    for (std::size_t k = 1; i + k <= 8; ++k) least[i + k] = std::min(least[i + k], left[i] + right[k]);
  least[1] = areaOf(node) + *std::min_element(least.begin(), least.end());
  return least;
}
double leastAsNode(const BodyNode& node) { return leastAsChildren(node)[1]; }

/// Returns the cost of the nodes that a tree of bodies becomes; checks that children are in order and
/// adjacent.
double costOfNode(const BodyNode& node, bool& right) {
  const ShapeFamily family = familyOf(node);
  right = right && family.count >= 1 && family.count <= 8;
  std::uint32_t slot = node.slots.begin;
  double cost = areaOf(node);
  for (std::uint32_t i = 0; i < family.count; ++i) {
    const ShapeChild& child = family.child[i];
    right = right && child.slots.begin == slot && child.slots.count() > 0;
    slot = child.slots.end;
    if (child.bodies == nullptr) continue;
    right = right && child.surface == child.bodies->surface;
    cost += costOfNode(*child.bodies, right);
  }
  right = right && slot == node.slots.end;
  return cost;
}

}  // namespace

TEST_CASE("the wide tree over bodies has nodes of the least area", "[hierarchy][wide]") {
  models::Random random(2017);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Nodes nodes;
    std::uint32_t slot = 0;
    const BodyNode& root = randomTree(nodes, random, 2 + below(random, 14), slot);
    REQUIRE(double(root.cost[1]) == leastAsNode(root));
    const auto least = leastAsChildren(root);
    double atMost = least[1];
    for (std::size_t i = 2; i < root.cost.size(); ++i) {
      atMost = std::min(atMost, least[i]);
      REQUIRE(double(root.cost[i]) == atMost);
    }
    bool right = true;
    REQUIRE(costOfNode(root, right) == leastAsNode(root));
    REQUIRE(right);
  }
}

TEST_CASE("nodes around points are left out all the same", "[hierarchy][wide]") {
  // Bodies of one leaf each whose boxes are points: eight of them are one node, not a chain of seven.
  Nodes nodes;
  const auto body = [&](std::uint32_t slot) {
    BodyNode& node = nodes.emplace_back();
    node.box = {};
    node.box.extend(detail::Float4{}, detail::Float4{});
    node.slots = {slot, slot + 2};
    node.groups.count = 1;
    node.groups.group[0] = node.slots;
    setCosts(node, 1);
    return &node;
  };
  const BodyNode* tree = body(0);
  for (std::uint32_t i = 1; i < 8; ++i) {
    BodyNode& above = nodes.emplace_back();
    above.left = tree;
    above.right = body(2 * i);
    above.slots = {0, 2 * i + 2};
    above.surface = WideNodeHead::mixed;
    above.box = tree->box;
    setCosts(above, 1);
    tree = &above;
  }
  const ShapeFamily family = familyOf(*tree);
  REQUIRE(family.count == 8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    CHECK(family.child[i].isLeaf());
    CHECK(family.child[i].slots.begin == 2 * i);
  }
}

TEST_CASE("two leaves of different surfaces are no leaf", "[hierarchy][wide]") {
  BodyNode two;
  Nodes nodes;
  two.slots = {0, 4};
  two.left = &nodes.emplace_back();
  two.right = &nodes.emplace_back();
  CHECK_FALSE(ShapeChild{two.slots, WideNodeHead::mixed, &two}.isLeaf());
  CHECK(ShapeChild{{0, 4}, 0, two.left}.isLeaf());
  CHECK(ShapeChild{{0, 8}, 0, nullptr}.isLeaf());
  CHECK_FALSE(ShapeChild{{0, 9}, 0, nullptr}.isLeaf());
}

}  // namespace wide_collapse_tests

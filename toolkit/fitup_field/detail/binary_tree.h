#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup_field/trees/tree_link.h>

namespace fitup::detail {

/// Triangle ids and node numbers of binary trees have 31 bits.
inline constexpr std::uint32_t mostTrianglesInTree = 1U << 30;

/// Work units per item. A unit takes about the same time as one of the R-trees.
inline constexpr std::uint64_t binaryUnits = 20;

/// A node of a tree under construction. The items below it are those from `begin` to `end`; its children, if
/// any, are adjacent, from `firstChild` on.
struct BinaryNode {
  std::uint32_t firstChild, begin, end;
  [[nodiscard]] bool isLeaf() const noexcept { return firstChild == 0; }
};

/// Splits `items` items and reorders them. `split(node, depth, begin, end)` returns the start of the second
/// group, or `begin` for a leaf. Children come after their parents, and nodes that are near in the tree are
/// near in memory. Advances `meter` by `binaryUnits` per item. Throws CancelledError.
template <typename Split>
std::vector<BinaryNode> buildBinary(std::uint32_t items, const WorkMeter& meter, Split&& split) {
  constexpr std::uint32_t reportInterval = 1024;
  if (items > mostTrianglesInTree) throw RangeError("hierarchy: more than 2^30 triangles");
  std::vector<BinaryNode> nodes;
  if (items == 0) return nodes;
  struct Open {
    std::uint32_t node, depth;
  };
  nodes.reserve(2 * std::size_t{items} - 1);
  nodes.push_back({0, 0, items});
  std::vector<Open> open{{0, 0}};
  std::uint32_t unreportedItems = 0;
  while (!open.empty()) {
    const auto [node, depth] = open.back();
    open.pop_back();
    const std::uint32_t begin = nodes[node].begin, end = nodes[node].end;
    if (end - begin > reportInterval) meter.poll();
    const std::uint32_t middle = split(node, depth, begin, end);
    if (middle == begin) {
      if ((unreportedItems += end - begin) < reportInterval && !open.empty()) continue;
      meter.advance(unreportedItems * binaryUnits);
      unreportedItems = 0;
      continue;
    }
    const auto child = static_cast<std::uint32_t>(nodes.size());
    nodes[node].firstChild = child;
    nodes.push_back({0, begin, middle});
    nodes.push_back({0, middle, end});
    open.push_back({child + 1, depth + 1});
    open.push_back({child, depth + 1});
  }
  return nodes;
}

/// Calls `onTriangle` for a link to a triangle, otherwise `onNode` for both children, which are adjacent.
template <typename OnNode, typename OnTriangle>
void followLink(TreeLink link, const OnNode& onNode, const OnTriangle& onTriangle) {
  if (link.isTriangle()) return onTriangle(link.triangle());
  onNode(link.node());
  onNode(link.node() + 1);
}

/// Visits the boxes `boxOf(node)` of a tree with a box for each triangle whose nodes are linked in pairs.
template <typename Nodes, typename BoxOf>
void visitLinkedBoxes(const Nodes& nodes, std::size_t deepest, const BoxVisit& visit, const BoxOf& boxOf) {
  if (nodes.empty()) return;
  descend(std::uint32_t{0}, deepest, [&](std::uint32_t i, std::size_t level, const auto& below) {
    const TreeLink link = nodes[i].link;
    visit(level, link.isTriangle(), boxOf(i));
    if (link.isTriangle()) return;
    below(link.node());
    below(link.node() + 1);
  });
}

/// Checks a finished tree of `nodes` nodes. `children(i, onNode, onTriangle)` calls one of both for each
/// child; `contains(i, p)` is true if a corner lies in the box of node i. Children must come after their
/// parents, and every triangle of the mesh must be reached once. O(n depth).
template <typename Children, typename Contains>
std::optional<std::string> binaryProblem(const TriangleMesh& mesh, std::size_t nodes,
                                         const Children& children, const Contains& contains) {
  constexpr std::uint32_t none = ~0U;
  const std::size_t n = mesh.triangleCount();
  std::vector<std::uint32_t> parentOf(nodes, none), nodeOf(n, none);
  std::optional<std::string> problem;
  const auto fail = [&](std::size_t node, const char* what) {
    if (!problem) problem = "node " + std::to_string(node) + ": " + what;
  };
  for (std::uint32_t i = 0; i < nodes && !problem; ++i) {
    if (i > 0 && parentOf[i] == none) fail(i, "is not a child of another");
    children(
        i,
        [&](std::uint32_t child) {
          if (child <= i || child >= nodes) return fail(i, "child out of range");
          if (parentOf[child] != none) return fail(i, "child of two nodes");
          parentOf[child] = i;
        },
        [&](std::uint32_t triangle) {
          if (triangle >= n) return fail(i, "triangle out of range");
          if (nodeOf[triangle] != none) return fail(i, "triangle occurs twice");
          nodeOf[triangle] = i;
        });
  }
  if (problem) return problem;
  for (std::uint32_t t = 0; t < n; ++t) {
    // In a tree without leaf nodes, a single triangle needs no node.
    if (nodeOf[t] == none) {
      if (n > 1 || nodes > 0) return "triangle " + std::to_string(t) + " is not there";
      continue;
    }
    const Triangle corners = mesh.triangle(TriangleId{t});
    for (std::uint32_t i = nodeOf[t]; i != none; i = parentOf[i])
      for (const Vec3& p : corners.v)
        if (!contains(i, p))
          return "node " + std::to_string(i) + ": a corner of triangle " + std::to_string(t) +
                 " lies outside";
  }
  return std::nullopt;
}

}  // namespace fitup::detail

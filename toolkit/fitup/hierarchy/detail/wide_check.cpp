#include <fitup/hierarchy/detail/wide_check.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fitup/base/parallel.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/detail/wide_enclosure.h>
#include <fitup/hierarchy/flat_rtree.h>

namespace fitup::detail {
namespace {

const WideNodeHead& headOf(const WideBvh& tree, std::uint32_t node) {
  return tree.layout == WideLayout::fast ? tree.nodes[node].head : tree.compactNodes[node].head;
}
WideChild childOf(const WideBvh& tree, std::uint32_t node, std::uint32_t k) {
  return tree.layout == WideLayout::fast ? tree.nodes[node].child[k] : tree.compactNodes[node].child[k];
}

std::string inNode(std::uint32_t node, const std::string& problem) {
  return "node " + std::to_string(node) + ": " + problem;
}

bool isOrthonormal(const WideFrame& f) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (f.columns[i][3] != 0) return false;
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += double(f.columns[i][k]) * f.columns[j][k];
      if (!(std::abs(sum - (i == j)) <= 0x1p-22)) return false;
    }
  }
  return true;
}

/// Checks that arrays have the right sizes, and that nodes are a tree whose leaves have as many slots as
/// there are triangles. Every descent then ends, whatever else is wrong.
std::optional<std::string> problemOfNodes(const WideBvh& tree, const TriangleMesh& mesh,
                                          const WorkMeter& meter) {
  const std::size_t n = mesh.triangleCount(), nodeCount = tree.nodeCount();
  const bool fast = tree.layout == WideLayout::fast;
  if ((fast ? tree.compactNodes.size() : tree.nodes.size()) != 0) return "the nodes have the other layout";
  if (tree.cylinders.size() != (fast ? nodeCount : 0))
    return "the number of sets of cylinders is not that of nodes";
  if (n == 0) return nodeCount == 0 ? std::nullopt : std::optional<std::string>("nodes without triangles");
  if (nodeCount == 0) return "no nodes";
  if (nodeCount > WideChild::maxSlots) return "too many nodes";
  if (tree.frames.empty()) return "no frames";
  if (tree.frames[0] != WideFrame{}) return "the first frame is not the identity";
  for (const WideFrame& f : tree.frames)
    if (!isOrthonormal(f)) return "a frame is not orthonormal";
  if (fast ? tree.packets.size() != 10 * n + 8 : tree.triangleAt.size() != n)
    return "not one slot for each triangle";
  if (!tree.surfaces.empty() && tree.surfaces.size() != (fast ? 8 * nodeCount : 0))
    return "not one surface for each child";
  // Children come after their parents, so one pass meets parents first and there is no cycle.
  std::vector<std::uint16_t> depth(nodeCount);  // 0 means not reached
  depth[0] = 1;
  std::size_t slots = 0;
  for (std::uint32_t i = 0; i < nodeCount; ++i) {
    if (i % 1024 == 0) meter.poll();
    const WideNodeHead& head = headOf(tree, i);
    if (depth[i] == 0) return inNode(i, "is not a child of another");
    if (head.childCount < 1 || head.childCount > 8 || (i == 0 && head.childCount != 1))
      return inNode(i, "number of children");
    if (head.frame >= tree.frames.size()) return inNode(i, "frame out of range");
    if (head.surface != WideNodeHead::mixed && head.surface >= mesh.surfaces().size())
      return inNode(i, "surface out of range");
    for (float v : {head.centre[0], head.centre[1], head.centre[2], head.half[0], head.half[1], head.half[2]})
      if (!std::isfinite(v)) return inNode(i, "its box is not finite");
    // Compared as masks: without -O3, g++ 12.2 miscompiles the comparison of single bits as one of the mask
    // with 0.
    std::uint32_t leaves = 0;
    for (std::uint32_t k = 0; k < head.childCount; ++k)
      leaves |= std::uint32_t{childOf(tree, i, k).isLeaf()} << k;
    if (leaves != head.leafMask) return inNode(i, "leaf mask");
    for (std::uint32_t k = 0; k < head.childCount; ++k) {
      const WideChild child = childOf(tree, i, k);
      if (child.isLeaf()) {
        if (std::size_t{child.firstSlot()} + child.count() > n) return inNode(i, "leaf out of range");
        slots += child.count();
        continue;
      }
      const std::uint32_t c = child.node();
      if (c <= i || c >= nodeCount) return inNode(i, "child out of range");
      if (depth[c] != 0) return inNode(i, "child of two nodes");
      if (depth[i] >= maxRTreeDepth) return inNode(i, "is nested too deeply");
      depth[c] = static_cast<std::uint16_t>(depth[i] + 1);
      if (head.surface != WideNodeHead::mixed && headOf(tree, c).surface != head.surface)
        return inNode(i, "a child of another surface");
    }
  }
  if (slots != n) return "does not hold every triangle";
  return std::nullopt;
}

struct Problem {
  std::uint32_t node;
  std::string what;
};
/// A child given by its node and lane.
using ChildPlace = std::pair<std::uint32_t, std::uint32_t>;

/// The part of the leaf check that one thread does in a subtree. With `boxes` all corners of a leaf are
/// compared with the boxes and cylinders of all nodes above while they are in the cache.
class LeafWalk {
 public:
  /// An open node, and the child to which the path leads.
  struct Level {
    std::uint32_t node = 0, lane = 0;
    std::uint32_t failed = 0;  ///< bit k: some corner below child k is not certain to lie in it
    ChildVolumes volumes;
  };
  /// The levels above the node, the topmost first.
  using Way = std::vector<Level>;

  LeafWalk(const WideBvh& tree, const TriangleMesh& mesh, bool boxes, const MeshReach& reach,
           std::span<std::uint8_t> seen, const WorkMeter& meter)
      : tree_(tree), mesh_(mesh), boxes_(boxes), reach_(reach), seen_(seen), meter_(meter) {}

  /// Walks the subtree of the node to which `way` leads.
  void walk(std::uint32_t node, Way way) {
    way_ = std::move(way);
    visit(node);
    while (!way_.empty()) leave();
  }
  /// Checks only the leaves of a node. Returns the paths to its other children.
  std::vector<std::pair<std::uint32_t, Way>> open(std::uint32_t node, Way way) {
    way_ = std::move(way);
    enter(node);
    std::vector<std::pair<std::uint32_t, Way>> below;
    for (std::uint32_t k = 0; k < headOf(tree_, node).childCount; ++k) {
      const WideChild child = childOf(tree_, node, k);
      if (child.isLeaf()) continue;
      way_.back().lane = k;
      below.emplace_back(child.node(), way_);
    }
    while (!way_.empty()) leave();
    return below;
  }

  /// The problem of the first node that has one.
  std::optional<Problem> problem;
  /// Children that may not contain everything below them.
  std::vector<ChildPlace> suspects;

 private:
  void visit(std::uint32_t node) {
    meter_.poll();
    enter(node);
    const std::uint32_t count = headOf(tree_, node).childCount;
    for (std::uint32_t k = 0; k < count; ++k) {
      const WideChild child = childOf(tree_, node, k);
      if (child.isLeaf()) continue;
      way_.back().lane = k;
      visit(child.node());
    }
    leave();
  }

  void enter(std::uint32_t node) {
    Level& level = way_.emplace_back();
    level.node = node;
    if (boxes_) level.volumes = volumesOf(tree_, node, reach_);
    const WideNodeHead& head = headOf(tree_, node);
    std::size_t end = 0;
    for (std::uint32_t k = 0; k < head.childCount; ++k) {
      const WideChild child = childOf(tree_, node, k);
      if (child.isLeaf()) {
        const std::size_t begin = end;
        if (const char* p = takeLeaf(child, head.surface, begin)) return note(node, p);
        end = begin + child.count();
        if (boxes_ && !isSureToEnclose(level.volumes, k, rows_, begin, end, reach_)) level.failed |= 1U << k;
      }
      if (!tree_.surfaces.empty() &&
          tree_.surfaces[std::size_t{8} * node + k] != surfaceBelow(tree_, head, child, mesh_))
        return note(node, "the surface recorded for a child");
    }
    if (!boxes_ || end == 0) return;
    for (std::size_t i = 0; i + 1 < way_.size(); ++i) {
      Level& above = way_[i];
      const std::uint32_t bit = 1U << above.lane;
      if ((above.failed & bit) == 0 && !isSureToEnclose(above.volumes, above.lane, rows_, 0, end, reach_))
        above.failed |= bit;
    }
  }

  void leave() {
    const Level& level = way_.back();
    for (std::uint32_t k = 0; k < 8; ++k)
      if ((level.failed >> k & 1U) != 0) suspects.emplace_back(level.node, k);
    way_.pop_back();
  }

  void note(std::uint32_t node, const char* what) {
    if (!problem || node < problem->node) problem = {node, what};
  }

  /// Writes the corners of a leaf's triangles, from the mesh, at `begin` of the rows.
  const char* takeLeaf(WideChild leaf, std::uint32_t surface, std::size_t begin) {
    const bool fast = tree_.layout == WideLayout::fast;
    const std::uint32_t count = leaf.count();
    const float* packet = fast ? tree_.packets.data() + std::size_t{leaf.firstSlot()} * 10 : nullptr;
    const TriangleIndices* triangles = mesh_.triangles().data();
    const Point3f* points = mesh_.points().data();
    std::uint32_t differing = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto id = static_cast<std::uint32_t>(triangleInLeaf(tree_, leaf, k));
      if (id >= mesh_.triangleCount()) return "triangle out of range";
      if (surface == WideNodeHead::mixed)
        surface = static_cast<std::uint32_t>(index(mesh_.surfaceOf(TriangleId{id})));
      const Surface& own = mesh_.surfaces()[surface];
      if (id - own.firstTriangle >= own.triangleCount) return "triangle of another surface";
      std::atomic_ref(seen_[id]).store(1, std::memory_order_relaxed);
      const TriangleIndices& t = triangles[id];
      for (std::size_t c = 0; c < 3; ++c) {
        const Point3f& p = points[t[c]];
        const std::array<float, 3> xyz{p.x, p.y, p.z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t row = 3 * c + axis;
          rows_.row[row][begin + k] = xyz[axis];
          if (fast)
            differing |= std::bit_cast<std::uint32_t>(packet[row * count + k]) ^
                         std::bit_cast<std::uint32_t>(xyz[axis]);
        }
      }
    }
    return differing != 0 ? "points differ from the mesh" : nullptr;
  }

  const WideBvh& tree_;
  const TriangleMesh& mesh_;
  bool boxes_;
  const MeshReach& reach_;
  std::span<std::uint8_t> seen_;
  const WorkMeter& meter_;
  CornerRows rows_;
  Way way_;
};

/// Checks single children carefully: in double precision, up to the error that queries allow for.
class ExactCheck {
 public:
  ExactCheck(const WideBvh& tree, const TriangleMesh& mesh, const MeshReach& reach, const WorkMeter& meter)
      : tree_(tree), mesh_(mesh), limit_(reach.limit), meter_(meter) {}

  [[nodiscard]] std::optional<std::string> problemOf(const ChildPlace& place) const {
    const auto [i, k] = place;
    meter_.poll();
    const bool fast = tree_.layout == WideLayout::fast;
    const WideNodeHead& head = headOf(tree_, i);
    std::array<double, 3> headCentre, headHalf, centre, half;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      headCentre[axis] = head.centre[axis];
      headHalf[axis] = head.half[axis];
      if (fast) {
        centre[axis] = tree_.nodes[i].centre[axis][k];
        half[axis] = tree_.nodes[i].half[axis][k];
      } else {
        const CompactWideNode& node = tree_.compactNodes[i];
        const double scale = compactScale(head.half[axis]);
        const double base = headCentre[axis] - headHalf[axis];
        centre[axis] = base + 0.5 * scale * (node.low[axis][k] + node.high[axis][k]);
        half[axis] = 0.5 * scale * (node.high[axis][k] - node.low[axis][k]);
      }
    }
    const auto outside = [&](const std::string& what) {
      return inNode(i, "a corner lies outside the " + what + " of child " + std::to_string(k));
    };
    for (const auto& [c, h] : {std::pair(headCentre, headHalf), std::pair(centre, half)})
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (!(std::abs(c[axis]) + h[axis] <= limit_))
          return inNode(i, "a box reaches far beyond the part: that of child " + std::to_string(k));
    const WideFrame& frame = tree_.frames[head.frame];
    const WideChild child = childOf(tree_, i, k);
    if (!isInBox(frame, head, headCentre, headHalf, child) || !isInBox(frame, head, centre, half, child))
      return outside("box");
    if (fast && !isInCylinder(frame, centre, tree_.cylinders[i], k, child)) return outside("cylinder");
    return std::nullopt;
  }

 private:
  /// Calls `test(p, q)` with each corner p below a child and its coordinates q in the frame, until one call
  /// fails. The sums of q round in double precision.
  template <typename Test>
  bool allCorners(const WideFrame& frame, WideChild child, Test&& test) const {
    if (!child.isLeaf()) {
      meter_.poll();
      for (std::uint32_t k = 0; k < headOf(tree_, child.node()).childCount; ++k)
        if (!allCorners(frame, childOf(tree_, child.node(), k), test)) return false;
      return true;
    }
    for (std::uint32_t k = 0; k < child.count(); ++k)
      for (const Vec3& p : mesh_.triangle(triangleInLeaf(tree_, child, k)).v)
        if (!test(p, intoAxes(frame, p))) return false;
    return true;
  }
  static double sum(const Vec3& p) { return std::abs(p.x) + std::abs(p.y) + std::abs(p.z); }

  [[nodiscard]] bool isInBox(const WideFrame& frame, const WideNodeHead& node,
                             const std::array<double, 3>& centre, const std::array<double, 3>& half,
                             WideChild child) const {
    return allCorners(frame, child, [&](const Vec3& p, const Vec3& q) {
      for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        // The compact layout also rounds its sides, which follow from those of the node, and its scale may
        // underflow. Queries allow for more (wide_task.h).
        const double slack = 0x1p-48 * (std::abs(q[axis]) + std::abs(centre[k]) + half[k] +
                                        std::abs(double(node.centre[k])) + node.half[k] + sum(p)) +
                             0x1p-140;
        if (!(std::abs(q[axis] - centre[k]) <= half[k] + slack)) return false;
      }
      return true;
    });
  }
  [[nodiscard]] bool isInCylinder(const WideFrame& frame, const std::array<double, 3>& boxCentre,
                                  const WideCylinders& cylinders, std::uint32_t k, WideChild child) const {
    const Vec3 axis{cylinders.axis[0][k], cylinders.axis[1][k], cylinders.axis[2][k]};
    if (!(std::abs(dot(axis, axis) - 1) <= 0x1p-20)) return false;
    for (const float length : {std::abs(cylinders.shift[k]), cylinders.half[k], cylinders.radius[k]})
      if (!(length <= 3 * limit_)) return false;
    const Vec3 centre = Vec3{boxCentre[0], boxCentre[1], boxCentre[2]} + axis * cylinders.shift[k];
    return allCorners(frame, child, [&](const Vec3& p, const Vec3& q) {
      const Vec3 d = q - centre;
      const double along = dot(axis, d), slack = 0x1p-48 * (sum(p) + sum(centre)) + 0x1p-140;
      return std::abs(along) <= cylinders.half[k] + slack &&
             norm(d - axis * along) <= cylinders.radius[k] + slack;
    });
  }

  const WideBvh& tree_;
  const TriangleMesh& mesh_;
  double limit_;
  const WorkMeter& meter_;
};

}  // namespace

std::optional<std::string> problemOfWide(const WideBvh& tree, const TriangleMesh& mesh, bool boxes,
                                         const WorkMeter& meter, unsigned threads) {
  if (auto problem = problemOfNodes(tree, mesh, meter)) return problem;
  if (mesh.triangleCount() == 0) return std::nullopt;
  const MeshReach reach = MeshReach::of(mesh);
  std::vector<std::uint8_t> seen(mesh.triangleCount());

  // Distributes subtrees to all threads, the largest first.
  const unsigned workers = workerCount(threads, mesh.triangleCount());
  std::vector<LeafWalk> walks(workers, LeafWalk(tree, mesh, boxes, reach, seen, meter));
  std::vector<std::pair<std::uint32_t, LeafWalk::Way>> subtrees;
  subtrees.emplace_back(0, LeafWalk::Way());
  std::size_t opened = 0;
  const std::size_t wanted = workers > 1 ? std::size_t{16} * workers : 1;
  for (; opened < subtrees.size() && subtrees.size() - opened < wanted; ++opened) {
    auto below = walks[0].open(subtrees[opened].first, std::move(subtrees[opened].second));
    std::move(below.begin(), below.end(), std::back_inserter(subtrees));
  }
  parallelFor(subtrees.size() - opened, workers, [&](std::size_t i, unsigned worker) {
    auto& [node, way] = subtrees[opened + i];
    walks[worker].walk(node, std::move(way));
  });

  std::optional<Problem> first;
  std::vector<ChildPlace> suspects;
  for (const LeafWalk& walk : walks) {
    if (walk.problem && (!first || walk.problem->node < first->node)) first = walk.problem;
    suspects.insert(suspects.end(), walk.suspects.begin(), walk.suspects.end());
  }
  if (first) return inNode(first->node, first->what);
  // There are as many slots as triangles, so no triangle occurs twice either.
  if (std::find(seen.begin(), seen.end(), 0) != seen.end()) return "does not hold every triangle once";
  std::sort(suspects.begin(), suspects.end());
  suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
  const ExactCheck exact(tree, mesh, reach, meter);
  for (const ChildPlace& place : suspects)
    if (auto problem = exact.problemOf(place)) return problem;
  return std::nullopt;
}

}  // namespace fitup::detail

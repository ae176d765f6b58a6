#include <fitup/hierarchy/wide_bvh.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/detail/wide_shape.h>

namespace fitup {
namespace {

/// Walks a tree and looks at everything a traversal relies on.
class Checker {
 public:
  Checker(const WideBvh& tree, const TriangleMesh& mesh, bool boxes, const WorkMeter& meter)
      : tree_(tree), mesh_(mesh), boxes_(boxes), meter_(meter), seen_(mesh.triangleCount()) {}

  std::optional<std::string> problem() {
    const std::size_t n = mesh_.triangleCount();
    const bool fast = tree_.layout == WideLayout::fast;
    if ((fast ? tree_.compactNodes.size() : tree_.nodes.size()) != 0) return "nodes of the other layout";
    if (tree_.cylinders.size() != (fast ? tree_.nodeCount() : 0))
      return "not one set of cylinders for each node";
    if (n == 0) {
      if (tree_.nodeCount() != 0) return "nodes for no triangles";
      return std::nullopt;
    }
    if (tree_.nodeCount() == 0) return "no nodes";
    if (tree_.nodeCount() > WideChild::maxSlots) return "too many nodes";
    if (tree_.frames.empty()) return "no frames";
    if (tree_.frames[0] != WideFrame{}) return "the first frame is not the identity";
    for (const WideFrame& f : tree_.frames)
      if (!isOrthonormal(f)) return "a frame is not orthonormal";
    if (fast ? tree_.packets.size() != 10 * n + 8 : tree_.triangleAt.size() != n)
      return "not one slot for each triangle";
    if (!tree_.surfaces.empty() && tree_.surfaces.size() != (fast ? 8 * tree_.nodeCount() : 0))
      return "not one surface for each child";
    reached_.assign(tree_.nodeCount(), 0);
    // Children lie behind their parents, so one pass meets parents first and there is no cycle.
    reached_[0] = 1;
    for (std::uint32_t i = 0; i < tree_.nodeCount(); ++i) {
      if (i % 1024 == 0) meter_.poll();
      const auto& head = fast ? tree_.nodes[i].head : tree_.compactNodes[i].head;
      const auto& child = fast ? tree_.nodes[i].child : tree_.compactNodes[i].child;
      const auto where = [&](const char* what) { return "node " + std::to_string(i) + ": " + what; };
      if (!reached_[i]) return where("is no child of another");
      if (head.childCount < 1 || head.childCount > 8 || (i == 0 && head.childCount != 1))
        return where("number of children");
      if (head.frame >= tree_.frames.size()) return where("frame out of range");
      if (head.surface != WideNodeHead::mixed && head.surface >= mesh_.surfaces().size())
        return where("surface out of range");
      for (float v :
           {head.centre[0], head.centre[1], head.centre[2], head.half[0], head.half[1], head.half[2]})
        if (!std::isfinite(v)) return where("its box is not finite");
      // As masks: g++ 12.2 without -O3 takes the comparison of single bits for that of the mask with 0.
      std::uint32_t leaves = 0;
      for (std::uint32_t k = 0; k < head.childCount; ++k) leaves |= std::uint32_t{child[k].isLeaf()} << k;
      if (leaves != head.leafMask) return where("leaf mask");
      for (std::uint32_t k = 0; k < head.childCount; ++k) {
        if (child[k].isLeaf()) {
          if (const char* p = leafProblem(child[k], head.surface)) return where(p);
        } else {
          const std::uint32_t c = child[k].node();
          if (c <= i || c >= tree_.nodeCount()) return where("child out of range");
          if (reached_[c]) return where("child of two nodes");
          reached_[c] = 1;
          const auto& childHead = fast ? tree_.nodes[c].head : tree_.compactNodes[c].head;
          if (head.surface != WideNodeHead::mixed && childHead.surface != head.surface)
            return where("a child of another surface");
        }
        if (!tree_.surfaces.empty() &&
            tree_.surfaces[std::size_t{8} * i + k] != detail::surfaceBelow(tree_, head, child[k], mesh_))
          return where("the surface told of a child");
      }
    }
    if (seenCount_ != n) return "does not hold every triangle";
    return boxes_ ? boxProblem() : std::nullopt;
  }

 private:
  static bool isOrthonormal(const WideFrame& f) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += double(f.columns[i][k]) * f.columns[j][k];
        if (!(std::abs(sum - (i == j)) <= 0x1p-22)) return false;
      }
    return true;
  }

  const char* leafProblem(WideChild leaf, std::uint32_t surface) {
    const std::size_t n = mesh_.triangleCount();
    if (std::size_t{leaf.firstSlot()} + leaf.count() > n) return "leaf out of range";
    for (std::uint32_t k = 0; k < leaf.count(); ++k) {
      const auto id = static_cast<std::uint32_t>(detail::triangleInLeaf(tree_, leaf, k));
      if (id >= n) return "triangle out of range";
      if (seen_[id]) return "triangle stands twice";
      seen_[id] = true;
      ++seenCount_;
      const std::uint32_t own = static_cast<std::uint32_t>(index(mesh_.surfaceOf(TriangleId(id))));
      if (k == 0 && surface == WideNodeHead::mixed) surface = own;
      if (own != surface) return "triangle of another surface";
      if (tree_.layout == WideLayout::fast && !samePoints(leaf, k, id)) return "points differ from the mesh";
    }
    return nullptr;
  }
  [[nodiscard]] bool samePoints(WideChild leaf, std::uint32_t k, std::uint32_t id) const {
    const float* row = tree_.packets.data() + std::size_t{leaf.firstSlot()} * 10 + k;
    for (std::uint32_t p : mesh_.triangles()[id])
      for (float c : {mesh_.points()[p].x, mesh_.points()[p].y, mesh_.points()[p].z}) {
        if (std::bit_cast<std::uint32_t>(*row) != std::bit_cast<std::uint32_t>(c)) return false;
        row += leaf.count();
      }
    return true;
  }

  /// Every corner below a child lies in its box, computed in double precision in the node's frame.
  std::optional<std::string> boxProblem() {
    for (std::uint32_t i = 0; i < tree_.nodeCount(); ++i) {
      meter_.poll();
      const bool fast = tree_.layout == WideLayout::fast;
      const WideNodeHead& head = fast ? tree_.nodes[i].head : tree_.compactNodes[i].head;
      for (std::uint32_t k = 0; k < head.childCount; ++k) {
        double centre[3], half[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (fast) {
            centre[axis] = tree_.nodes[i].centre[axis][k];
            half[axis] = tree_.nodes[i].half[axis][k];
          } else {
            const CompactWideNode& node = tree_.compactNodes[i];
            const double scale = compactScale(head.half[axis]);
            const double base = double(head.centre[axis]) - head.half[axis];
            centre[axis] = base + 0.5 * scale * (node.low[axis][k] + node.high[axis][k]);
            half[axis] = 0.5 * scale * (node.high[axis][k] - node.low[axis][k]);
          }
        }
        const WideFrame& frame = tree_.frames[head.frame];
        const auto where = [&](const char* what) {
          return "node " + std::to_string(i) + ": a corner lies outside the " + what + " of child " +
                 std::to_string(k);
        };
        if (!isInBox(frame, head, head.centre.data(), head.half.data(), childOf(i, k)) ||
            !isInBox(frame, head, centre, half, childOf(i, k)))
          return where("box");
        if (fast && !isInCylinder(frame, centre, tree_.cylinders[i], k, childOf(i, k)))
          return where("cylinder");
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] WideChild childOf(std::uint32_t node, std::uint32_t k) const {
    return tree_.layout == WideLayout::fast ? tree_.nodes[node].child[k] : tree_.compactNodes[node].child[k];
  }
  /// Calls `test(p, q)` with each corner p below a child and its place q in the frame, until one fails. The
  /// sums of q round in double precision.
  template <typename Test>
  bool allCorners(const WideFrame& frame, WideChild child, Test&& test) const {
    if (!child.isLeaf()) {
      const bool fast = tree_.layout == WideLayout::fast;
      const WideNodeHead& head =
          fast ? tree_.nodes[child.node()].head : tree_.compactNodes[child.node()].head;
      for (std::uint32_t k = 0; k < head.childCount; ++k)
        if (!allCorners(frame, childOf(child.node(), k), test)) return false;
      return true;
    }
    for (std::uint32_t k = 0; k < child.count(); ++k)
      for (const Vec3& p : mesh_.triangle(detail::triangleInLeaf(tree_, child, k)).v) {
        Vec3 q;
        for (std::size_t axis = 0; axis < 3; ++axis)
          q[static_cast<int>(axis)] =
              (double(frame.columns[0][axis]) * p.x + double(frame.columns[1][axis]) * p.y) +
              double(frame.columns[2][axis]) * p.z;
        if (!test(p, q)) return false;
      }
    return true;
  }
  static double sum(const Vec3& p) { return std::abs(p.x) + std::abs(p.y) + std::abs(p.z); }

  template <typename Number>
  [[nodiscard]] bool isInBox(const WideFrame& frame, const WideNodeHead& node, const Number* centre,
                             const Number* half, WideChild child) const {
    return allCorners(frame, child, [&](const Vec3& p, const Vec3& q) {
      for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        // The compact layout also rounds its sides, which are told from the node's, and its scale may
        // underflow. Queries allow for more (wide_task.h).
        const double slack = 0x1p-48 * (std::abs(q[axis]) + std::abs(double(centre[axis])) + half[axis] +
                                        std::abs(double(node.centre[k])) + node.half[k] + sum(p)) +
                             0x1p-140;
        if (!(std::abs(q[axis] - centre[axis]) <= half[axis] + slack)) return false;
      }
      return true;
    });
  }
  [[nodiscard]] bool isInCylinder(const WideFrame& frame, const double* boxCentre,
                                  const WideCylinders& cylinders, std::uint32_t k, WideChild child) const {
    const Vec3 axis{cylinders.axis[0][k], cylinders.axis[1][k], cylinders.axis[2][k]};
    if (!(std::abs(dot(axis, axis) - 1) <= 0x1p-20)) return false;
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
  bool boxes_;
  const WorkMeter& meter_;
  std::vector<bool> seen_;
  std::vector<char> reached_;
  std::size_t seenCount_ = 0;
};

}  // namespace

WideBvh WideBvh::build(const TriangleMesh& mesh, const WideBvhOptions& options, unsigned threads,
                       const WorkMeter& meter) {
  if (mesh.triangleCount() > WideChild::maxSlots)
    throw RangeError("mesh '" + mesh.name() + "': more than 2^28 triangles in one part");
  const auto wanted = static_cast<int>(workerCount(threads, mesh.triangleCount()));
  tbb::task_arena arena(std::min(wanted, tbb::info::default_concurrency()));
  WideBvh tree = arena.execute([&] {
    return detail::fitBoxes(mesh, detail::buildShape(mesh, meter), options, detail::FitHeight::every, nullptr,
                            meter);
  });
  tree.tellSurfaces(mesh);
  return tree;
}

void WideBvh::tellSurfaces(const TriangleMesh& mesh) {
  if (layout == WideLayout::compact) return;
  std::vector<std::uint32_t> below(8 * nodes.size(), WideNodeHead::mixed);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::uint32_t k = 0; k < nodes[n].head.childCount; ++k)
      below[8 * n + k] = detail::surfaceBelow(*this, nodes[n].head, nodes[n].child[k], mesh);
  surfaces = SharedArray(std::move(below));
}

std::uint64_t WideBvh::units(const TriangleMesh& mesh) noexcept {
  return mesh.triangleCount() * (detail::shapeUnits + detail::fitUnits);
}

std::size_t WideBvh::bytes() const noexcept {
  return nodes.size() * sizeof(WideNode) + cylinders.size() * sizeof(WideCylinders) +
         compactNodes.size() * sizeof(CompactWideNode) + frames.size() * sizeof(WideFrame) +
         packets.size() * sizeof(float) + (surfaces.size() + triangleAt.size()) * sizeof(std::uint32_t);
}

std::optional<std::string> WideBvh::problemFor(const TriangleMesh& mesh, bool boxes,
                                               const WorkMeter& meter) const {
  return Checker(*this, mesh, boxes, meter).problem();
}

}  // namespace fitup

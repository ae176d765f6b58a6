#include <fitup/hierarchy/level_boxes.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include <fitup/base/error.h>

namespace fitup {
namespace {

/// Called with a box on the way down and its level; `ends` if nothing is below it.
using Visit = std::function<void(std::size_t level, bool ends, const LevelBox& box)>;

class ScdWalk {
 public:
  ScdWalk(const CollisionModel& model, std::size_t most, const Visit& visit)
      : trees_(model.scd()), origin_(model.mesh().origin()), most_(most), visit_(visit) {}

  void run() const {
    if (trees_.surfaceTree.count == 0) return;
    visit_(0, false, boxOf(trees_.surfaceTree.box));
    node(trees_.surfaceTree.first, trees_.surfaceTree.count, 1, true);
  }

 private:
  [[nodiscard]] LevelBox boxOf(const Aabb& local) const {
    const Vec3 min{local.min.x, local.min.y, local.min.z}, max{local.max.x, local.max.y, local.max.z};
    return {Transform::translation(origin_ + (min + max) * 0.5), (max - min) * 0.5};
  }

  void node(std::uint32_t first, std::uint32_t count, std::size_t level, bool ofSurfaces) const {
    if (level > most_) return;
    for (const RTreeEntry& entry : trees_.entries.span().subspan(first, count)) {
      if (!entry.isLeaf()) {
        visit_(level, false, boxOf(entry.box()));
        node(entry.first, entry.count, level + 1, ofSurfaces);
        continue;
      }
      const auto roots = trees_.triangleTrees.span();
      const bool goesOn = ofSurfaces && !roots.empty() && roots[entry.first].count > 0;
      visit_(level, !goesOn, boxOf(entry.box()));
      if (goesOn) node(roots[entry.first].first, roots[entry.first].count, level + 1, false);
    }
  }

  const ScdTrees& trees_;
  Vec3 origin_;
  std::size_t most_;
  const Visit& visit_;
};

class WideWalk {
 public:
  WideWalk(const CollisionModel& model, std::size_t most, const Visit& visit)
      : tree_(model.wide()), origin_(model.mesh().origin()), most_(most), visit_(visit) {}

  void run() const {
    if (tree_.nodeCount() > 0) node(0, 0);
  }

 private:
  void node(std::uint32_t number, std::size_t level) const {
    if (level > most_) return;
    const bool fast = tree_.layout == WideLayout::fast;
    const WideNodeHead& head =
        fast ? tree_.nodes.span()[number].head : tree_.compactNodes.span()[number].head;
    for (std::uint32_t i = 0; i < head.childCount; ++i) {
      const WideChild child =
          fast ? tree_.nodes.span()[number].child[i] : tree_.compactNodes.span()[number].child[i];
      Vec3 centre, half;
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        if (fast) {
          centre[k] = tree_.nodes.span()[number].centre[axis][i];
          half[k] = tree_.nodes.span()[number].half[axis][i];
        } else {
          const CompactWideNode& compact = tree_.compactNodes.span()[number];
          const double scale = compactScale(head.half[axis]);
          const double low = compact.low[axis][i], high = compact.high[axis][i];
          centre[k] = double{head.centre[axis]} - double{head.half[axis]} + scale * (low + high) / 2;
          half[k] = scale * (high - low) / 2;
        }
      }
      visit_(level, child.isLeaf(), {partFromAxes(tree_.frames.span()[head.frame], centre), half});
      if (!child.isLeaf()) node(child.node(), level + 1);
    }
  }

  /// Coordinates q in the axes F of a node are those of the local point F^T q.
  [[nodiscard]] Transform partFromAxes(const WideFrame& frame, const Vec3& centre) const {
    Transform turned;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 3; ++column) turned.m[row][column] = frame.columns[row][column];
    turned.t = origin_ + turned.applyToVector(centre);
    return turned;
  }

  const WideBvh& tree_;
  Vec3 origin_;
  std::size_t most_;
  const Visit& visit_;
};

void walk(const CollisionModel& model, HierarchyKind kind, std::size_t most, const Visit& visit) {
  if (kind == HierarchyKind::scd) return ScdWalk(model, most, visit).run();
  if (kind == HierarchyKind::wide) return WideWalk(model, most, visit).run();
  throw InputError("boxes of a hierarchy", std::string(name(kind)), "cannot be listed");
}

}  // namespace

std::vector<LevelBox> levelBoxes(const CollisionModel& model, HierarchyKind kind, std::size_t level) {
  std::vector<LevelBox> boxes;
  walk(model, kind, level, [&](std::size_t at, bool ends, const LevelBox& box) {
    if (at == level || (at < level && ends)) boxes.push_back(box);
  });
  return boxes;
}

std::size_t levelCount(const CollisionModel& model, HierarchyKind kind) {
  std::size_t count = 0;
  walk(model, kind, std::numeric_limits<std::size_t>::max(),
       [&](std::size_t at, bool, const LevelBox&) { count = std::max(count, at + 1); });
  return count;
}

}  // namespace fitup

#include <fitup/hierarchy/level_boxes.h>

#include <algorithm>
#include <limits>

#include <fitup/hierarchy/detail/box_descent.h>

namespace fitup {
namespace {

class ScdWalk {
 public:
  ScdWalk(const ScdTrees& trees, std::size_t most, const BoxVisit& visit)
      : trees_(trees), most_(most), visit_(visit) {}

  void run() const {
    if (trees_.surfaceTree.count == 0) return;
    visit_(0, false, boxOf(trees_.surfaceTree.box));
    node(trees_.surfaceTree.first, trees_.surfaceTree.count, 1, true);
  }

 private:
  [[nodiscard]] static LevelBox boxOf(const Aabb& box) {
    return detail::alignedBoxBetween(toVec3(box.min), toVec3(box.max));
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
  std::size_t most_;
  const BoxVisit& visit_;
};

class WideWalk {
 public:
  WideWalk(const WideBvh& tree, std::size_t most, const BoxVisit& visit)
      : tree_(tree), most_(most), visit_(visit) {}

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
      // Coordinates q in the axes F of a node are those of the point F^T q.
      const auto& columns = tree_.frames.span()[head.frame].columns;
      LevelBox box = detail::turnedBox(columns, Vec3(), half);
      box.partFromBox.t = box.partFromBox.applyToVector(centre);
      visit_(level, child.isLeaf(), box);
      if (!child.isLeaf()) node(child.node(), level + 1);
    }
  }

  const WideBvh& tree_;
  std::size_t most_;
  const BoxVisit& visit_;
};

/// Boxes of the part; a mesh without a tree is its own box.
void walk(const CollisionModel& model, HierarchyKind kind, std::size_t most, const BoxVisit& visit) {
  const Vec3& origin = model.mesh().origin();
  bool any = false;
  const BoxVisit inPart = [&](std::size_t level, bool ends, LevelBox box) {
    any = true;
    box.partFromBox.t = box.partFromBox.t + origin;
    visit(level, ends, box);
  };
  if (kind == HierarchyKind::scd)
    ScdWalk(model.scd(), most, inPart).run();
  else if (kind == HierarchyKind::wide)
    WideWalk(model.wide(), most, inPart).run();
  else
    model.tree(kind).visitBoxes(most, inPart);
  if (any || model.mesh().triangleCount() == 0) return;
  const Aabb& box = model.mesh().bounds();
  inPart(0, true, detail::alignedBoxBetween(toVec3(box.min), toVec3(box.max)));
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

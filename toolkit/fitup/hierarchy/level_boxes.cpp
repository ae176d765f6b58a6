#include <fitup/hierarchy/level_boxes.h>

#include <algorithm>
#include <limits>

#include <fitup/hierarchy/detail/box_descent.h>

namespace fitup {
namespace {

/// Visits the boxes of a part. A mesh without a tree is its own box.
void walk(const CollisionModel& model, HierarchyKind kind, std::size_t most, const BoxVisit& visit) {
  const Vec3& origin = model.mesh().origin();
  bool any = false;
  const BoxVisit inPart = [&](std::size_t level, bool ends, LevelBox box) {
    any = true;
    box.partFromBox.t = box.partFromBox.t + origin;
    visit(level, ends, box);
  };
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

#include <viewer/core/explode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

namespace fitup::viewer {
namespace {

/// By this share of its distance from the middle, each node moves outwards before boxes are separated.
constexpr double spread = 0.35;
/// The gap around a box, as a share of its diagonal.
constexpr double gap = 0.03;

Box shifted(const Box& box, const Vec3& by) { return {box.min + by, box.max + by}; }

Box withGap(const Box& box) {
  const double margin = gap * 2 * norm(box.halfExtent());
  return {box.min - Vec3{margin, margin, margin}, box.max + Vec3{margin, margin, margin}};
}

/// A child of a subassembly, or the part of a node that also has children.
struct Item {
  NodeId node{};
  bool isOwnPart = false;
  Box assembled, exploded;  ///< of everything in it; the second one in its complete exploded view
  Vec3 shift;
};

/// Returns how far the box moves along an axis, towards `side`, until it overlaps none of the others.
double wayOut(const Box& box, std::span<const Box> others, int axis, double side) {
  std::vector<std::pair<double, double>> blocked;  // from where to where on the way
  for (const Box& other : others) {
    bool isBeside = false;
    for (int k = 0; k < 3; ++k)
      isBeside = isBeside || (k != axis && (box.max[k] <= other.min[k] || other.max[k] <= box.min[k]));
    if (isBeside) continue;
    const double a = side * (other.min[axis] - box.max[axis]), b = side * (other.max[axis] - box.min[axis]);
    blocked.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::ranges::sort(blocked);
  double way = 0;
  for (const auto& [from, to] : blocked) {
    if (from >= way) break;
    way = std::max(way, to);
  }
  return way;
}

/// Returns the shortest way out along an axis of the world that leads away from the middle.
Vec3 wayOut(const Box& box, std::span<const Box> others, const Vec3& fromMiddle) {
  double shortest = std::numeric_limits<double>::infinity();
  Vec3 shift;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0}) {
      if (side * fromMiddle[axis] < 0) continue;
      const double way = wayOut(box, others, axis, side);
      if (way >= shortest) continue;
      shortest = way;
      shift = {};
      shift[axis] = side * way;
    }
  return shift;
}

/// Separates the items of one subassembly. The larger ones come first and stay nearer to the middle.
void separate(std::vector<Item>& items, const Assembly& assembly) {
  Box all;
  for (const Item& item : items) all.extend(item.assembled);
  const Vec3 middle = all.centre();
  const auto rank = [&](const Item& item) {
    const Vec3 centre = item.assembled.centre();
    return std::tuple(-norm(item.exploded.halfExtent()), norm(centre - middle), centre.x, centre.y, centre.z);
  };
  std::ranges::sort(items, [&](const Item& a, const Item& b) {
    const auto first = rank(a), second = rank(b);
    if (first != second) return first < second;
    return std::tuple(a.isOwnPart, assembly.path(a.node)) < std::tuple(b.isOwnPart, assembly.path(b.node));
  });
  std::vector<Box> placed;
  for (Item& item : items) {
    Vec3 fromMiddle = item.assembled.centre() - middle;
    item.shift = fromMiddle * spread;
    // Rounding has no side.
    for (int k = 0; k < 3; ++k)
      if (std::abs(fromMiddle[k]) < 1e-6 * norm(all.halfExtent())) fromMiddle[k] = 0;
    const Box start = withGap(shifted(item.exploded, item.shift));
    const Vec3 way = wayOut(start, placed, fromMiddle);
    item.shift = item.shift + way;
    placed.push_back(shifted(start, way));
  }
}

}  // namespace

std::map<NodeId, Vec3> explodedShifts(const Scene& scene, const Poses& poses) {
  const Assembly& assembly = scene.assembly();
  const std::size_t count = assembly.nodes().size();
  std::vector<Box> assembled(count), exploded(count);
  std::vector<Vec3> shifts(count), shiftsOfOwnParts(count);
  const auto explode = [&](std::vector<Item> items) {
    separate(items, assembly);
    Box box;
    for (const Item& item : items) {
      (item.isOwnPart ? shiftsOfOwnParts : shifts)[index(item.node)] = item.shift;
      box.extend(shifted(item.exploded, item.shift));
    }
    return box;
  };
  const auto add = [](std::vector<Item>& items, const Item& item) {
    if (!item.assembled.empty()) items.push_back(item);
  };
  std::vector<Item> roots;
  // Children come after their parents.
  for (std::size_t i = count; i-- > 0;) {
    const NodeId id{static_cast<std::uint32_t>(i)};
    const AssemblyNode& node = assembly.node(id);
    std::vector<Item> items;
    if (node.part) {
      const Box own = scene.worldBounds(id, poses);
      add(items, {id, true, own, own, {}});
    }
    for (const NodeId child : node.children)
      add(items, {child, false, assembled[index(child)], exploded[index(child)], {}});
    for (const Item& item : items) assembled[i].extend(item.assembled);
    exploded[i] = explode(std::move(items));
    if (!node.parent) add(roots, {id, false, assembled[i], exploded[i], {}});
  }
  explode(std::move(roots));
  std::map<NodeId, Vec3> found;
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId id{static_cast<std::uint32_t>(i)};
    const AssemblyNode& node = assembly.node(id);
    if (node.parent) shifts[i] = shifts[i] + shifts[index(*node.parent)];
    const Vec3 shift = shifts[i] + shiftsOfOwnParts[i];
    if (node.part && shift != Vec3{}) found.emplace(id, shift);
  }
  return found;
}

Poses explodedPoses(const Scene& scene, const Poses& poses, const std::map<NodeId, Vec3>& shifts,
                    double fraction) {
  Poses exploded = poses;
  if (fraction > 0)
    for (const auto& [node, shift] : shifts)
      exploded.set(node, Transform::translation(shift * fraction) * scene.worldFromPart(node, poses));
  return exploded;
}

}  // namespace fitup::viewer

#include <fitup/hierarchy/detail/wide_shape.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <tbb/task_group.h>

#include <fitup/hierarchy/detail/wide_bodies.h>
#include <fitup/hierarchy/detail/wide_shells.h>
#include <fitup/hierarchy/detail/wide_split.h>

namespace fitup::detail {
namespace {

/// Subtrees of at least this many triangles are tasks of their own.
constexpr std::uint32_t taskSize = 1U << 14;

class ShapeBuilder {
 public:
  ShapeBuilder(const TriangleMesh& mesh, const WorkMeter& meter)
      : mesh_(mesh), meter_(meter), surfaces_(surfacesOf(mesh, meter)), items_(mesh.triangleCount()) {
    const Aabb& bounds = mesh.bounds();
    const double size = std::max({double(bounds.max.x) - bounds.min.x, double(bounds.max.y) - bounds.min.y,
                                  double(bounds.max.z) - bounds.min.z});
    if (size > 0) unit_ = static_cast<float>(std::ldexp(1.0, -std::ilogb(size)));
  }

  TreeShape build() {
    TreeShape shape;
    if (surfaces_.items.empty()) return shape;
    const auto slots = static_cast<std::uint32_t>(items_.size());
    shape.nodes.resize(1);
    Family root;
    root.add({0, static_cast<std::uint32_t>(surfaces_.items.size())}, 0, slots);
    bodyChildren(shape.nodes, 0, root, surfaces_);
    shape.triangleAt.resize(slots);
    for (std::size_t i = 0; i < slots; ++i) shape.triangleAt[i] = items_[i].id();
    return shape;
  }

 private:
  using Nodes = std::vector<WideShape>;

  /// The children of one node: what each was split from, and the slots it covers.
  struct Family {
    std::array<BuildGroup, 8> group;
    std::array<std::uint32_t, 9> firstSlot{};
    std::uint32_t count = 0;

    void add(BuildGroup g, std::uint32_t begin, std::uint32_t end) {
      group[count] = g;
      firstSlot[count] = begin;
      firstSlot[++count] = end;
    }
    [[nodiscard]] std::uint32_t slots(std::uint32_t i) const { return firstSlot[i + 1] - firstSlot[i]; }
  };

  /// Sets the children of a node whose groups are known: leaves where `isLeaf(i)` says so, else nodes side by
  /// side, whose own children `fill(nodes, node, i)` then makes. Large ones are tasks with arrays of their
  /// own, joined in order, so that the numbering does not depend on threads.
  template <typename IsLeaf, typename Fill>
  void setChildren(Nodes& nodes, std::uint32_t index, const Family& family, IsLeaf&& isLeaf, Fill&& fill) {
    auto next = static_cast<std::uint32_t>(nodes.size());
    {
      WideShape& node = nodes[index];
      node.childCount = family.count;
      node.firstSlot = family.firstSlot;
      for (std::uint32_t i = 0; i < family.count; ++i)
        node.child[i] =
            isLeaf(i) ? WideChild::ofLeaf(family.firstSlot[i], family.slots(i)) : WideChild::ofNode(next++);
    }
    const WideShape node = nodes[index];
    nodes.resize(next);
    std::uint32_t inLeaves = 0;
    for (std::uint32_t i = 0; i < family.count; ++i)
      if (node.child[i].isLeaf()) inLeaves += family.slots(i);
    if (inLeaves > 0) meter_.advance(inLeaves * shapeUnits);
    std::array<Nodes, 8> ofTask;
    std::optional<tbb::task_group> tasks;
    const auto isTask = [&](std::uint32_t i) {
      return !node.child[i].isLeaf() && family.slots(i) >= taskSize;
    };
    for (std::uint32_t i = 0; i < family.count; ++i)
      if (isTask(i)) {
        if (!tasks) tasks.emplace();
        tasks->run([&, i] {
          ofTask[i].resize(1);
          fill(ofTask[i], 0, i);
        });
      }
    for (std::uint32_t i = 0; i < family.count; ++i)
      if (!node.child[i].isLeaf() && !isTask(i)) fill(nodes, node.child[i].node(), i);
    if (!tasks) return;
    tasks->wait();
    for (std::uint32_t i = 0; i < family.count; ++i) {
      if (!isTask(i)) continue;
      const auto shift = static_cast<std::uint32_t>(nodes.size()) - 1;
      for (WideShape& moved : ofTask[i])
        for (std::uint32_t k = 0; k < moved.childCount; ++k)
          if (!moved.child[k].isLeaf()) moved.child[k] = WideChild::ofNode(moved.child[k].node() + shift);
      nodes[node.child[i].node()] = ofTask[i].front();
      nodes.insert(nodes.end(), ofTask[i].begin() + 1, ofTask[i].end());
    }
  }

  /// Groups are runs of bodies; a single one goes on as triangles, a surface as shells where that is better.
  void bodyChildren(Nodes& nodes, std::uint32_t index, const Family& family, Bodies& bodies) {
    const auto bodyOf = [&](std::uint32_t i) { return bodies.items[family.group[i].begin].id(); };
    const auto isSingle = [&](std::uint32_t i) { return family.group[i].count() == 1; };
    meter_.poll();
    for (std::uint32_t i = 0; i < family.count; ++i)
      if (isSingle(i))
        for (std::uint32_t k = 0; k < family.slots(i); ++k)
          items_[family.firstSlot[i] + k] = itemOf(mesh_, bodies.triangle(bodyOf(i), k));
    if (bodies.surface) nodes[index].surface = *bodies.surface;
    setChildren(
        nodes, index, family, [&](std::uint32_t i) { return isSingle(i) && family.slots(i) <= 8; },
        [&](Nodes& own, std::uint32_t node, std::uint32_t i) {
          const BuildGroup slots{family.firstSlot[i], family.firstSlot[i + 1]};
          if (!isSingle(i)) return splitIntoBodies(own, node, family.group[i], slots.begin, bodies);
          if (bodies.surface) return triangleChildren(own, node, slots, *bodies.surface);
          surfaceChildren(own, node, slots, bodyOf(i));
        });
  }
  void splitIntoBodies(Nodes& nodes, std::uint32_t index, BuildGroup run, std::uint32_t firstSlot,
                       Bodies& bodies) {
    const BuildGroups groups = splitBodies(bodies.items, run.begin, run.end, bodies.weights, unit_);
    Family children;
    for (std::uint32_t k = 0; k < groups.count; ++k) {
      const BuildGroup& g = groups.group[k];
      std::uint32_t slots = 0;
      for (std::uint32_t i = g.begin; i < g.end; ++i) slots += bodies.weights[bodies.items[i].id()];
      children.add(g, firstSlot, firstSlot + slots);
      firstSlot += slots;
    }
    bodyChildren(nodes, index, children, bodies);
  }
  void surfaceChildren(Nodes& nodes, std::uint32_t index, BuildGroup slots, std::uint32_t surface) {
    std::optional<Bodies> shells = shellsWorthSplitting(mesh_, surface, unit_, meter_);
    if (!shells) return triangleChildren(nodes, index, slots, surface);
    const auto count = static_cast<std::uint32_t>(shells->items.size());
    splitIntoBodies(nodes, index, {0, count}, slots.begin, *shells);
  }

  void triangleChildren(Nodes& nodes, std::uint32_t index, BuildGroup slots, std::uint32_t surface) {
    const BuildGroups groups = splitTriangles(items_, slots.begin, slots.end, unit_, meter_);
    Family children;
    for (std::uint32_t k = 0; k < groups.count; ++k)
      children.add(groups.group[k], groups.group[k].begin, groups.group[k].end);
    nodes[index].surface = surface;
    setChildren(
        nodes, index, children, [&](std::uint32_t i) { return children.slots(i) <= 8; },
        [&](Nodes& own, std::uint32_t node, std::uint32_t i) {
          triangleChildren(own, node, children.group[i], surface);
        });
  }

  const TriangleMesh& mesh_;
  const WorkMeter& meter_;
  float unit_ = 1;  ///< about 1 / size, a power of two
  Bodies surfaces_;
  std::vector<BuildItem> items_;
};

}  // namespace

TreeShape buildShape(const TriangleMesh& mesh, const WorkMeter& meter) {
  return ShapeBuilder(mesh, meter).build();
}

}  // namespace fitup::detail

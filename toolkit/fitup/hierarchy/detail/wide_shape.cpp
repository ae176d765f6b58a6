#include <fitup/hierarchy/detail/wide_shape.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <tbb/task_group.h>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/wide_body_tree.h>
#include <fitup/hierarchy/detail/wide_collapse.h>
#include <fitup/hierarchy/detail/wide_split.h>

namespace fitup::detail {
namespace {

class ShapeBuilder {
 public:
  ShapeBuilder(const TriangleMesh& mesh, const WorkMeter& meter)
      : mesh_(mesh), meter_(meter), items_(mesh.triangleCount()) {
    const Aabb& bounds = mesh.bounds();
    const double size = std::max({double(bounds.max.x) - bounds.min.x, double(bounds.max.y) - bounds.min.y,
                                  double(bounds.max.z) - bounds.min.z});
    if (size > 0) unit_ = static_cast<float>(std::ldexp(1.0, -std::ilogb(size)));
  }

  TreeShape build() {
    TreeShape shape;
    const BodyTree bodies(mesh_, items_, unit_, meter_);
    if (bodies.root() == nullptr) return shape;
    shape.nodes.resize(1);
    ShapeFamily root;
    root.add({bodies.root()->slots, bodies.root()->surface, bodies.root()});
    setChildren(shape.nodes, 0, root);
    shape.triangleAt.resize(items_.size());
    polledLoop(items_.size(), meter_, [&](std::size_t i) { shape.triangleAt[i] = items_[i].id(); });
    return shape;
  }

 private:
  using Nodes = std::vector<WideShape>;

  /// Sets the children of a node (those that are nodes are consecutive) and then everything below. Large
  /// subtrees are tasks with arrays of their own, which are joined in order, so that the numbering does not
  /// depend on threads.
  void setChildren(Nodes& nodes, std::uint32_t index, const ShapeFamily& family) {
    meter_.poll();
    auto next = static_cast<std::uint32_t>(nodes.size());
    std::uint32_t inLeaves = 0;
    WideShape node;
    node.surface = nodes[index].surface;
    node.childCount = family.count;
    for (std::uint32_t i = 0; i < family.count; ++i) {
      const ShapeChild& child = family.child[i];
      node.firstSlot[i] = child.slots.begin;
      node.firstSlot[i + 1] = child.slots.end;
      node.child[i] = child.isLeaf() ? WideChild::ofLeaf(child.slots.begin, child.slots.count())
                                     : WideChild::ofNode(next++);
      if (child.isLeaf()) inLeaves += child.slots.count();
    }
    nodes[index] = node;
    nodes.resize(next);
    if (inLeaves > 0) meter_.advance(inLeaves * shapeUnits);
    std::array<Nodes, 8> ofTask;
    std::optional<tbb::task_group> tasks;
    const auto isTask = [&](std::uint32_t i) {
      return !node.child[i].isLeaf() && family.child[i].slots.count() >= tuning::subtreeTask;
    };
    for (std::uint32_t i = 0; i < family.count; ++i)
      if (isTask(i)) {
        if (!tasks) tasks.emplace();
        tasks->run([&, i] {
          ofTask[i].resize(1);
          setBelow(ofTask[i], 0, family.child[i]);
        });
      }
    for (std::uint32_t i = 0; i < family.count; ++i)
      if (!node.child[i].isLeaf() && !isTask(i)) setBelow(nodes, node.child[i].node(), family.child[i]);
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

  /// Makes a node of a child that is not a leaf.
  void setBelow(Nodes& nodes, std::uint32_t index, const ShapeChild& child) {
    nodes[index].surface = child.surface;
    if (child.bodies != nullptr) return setChildren(nodes, index, familyOf(*child.bodies));
    ShapeFamily family;
    family.addTriangles(splitTriangles(items_, child.slots.begin, child.slots.end, unit_, meter_),
                        child.surface);
    setChildren(nodes, index, family);
  }

  const TriangleMesh& mesh_;
  const WorkMeter& meter_;
  float unit_ = 1;  ///< about 1 / size, a power of two
  std::vector<BuildItem> items_;
};

}  // namespace

TreeShape buildShape(const TriangleMesh& mesh, const WorkMeter& meter) {
  return ShapeBuilder(mesh, meter).build();
}

}  // namespace fitup::detail

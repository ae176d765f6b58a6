#include <algorithm>
#include <bit>

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/detail/wide_shape.h>

namespace fitup {
namespace detail {

TreeShape shapeOf(const WideBvh& tree) {
  TreeShape shape;
  const std::size_t nodeCount = tree.nodeCount();
  shape.nodes.resize(nodeCount);
  const bool fast = tree.layout == WideLayout::fast;
  shape.triangleAt.resize(fast ? tree.packets.size() / 10 : tree.triangleAt.size());
  for (std::size_t n = nodeCount; n-- > 0;) {
    const WideNodeHead& head = fast ? tree.nodes[n].head : tree.compactNodes[n].head;
    WideShape& node = shape.nodes[n];
    node.child = fast ? tree.nodes[n].child : tree.compactNodes[n].child;
    node.childCount = head.childCount;
    node.surface = head.surface;
    for (std::uint32_t i = 0; i < node.childCount; ++i) {
      const WideChild child = node.child[i];
      std::uint32_t first = 0, end = 0;
      if (child.isLeaf()) {
        first = child.firstSlot();
        end = first + child.count();
        for (std::uint32_t k = 0; k < child.count(); ++k)
          shape.triangleAt[first + k] = static_cast<std::uint32_t>(triangleInLeaf(tree, child, k));
      } else {
        const WideShape& below = shape.nodes[child.node()];
        first = below.firstSlot[0];
        end = below.firstSlot[below.childCount];
      }
      if (i > 0 && first != node.firstSlot[i])
        throw InputError("wide tree", "node " + std::to_string(n),
                         "leaves are not in the order of their slots");
      node.firstSlot[i] = first;
      node.firstSlot[i + 1] = end;
    }
  }
  return shape;
}

}  // namespace detail

WideBvh WideBvh::refitted(const TriangleMesh& before, const TriangleMesh& mesh, const RefitOptions& options,
                          RefitCounts& counts) const {
  const auto wanted = static_cast<int>(workerCount(options.threads, mesh.triangleCount()));
  tbb::task_arena arena(std::min(wanted, tbb::info::default_concurrency()));
  detail::FitCounts done;
  WideBvh result = arena.execute([&] {
    return detail::fitBoxes(mesh, detail::shapeOf(*this), {layout, options.orientNodes},
                            detail::FitHeight::leavesOfNodes, &done);
  });
  if (layout == WideLayout::compact) result.triangleAt = triangleAt;
  result.computeSurfaces(mesh);
  result.builtFor = builtFor.value_or(before.contentHash());
  counts.corners += done.corners;
  counts.merges += done.merges;
  return result;
}

}  // namespace fitup

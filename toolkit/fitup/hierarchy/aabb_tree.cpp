#include <fitup/hierarchy/aabb_tree.h>

#include <cmath>

#include <fitup/hierarchy/detail/aabb_nodes.h>
#include <fitup/hierarchy/detail/aabb_pairs.h>

namespace fitup {
namespace detail {

std::vector<AabbNode> makeAabbNodes(const TriangleMesh& mesh, AabbSplit split) {
  std::vector<BuildItem> items = triangleItems(mesh);
  const std::vector<BinaryNode> shape = buildByAxisSplit(items, split);
  const std::vector<Box4> boxes = boxesOf(shape, items);
  std::vector<AabbNode> nodes(shape.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const auto side = CentredInterval::of(boxes[i].min[k], boxes[i].max[k]);
      nodes[i].centre[k] = side.centre;
      nodes[i].half[k] = side.half;
    }
    nodes[i].link = shape[i].isLeaf() ? TreeLink::toTriangle(items[shape[i].begin].id())
                                      : TreeLink::toNode(shape[i].firstChild);
  }
  return nodes;
}

std::optional<std::string> problemOfAabbNodes(std::span<const AabbNode> nodes, const TriangleMesh& mesh) {
  return binaryProblem(
      mesh, nodes.size(),
      [&](std::uint32_t i, auto onNode, auto onTriangle) {
        if (nodes[i].link.isTriangle()) return onTriangle(nodes[i].link.triangle());
        onNode(nodes[i].link.node());
        onNode(nodes[i].link.node() + 1);
      },
      [&](std::uint32_t i, const Vec3& p) {
        for (int k = 0; k < 3; ++k)
          if (!(std::abs(p[k] - nodes[i].centre[k]) <= nodes[i].half[k])) return false;
        return true;
      });
}

}  // namespace detail

std::shared_ptr<const AabbTree> AabbTree::build(const TriangleMesh& mesh, const AabbTreeOptions& options) {
  return std::make_shared<const AabbTree>(SharedArray<AabbNode>(detail::makeAabbNodes(mesh, options.split)));
}

std::optional<std::string> AabbTree::problemFor(const TriangleMesh& mesh) const {
  return detail::problemOfAabbNodes(nodes_.span(), mesh);
}

void AabbTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const {
  const auto& b = static_cast<const AabbTree&>(treeOfB);
  detail::traverseAabbs(task, detail::AabbNodeBoxes{nodes_.data()}, detail::AabbNodeBoxes{b.nodes_.data()},
                        BoxTest::lite, scratch);
}

}  // namespace fitup

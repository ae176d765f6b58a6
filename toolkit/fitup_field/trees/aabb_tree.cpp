#include <fitup_field/trees/aabb_tree.h>

#include <cmath>

#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup_field/detail/aabb_nodes.h>
#include <fitup_field/detail/aabb_pairs.h>

namespace fitup {
namespace detail {

namespace {

void setBox(AabbNode& node, const Box4& box) {
  for (int k = 0; k < 3; ++k) {
    const auto side = CentredInterval::of(box.min[k], box.max[k]);
    node.centre[k] = side.centre;
    node.half[k] = side.half;
  }
}

}  // namespace

std::vector<AabbNode> makeAabbNodes(const TriangleMesh& mesh, AabbSplit split, const WorkMeter& meter) {
  std::vector<BuildItem> items = triangleItems(mesh, meter);
  const std::vector<BinaryNode> shape = buildByAxisSplit(items, split, meter);
  const std::vector<Box4> boxes = boxesOf(shape, items, meter);
  std::vector<AabbNode> nodes(shape.size());
  polledLoop(nodes.size(), meter, [&](std::size_t i) {
    setBox(nodes[i], boxes[i]);
    nodes[i].link = shape[i].isLeaf() ? TreeLink::toTriangle(items[shape[i].begin].id())
                                      : TreeLink::toNode(shape[i].firstChild);
  });
  return nodes;
}

std::optional<std::string> problemOfAabbNodes(std::span<const AabbNode> nodes, const TriangleMesh& mesh) {
  return binaryProblem(
      mesh, nodes.size(),
      [&](std::uint32_t i, auto onNode, auto onTriangle) { followLink(nodes[i].link, onNode, onTriangle); },
      [&](std::uint32_t i, const Vec3& p) {
        for (int k = 0; k < 3; ++k)
          if (!(std::abs(p[k] - nodes[i].centre[k]) <= nodes[i].half[k])) return false;
        return true;
      });
}

void visitBoxesOfAabbNodes(std::span<const AabbNode> nodes, std::size_t deepest, const BoxVisit& visit) {
  visitLinkedBoxes(nodes, deepest, visit,
                   [&](std::uint32_t i) { return alignedBox(nodes[i].centre, nodes[i].half); });
}

}  // namespace detail

std::shared_ptr<const AabbTree> AabbTree::build(const TriangleMesh& mesh, const ResearchOptions& options,
                                                const WorkMeter& meter) {
  return std::make_shared<const AabbTree>(
      SharedArray<AabbNode>(detail::makeAabbNodes(mesh, options.split, meter)), options.boxTest);
}

std::optional<std::string> AabbTree::problemFor(const TriangleMesh& mesh) const {
  return detail::problemOfAabbNodes(nodes_.span(), mesh);
}

void AabbTree::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  detail::visitBoxesOfAabbNodes(nodes_.span(), deepest, visit);
}

// Section 4 of the paper: children come after their parents, so one pass from the end suffices.
std::shared_ptr<const HierarchyTree> AabbTree::refitted(const TriangleMesh&, const TriangleMesh& mesh,
                                                        const RefitOptions&, RefitCounts& counts) const {
  std::vector<AabbNode> nodes(nodes_.begin(), nodes_.end());
  std::vector<detail::Box4> boxes(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].link.isTriangle()) {
      for (const Vec3& p : mesh.triangle(TriangleId{nodes[i].link.triangle()}).v) {
        // Local coordinates are 32-bit numbers.
        const detail::Float4 corner{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z),
                                    0};
        boxes[i].extend(corner, corner);
      }
      counts.corners += 3;
    } else {
      boxes[i] = boxes[nodes[i].link.node()];
      boxes[i].extend(boxes[nodes[i].link.node() + 1]);
      ++counts.merges;
    }
    detail::setBox(nodes[i], boxes[i]);
  }
  return std::make_shared<const AabbTree>(SharedArray<AabbNode>(std::move(nodes)), boxTest_);
}

double AabbTree::boxAreas() const noexcept {
  double sum = 0;
  for (const AabbNode& n : nodes_) {
    const double x = n.half[0], y = n.half[1], z = n.half[2];
    sum += 4 * (x * y + y * z + z * x);
  }
  return sum;
}

void AabbTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const {
  const auto& b = static_cast<const AabbTree&>(treeOfB);
  detail::traverseAabbs(task, detail::AabbNodeBoxes{nodes_.data()}, detail::AabbNodeBoxes{b.nodes_.data()},
                        detail::chosen(boxTest_, BoxTest::lite), scratch);
}

}  // namespace fitup

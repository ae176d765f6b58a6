#include <fitup_field/trees/dop_tree.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup_field/detail/axis_split.h>

namespace fitup {
namespace {

using namespace detail;

/// d . p and a bound on its rounding; exact along the axes.
struct Along {
  double value, error;
};
Along along(std::size_t direction, const Vec3& p) noexcept {
  const auto& d = dopDirections[direction];
  const double sum = d[0] * p.x + d[1] * p.y + d[2] * p.z;
  return {sum, direction < 3 ? 0 : 0x1p-51 * (std::abs(p.x) + std::abs(p.y) + std::abs(p.z))};
}

template <std::size_t slabs>
SharedArray<DopNode<slabs>> makeNodes(const TriangleMesh& mesh, const WorkMeter& meter) {
  std::vector<BuildItem> items = triangleItems(mesh, meter);
  const std::vector<BinaryNode> shape = buildByAxisSplit(items, AabbSplit::middle, meter);
  std::vector<DopNode<slabs>> nodes;
  nodes.reserve(shape.size());
  polledLoop(shape.size(), meter, [&](std::size_t) { nodes.emplace_back(); });  // hundreds of megabytes
  polledLoop(nodes.size(), meter, [&](std::size_t position) {
    const std::size_t i = nodes.size() - 1 - position;
    DopNode<slabs>& node = nodes[i];
    if (shape[i].isLeaf()) {
      const std::uint32_t id = items[shape[i].begin].id();
      const Triangle t = mesh.triangle(TriangleId{id});
      node.link = TreeLink::toTriangle(id);
      for (std::size_t k = 0; k < slabs; ++k) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Vec3& p : t.v) {
          const Along a = along(k, p);
          low = std::min(low, a.value - a.error);
          high = std::max(high, a.value + a.error);
        }
        node.low[k] = floatBelow(low);
        node.high[k] = floatAbove(high);
      }
    } else {
      const DopNode<slabs>&a = nodes[shape[i].firstChild], &b = nodes[shape[i].firstChild + 1];
      node.link = TreeLink::toNode(shape[i].firstChild);
      for (std::size_t k = 0; k < slabs; ++k) {
        node.low[k] = std::min(a.low[k], b.low[k]);
        node.high[k] = std::max(a.high[k], b.high[k]);
      }
    }
  });
  return SharedArray<DopNode<slabs>>(std::move(nodes));
}

template <std::size_t slabs>
std::optional<std::string> problemOf(std::span<const DopNode<slabs>> nodes, const TriangleMesh& mesh) {
  return binaryProblem(
      mesh, nodes.size(),
      [&](std::uint32_t i, auto onNode, auto onTriangle) { followLink(nodes[i].link, onNode, onTriangle); },
      [&](std::uint32_t i, const Vec3& p) {
        for (std::size_t k = 0; k < slabs; ++k) {
          const double value = along(k, p).value;
          if (!(nodes[i].low[k] <= value && value <= nodes[i].high[k])) return false;
        }
        return true;
      });
}

}  // namespace

std::shared_ptr<const DopTree> DopTree::build(const TriangleMesh& mesh, const ResearchOptions& options,
                                              const WorkMeter& meter) {
  return std::make_shared<const DopTree>(
      options.k, options.k == DopKind::dop18 ? makeNodes<9>(mesh, meter) : SharedArray<DopNode<9>>(),
      options.k == DopKind::dop24 ? makeNodes<12>(mesh, meter) : SharedArray<DopNode<12>>());
}

std::optional<std::string> DopTree::problemFor(const TriangleMesh& mesh) const {
  return k_ == DopKind::dop18 ? problemOf(nodes18_.span(), mesh) : problemOf(nodes24_.span(), mesh);
}

void DopTree::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  const auto ofNodes = [&](const auto& nodes) {
    visitLinkedBoxes(nodes, deepest, visit, [&](std::uint32_t i) {
      const auto& low = nodes[i].low;
      const auto& high = nodes[i].high;
      return alignedBoxBetween({low[0], low[1], low[2]}, {high[0], high[1], high[2]});
    });
  };
  k_ == DopKind::dop18 ? ofNodes(nodes18_) : ofNodes(nodes24_);
}

}  // namespace fitup

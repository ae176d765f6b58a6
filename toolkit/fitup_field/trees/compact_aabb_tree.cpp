#include <fitup_field/trees/compact_aabb_tree.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup_field/detail/aabb_nodes.h>
#include <fitup_field/detail/compact_nodes.h>

namespace fitup {
namespace {

using namespace detail;

/// Chooses the scales so that every box is representable, and rounds boxes outward. It tests the product that
/// the traversal computes, because that is decisive, instead of using a formula.
class Quantizer {
 public:
  Quantizer(std::span<const AabbNode> nodes, CompactAabbTree::Data& data, const WorkMeter& meter) {
    for (std::size_t k = 0; k < 3; ++k) {
      double centre = 0, half = 0;
      polledLoop(nodes.size(), meter, [&](std::size_t i) {
        centre = std::max(centre, std::abs(double(nodes[i].centre[k])));
        half = std::max(half, double(nodes[i].half[k]));
      });
      centre_[k] = data.centreScale[k] = floatAbove(centre / 32766);
      half_[k] = data.halfScale[k] = floatAbove((half + centre_[k]) / 65000);
    }
  }

  [[nodiscard]] QuantizedBox operator()(const AabbNode& node) const {
    QuantizedBox box{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (centre_[k] > 0)
        box.centre[k] = static_cast<std::int16_t>(
            std::clamp(std::nearbyint(double(node.centre[k]) / centre_[k]), -32767.0, 32767.0));
      const float centre = static_cast<float>(box.centre[k]) * centre_[k];
      const double needed =
          (std::abs(double(node.centre[k]) - centre) + double(node.half[k])) * (1 + 0x1p-50);
      auto steps = half_[k] > 0 ? static_cast<std::uint32_t>(needed / half_[k]) : 0U;
      while (static_cast<double>(static_cast<float>(steps) * half_[k]) < needed && steps < 65535) ++steps;
      box.half[k] = static_cast<std::uint16_t>(steps);
    }
    return box;
  }

 private:
  std::array<float, 3> centre_{}, half_{};
};

/// Removes the leaves: children that are leaves become links to their triangles.
std::vector<NoLeafNode> withoutLeaves(std::span<const AabbNode> nodes, const WorkMeter& meter) {
  std::vector<std::uint32_t> number(nodes.size());
  std::uint32_t inner = 0;
  polledLoop(nodes.size(), meter, [&](std::size_t i) {
    if (!nodes[i].link.isTriangle()) number[i] = inner++;
  });
  std::vector<NoLeafNode> result;
  result.reserve(inner);
  polledLoop(nodes.size(), meter, [&](std::size_t i) {
    const AabbNode& n = nodes[i];
    if (n.link.isTriangle()) return;
    NoLeafNode& r = result.emplace_back();
    std::copy(n.centre, n.centre + 3, r.centre);
    std::copy(n.half, n.half + 3, r.half);
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t child = n.link.node() + k;
      r.child[k] = nodes[child].link.isTriangle() ? nodes[child].link : TreeLink::toNode(number[child]);
    }
  });
  return result;
}

}  // namespace

std::shared_ptr<const CompactAabbTree> CompactAabbTree::build(const TriangleMesh& mesh,
                                                              const ResearchOptions& options, bool quantized,
                                                              const WorkMeter& meter) {
  std::vector<AabbNode> nodes = makeAabbNodes(mesh, options.split, meter);
  Data data;
  data.quantized = quantized;
  data.withLeaves = options.withLeaves;
  data.boxTest = options.boxTest;
  if (!nodes.empty())
    data.root = nodes[0].link.isTriangle() && !options.withLeaves ? nodes[0].link : TreeLink::toNode(0);
  const Quantizer quantizer(nodes, data, meter);
  if (options.withLeaves && !quantized) {
    data.nodes = SharedArray<AabbNode>(std::move(nodes));
  } else if (options.withLeaves) {
    std::vector<QuantizedNode> small;
    small.reserve(nodes.size());
    polledLoop(nodes.size(), meter, [&](std::size_t i) {
      small.push_back({quantizer(nodes[i]), nodes[i].link});
    });
    data.quantizedNodes = SharedArray<QuantizedNode>(std::move(small));
  } else {
    std::vector<NoLeafNode> inner = withoutLeaves(nodes, meter);
    if (!quantized) {
      data.noLeafNodes = SharedArray<NoLeafNode>(std::move(inner));
    } else {
      std::vector<QuantizedNoLeafNode> small;
      small.reserve(inner.size());
      polledLoop(inner.size(), meter, [&](std::size_t i) {
        const NoLeafNode& n = inner[i];
        AabbNode box{};
        std::copy(n.centre, n.centre + 3, box.centre);
        std::copy(n.half, n.half + 3, box.half);
        small.push_back({quantizer(box), {n.child[0], n.child[1]}});
      });
      data.quantizedNoLeafNodes = SharedArray<QuantizedNoLeafNode>(std::move(small));
    }
  }
  return std::make_shared<const CompactAabbTree>(std::move(data));
}

std::size_t CompactAabbTree::bytes() const noexcept {
  return data_.nodes.size() * sizeof(AabbNode) + data_.quantizedNodes.size() * sizeof(QuantizedNode) +
         data_.noLeafNodes.size() * sizeof(NoLeafNode) +
         data_.quantizedNoLeafNodes.size() * sizeof(QuantizedNoLeafNode);
}

std::optional<std::string> CompactAabbTree::problemFor(const TriangleMesh& mesh) const {
  const auto holds = [](const LinkedBox& box, const Vec3& p) {
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(p[k] - box.centre[k]) <= box.half[k])) return false;
    return true;
  };
  const auto problem = [&](std::size_t count, const auto& boxes, const auto& children) {
    return binaryProblem(mesh, count, children,
                         [&](std::uint32_t i, const Vec3& p) { return holds(boxes(i), p); });
  };
  const auto ofLinks = [](const auto& boxes) {
    return [boxes](std::uint32_t i, auto onNode, auto onTriangle) {
      followLink(boxes.link(i), onNode, onTriangle);
    };
  };
  const auto ofChildren = [](const auto& boxes) {
    return [boxes](std::uint32_t i, auto onNode, auto onTriangle) {
      for (int k = 0; k < 2; ++k) {
        const TreeLink child = boxes.child(i, k);
        if (child.isTriangle())
          onTriangle(child.triangle());
        else
          onNode(child.node());
      }
    };
  };
  const QuantizedScale scale(data_);
  if (data_.withLeaves && !data_.quantized) return problemOfAabbNodes(data_.nodes.span(), mesh);
  if (data_.withLeaves) {
    const QuantizedNodeBoxes boxes{data_.quantizedNodes.data(), scale};
    return problem(data_.quantizedNodes.size(), boxes, ofLinks(boxes));
  }
  if (!data_.quantized) {
    const NoLeafBoxes boxes{data_.noLeafNodes.data()};
    return problem(data_.noLeafNodes.size(), boxes, ofChildren(boxes));
  }
  const QuantizedNoLeafBoxes boxes{data_.quantizedNoLeafNodes.data(), scale};
  return problem(data_.quantizedNoLeafNodes.size(), boxes, ofChildren(boxes));
}

void CompactAabbTree::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  const QuantizedScale scale(data_);
  const auto boxAt = [](const auto& boxes) {
    return [boxes](std::uint32_t i) {
      const LinkedBox box = boxes(i);
      return alignedBox(box.centre, box.half);
    };
  };
  if (data_.withLeaves && !data_.quantized) return visitBoxesOfAabbNodes(data_.nodes.span(), deepest, visit);
  if (data_.withLeaves)
    return visitLinkedBoxes(data_.quantizedNodes, deepest, visit,
                            boxAt(QuantizedNodeBoxes{data_.quantizedNodes.data(), scale}));
  const auto withoutLeaves = [&](std::size_t count, const auto& boxes) {
    if (count == 0) return;
    descend(std::uint32_t{0}, deepest, [&](std::uint32_t i, std::size_t level, const auto& below) {
      const LevelBox box = boxAt(boxes)(i);
      const TreeLink children[] = {boxes.child(i, 0), boxes.child(i, 1)};
      const bool ends = children[0].isTriangle() && children[1].isTriangle();
      visit(level, ends, box);
      for (const TreeLink child : children) {
        if (!child.isTriangle())
          below(child.node());
        else if (!ends && level < deepest)
          visit(level + 1, true, box);
      }
    });
  };
  if (data_.quantized)
    withoutLeaves(data_.quantizedNoLeafNodes.size(),
                  QuantizedNoLeafBoxes{data_.quantizedNoLeafNodes.data(), scale});
  else
    withoutLeaves(data_.noLeafNodes.size(), NoLeafBoxes{data_.noLeafNodes.data()});
}

}  // namespace fitup

#include <fitup_field/trees/box_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup_field/detail/axis_split.h>
#include <fitup_field/detail/box_cuts.h>

namespace fitup {
namespace {

using namespace detail;

float coordinate(const Point3f& p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/// With 2 n - 1 other nodes, `BoxTree::mostTriangles` make fewer than `BoxTreeNode::mostNodes`.
constexpr double mostSpareCuts = 1.75;

/// A group is split between two of these intervals of one axis.
constexpr std::size_t mostBins = 16;

/// A split of a group by the bins in which the centres of its items lie.
struct BinSplit {
  double cost = std::numeric_limits<double>::infinity();
  int axis = 0;
  float from = 0, scale = 0;  ///< of the bins
  std::size_t last = 0;       ///< last bin of the first group

  [[nodiscard]] std::size_t binOf(const BuildItem& item) const noexcept {
    return static_cast<std::size_t>((item.centre()[axis] - from) * scale);
  }
};

class BoxTreeBuilder {
 public:
  BoxTreeBuilder(const TriangleMesh& mesh, const ResearchOptions& options, const WorkMeter& meter)
      : options_(options), meter_(meter), items_(triangleItems(mesh, meter)), root_(mesh.bounds()) {
    if (items_.size() > BoxTree::mostTriangles) throw RangeError("boxtree: more than 2^25 triangles");
  }

  std::shared_ptr<const BoxTree> build() {
    shape_ =
        buildBinary(static_cast<std::uint32_t>(items_.size()), meter_,
                    [&](std::uint32_t, std::uint32_t depth, std::uint32_t begin, std::uint32_t end) {
                      return end - begin < 2 ? begin : begin + split(depth, {&items_[begin], end - begin});
                    });
    tight_ = boxesOf(shape_, items_, meter_);
    places_.resize(shape_.size());
    if (!shape_.empty()) {
      places_[0] = {root_, 0, 0};
      nodes_.emplace_back();
      finish(0);
    }
    BoxCutter(shape_, tight_, meter_)
        .cutAll(spareCuts(),
                [&](std::uint32_t parent, const std::array<BoxCuts, 2>& cuts) { addChildren(parent, cuts); });
    return std::make_shared<const BoxTree>(root_, SharedArray<BoxTreeNode>(std::move(nodes_)), deepest_,
                                           options_.boxTest);
  }

 private:
  [[nodiscard]] std::size_t spareCuts() const noexcept {
    const double each = options_.spareCuts > 0 ? std::min(double(options_.spareCuts), mostSpareCuts) : 0;
    return static_cast<std::size_t>(each * static_cast<double>(items_.size()));
  }

  /// Returns the size of the first group, to whose items those of the second are moved.
  std::uint32_t split(std::uint32_t depth, std::span<BuildItem> items) const {
    constexpr std::uint32_t deepestByCost = 64;
    const auto half = static_cast<std::uint32_t>(items.size() / 2);
    if (items.size() == 2 || depth >= deepestByCost) return half;
    const BinSplit best = cheapestSplit(items);
    if (!std::isfinite(best.cost)) return half;
    auto isFirst = polled(meter_, [&](const BuildItem& item) { return best.binOf(item) <= best.last; });
    const auto second = std::partition(items.begin(), items.end(), std::ref(isFirst));
    return static_cast<std::uint32_t>(second - items.begin());
  }

  [[nodiscard]] BinSplit cheapestSplit(std::span<const BuildItem> items) const {
    Box4 box, centres;
    polledLoop(items.size(), meter_, [&](std::size_t i) {
      box.extend(items[i].min, items[i].max);
      centres.extend(items[i].centre(), items[i].centre());
    });
    BinSplit best;
    for (int axis = 0; axis < 3; ++axis)
      if (!options_.longestAxisOnly || axis == box.longestAxis()) consider(items, box, centres, axis, best);
    return best;
  }

  /// Replaces `best` by the best split across `axis`, if that costs less.
  void consider(std::span<const BuildItem> items, const Box4& box, const Box4& centres, int axis,
                BinSplit& best) const {
    const std::size_t bins = std::min(mostBins, items.size());
    // The last centre must not get a bin of its own.
    constexpr float lessThanOne = 0.9999F;
    BinSplit tried;
    tried.axis = axis;
    tried.from = centres.min[axis];
    tried.scale = static_cast<float>(bins) * lessThanOne / (centres.max[axis] - tried.from);
    if (!std::isfinite(tried.scale)) return;
    std::array<Box4, mostBins> boxes{}, above{};
    std::array<std::size_t, mostBins> counts{};
    polledLoop(items.size(), meter_, [&](std::size_t i) {
      const std::size_t bin = tried.binOf(items[i]);
      boxes[bin].extend(items[i].min, items[i].max);
      ++counts[bin];
    });
    above[bins - 1] = boxes[bins - 1];
    for (std::size_t bin = bins - 1; bin-- > 1;) {
      above[bin] = above[bin + 1];
      above[bin].extend(boxes[bin]);
    }
    const Float4 sides = box.max - box.min;
    const double partner = (double(sides[0]) + sides[1] + sides[2]) / 6;
    Box4 below;
    std::size_t count = 0;
    for (tried.last = 0; tried.last + 1 < bins; ++tried.last) {
      below.extend(boxes[tried.last]);
      if (counts[tried.last] == 0) continue;
      count += counts[tried.last];
      tried.cost = cost(below, count, partner) + cost(above[tried.last + 1], items.size() - count, partner);
      if (tried.cost < best.cost) best = tried;
    }
  }
  static double cost(const Box4& box, std::size_t count, double partner) noexcept {
    const Float4 sides = box.max - box.min;
    return double(count) * (sides[0] + partner) * (sides[1] + partner) * (sides[2] + partner);
  }

  /// A node of the shape in the tree: its box, its last node there, and the number of cuts that lead to it.
  struct Place {
    Aabb box;
    std::uint32_t node, depth;
  };

  void addChildren(std::uint32_t parent, const std::array<BoxCuts, 2>& cuts) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[places_[parent].node].setChildren(first);
    nodes_.resize(nodes_.size() + 2);
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t child = shape_[parent].firstChild + k;
      Place& place = places_[child];
      place = places_[parent];
      place.node = first + k;
      place.depth += static_cast<std::uint32_t>(cuts[k].count);
      for (int i = 0; i < cuts[k].count; ++i) {
        if (i > 0) {
          const auto next = static_cast<std::uint32_t>(nodes_.size());
          nodes_[place.node].setOnlyChild(next);
          nodes_.emplace_back();
          place.node = next;
        }
        nodes_[place.node] = cutTo(tight_[child], cuts[k].side[static_cast<std::size_t>(i)], place.box);
      }
      finish(child);
    }
  }
  void finish(std::uint32_t node) {
    deepest_ = std::max(deepest_, places_[node].depth);
    if (shape_[node].isLeaf()) nodes_[places_[node].node].setTriangle(items_[shape_[node].begin].id());
  }

  /// Cuts a side of `box` as near to that of `tight` as the rounding of the cut allows.
  static BoxTreeNode cutTo(const Box4& tight, int side, Aabb& box) {
    const int axis = side % 3;
    const bool upper = side >= 3;
    const Aabb parent = box;
    const float from = coordinate(upper ? parent.min : parent.max, axis);
    const float wanted = upper ? tight.min[axis] : tight.max[axis];
    float offset = std::max(0.0F, floatBelow(std::abs(double(wanted) - from)));
    BoxTreeNode node(offset, axis, upper);
    // The cut rounds: this finds the largest offset with which the group still lies inside.
    for (node.cut(box); upper ? coordinate(box.min, axis) > wanted : coordinate(box.max, axis) < wanted;
         node.cut(box)) {
      offset = std::max(0.0F, std::nextafter(offset, 0.0F));
      node = BoxTreeNode(offset, axis, upper);
      box = parent;
    }
    return node;
  }

  const ResearchOptions& options_;
  const WorkMeter& meter_;
  std::vector<BuildItem> items_;
  Aabb root_;
  std::vector<BinaryNode> shape_;
  std::vector<Box4> tight_;
  std::vector<Place> places_;
  std::vector<BoxTreeNode> nodes_;
  std::uint32_t deepest_ = 0;
};

}  // namespace

std::shared_ptr<const BoxTree> BoxTree::build(const TriangleMesh& mesh, const ResearchOptions& options,
                                              const WorkMeter& meter) {
  return BoxTreeBuilder(mesh, options, meter).build();
}

std::optional<std::string> BoxTree::problemFor(const TriangleMesh& mesh) const {
  std::vector<Aabb> boxes(nodes_.size(), rootBox_);
  std::vector<std::uint32_t> depths(nodes_.size(), 0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].axis() > 2 || !(nodes_[i].offset() >= 0)) return "a plane is invalid";
    if (depths[i] > depth_) return "deeper than its header says";
    if (nodes_[i].isLeaf()) continue;
    if (i == 0 && nodes_[i].hasOnlyChild()) return "the root has an only child";
    for (std::size_t k = 0; k < nodes_[i].children(); ++k) {
      const std::size_t child = nodes_[i].index() + k;
      if (child <= i || child >= nodes_.size()) return "child out of range";
      boxes[child] = boxes[i];
      nodes_[child].cut(boxes[child]);
      depths[child] = depths[i] + 1;
    }
  }
  return binaryProblem(
      mesh, nodes_.size(),
      [&](std::uint32_t i, auto onNode, auto onTriangle) {
        if (nodes_[i].isLeaf()) return onTriangle(nodes_[i].index());
        for (std::uint32_t k = 0; k < nodes_[i].children(); ++k) onNode(nodes_[i].index() + k);
      },
      [&](std::uint32_t i, const Vec3& p) {
        const Aabb& b = boxes[i];
        return b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z &&
               p.z <= b.max.z;
      });
}

void BoxTree::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  if (nodes_.empty()) return;
  struct Place {
    std::uint32_t node;
    Aabb box;
  };
  descend(Place{0, rootBox_}, deepest, [&](const Place& place, std::size_t level, const auto& below) {
    const BoxTreeNode& n = nodes_[place.node];
    visit(level, n.isLeaf(), alignedBoxBetween(toVec3(place.box.min), toVec3(place.box.max)));
    if (n.isLeaf()) return;
    for (std::uint32_t k = 0; k < 2; ++k) {
      Place child{n.index() + k, place.box};
      for (nodes_[child.node].cut(child.box); nodes_[child.node].hasOnlyChild();
           nodes_[child.node].cut(child.box))
        child.node = nodes_[child.node].index();
      below(child);
    }
  });
}

}  // namespace fitup

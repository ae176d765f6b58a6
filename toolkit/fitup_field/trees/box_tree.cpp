#include <fitup_field/trees/box_tree.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup_field/detail/axis_split.h>

namespace fitup {
namespace {

using namespace detail;

float coordinate(const Point3f& p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/// The ends of their parent at which two siblings lie (section 4.2).
enum class Ends { bothLower, bothUpper, lowerAndUpper };
bool firstIsUpper(Ends ends) { return ends == Ends::bothUpper; }
bool secondIsUpper(Ends ends) { return ends != Ends::bothLower; }

/// One of the two groups while items are distributed, and its reach from its end.
struct Group {
  bool upper;
  float end;   ///< side of the parent at which it lies
  float side;  ///< its own opposite side
  std::uint32_t count = 0;

  [[nodiscard]] float reachOf(float low, float high) const noexcept { return upper ? low : high; }
  [[nodiscard]] double growth(float low, float high) const noexcept {
    return std::max(0.0, upper ? double(side) - low : double(high) - side);
  }
  void add(float low, float high) noexcept {
    side = count == 0 ? reachOf(low, high) : upper ? std::min(side, low) : std::max(side, high);
    ++count;
  }
  [[nodiscard]] double extent() const noexcept { return std::abs(double(side) - end); }
};

struct Candidate {
  double cost = std::numeric_limits<double>::infinity();  ///< volumes of the siblings, weighted
  int axis = 0;
  Ends ends = Ends::lowerAndUpper;
  std::vector<std::uint8_t> second;  ///< by item: nonzero if it goes to the second group
};

class BoxTreeBuilder {
 public:
  BoxTreeBuilder(const TriangleMesh& mesh, const ResearchOptions& options, const WorkMeter& meter)
      : options_(options), meter_(meter), items_(triangleItems(mesh, meter)) {
    if (items_.size() > BoxTreeNode::mostNodes / 2) throw RangeError("boxtree: more than 2^27 triangles");
    boxes_.push_back(mesh.bounds());
    nodes_.emplace_back();
  }

  std::shared_ptr<const BoxTree> build() {
    const Aabb root = boxes_.front();
    std::uint32_t deepest = 0;
    const std::vector<BinaryNode> shape =
        buildBinary(static_cast<std::uint32_t>(items_.size()), meter_,
                    [&](std::uint32_t node, std::uint32_t depth, std::uint32_t begin, std::uint32_t end) {
                      deepest = std::max(deepest, depth);
                      return end - begin < 2 ? begin : split(node, depth, begin, end);
                    });
    nodes_.resize(shape.size());
    polledLoop(shape.size(), meter_, [&](std::size_t i) {
      if (shape[i].isLeaf())
        nodes_[i].setTriangle(items_[shape[i].begin].id());
      else
        nodes_[i].setChild(shape[i].firstChild);
    });
    return std::make_shared<const BoxTree>(root, SharedArray<BoxTreeNode>(std::move(nodes_)), deepest,
                                           options_.boxTest);
  }

 private:
  /// Also makes the planes of both children: they are numbered in the order in which groups are split.
  std::uint32_t split(std::uint32_t node, std::uint32_t depth, std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t deepestByVolume = 64;
    const std::span<BuildItem> items(items_.data() + begin, end - begin);
    const Aabb parent = boxes_[node];
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis)
      if (extent(parent, axis) > extent(parent, longest)) longest = axis;
    best_.cost = std::numeric_limits<double>::infinity();
    if (depth < deepestByVolume)
      for (int axis = 0; axis < 3; ++axis)
        if (!options_.longestAxisOnly || axis == longest)
          for (const Ends ends : {Ends::lowerAndUpper, Ends::bothLower, Ends::bothUpper})
            consider(items, parent, axis, ends);
    std::size_t first = items.size() / 2;
    if (std::isfinite(best_.cost)) {
      first = moveSecondBehind(items);
    } else {
      best_.axis = longest;
      best_.ends = Ends::lowerAndUpper;
    }
    for (const bool second : {false, true}) {
      const auto group = second ? items.subspan(first) : items.first(first);
      const bool upper = second ? secondIsUpper(best_.ends) : firstIsUpper(best_.ends);
      addChild(parent, group, best_.axis, upper);
    }
    return begin + static_cast<std::uint32_t>(first);
  }
  static double extent(const Aabb& box, int axis) {
    return double(coordinate(box.max, axis)) - coordinate(box.min, axis);
  }

  /// A step of about n / golden ratio that visits every item.
  static std::size_t strideFor(std::size_t n) {
    auto stride = static_cast<std::size_t>(0.6180339887 * static_cast<double>(n)) | 1U;
    while (std::gcd(stride, n) != 1) ++stride;
    return stride;
  }

  void consider(std::span<const BuildItem> items, const Aabb& parent, int axis, Ends ends) {
    const double whole = extent(parent, axis);
    if (!(whole > 0)) return;
    const auto group = [&](bool upper) {
      return Group{upper, coordinate(upper ? parent.max : parent.min, axis), 0, 0};
    };
    Group first = group(firstIsUpper(ends)), second = group(secondIsUpper(ends));
    const auto [seed, otherSeed] = seeds(items, axis, ends);
    tried_.assign(items.size(), 0);
    first.add(items[seed].min[axis], items[seed].max[axis]);
    second.add(items[otherSeed].min[axis], items[otherSeed].max[axis]);
    tried_[otherSeed] = 1;
    // Neighbours in a mesh are consecutive, and each would attract the next: "creeping greediness". The paper
    // takes items from both ends in turn, or at random; here, consecutive steps are far apart.
    const std::size_t stride = strideFor(items.size());
    std::size_t next = 0;
    polledLoop(items.size(), meter_, [&](std::size_t) {
      const std::size_t i = next;
      next = (next + stride) % items.size();
      if (i == seed || i == otherSeed) return;
      const float low = items[i].min[axis], high = items[i].max[axis];
      const double a = first.growth(low, high), b = second.growth(low, high);
      const bool toSecond = a != b ? b < a : second.count < first.count;
      (toSecond ? second : first).add(low, high);
      tried_[i] = toSecond;
    });
    // The siblings' volumes over their parent's, each weighted by its number of items. The paper's unweighted
    // sum is least if a single polygon is split off at a side, level by level.
    const double cost = (first.extent() * first.count + second.extent() * second.count) /
                        (whole * static_cast<double>(items.size()));
    if (cost >= best_.cost) return;
    best_.cost = cost;
    best_.axis = axis;
    best_.ends = ends;
    best_.second.swap(tried_);
  }

  /// The items nearest to the ends of the groups.
  [[nodiscard]] std::pair<std::size_t, std::size_t> seeds(std::span<const BuildItem> items, int axis,
                                                          Ends ends) const {
    const auto nearest = [&](bool upper, std::size_t except) {
      std::size_t best = except == 0 ? 1 : 0;
      polledLoop(items.size(), meter_, [&](std::size_t i) {
        if (i == except) return;
        if (upper ? items[i].min[axis] > items[best].min[axis] : items[i].max[axis] < items[best].max[axis])
          best = i;
      });
      return best;
    };
    const std::size_t first = nearest(firstIsUpper(ends), items.size());
    return {first, nearest(secondIsUpper(ends), first)};
  }

  std::size_t moveSecondBehind(std::span<BuildItem> items) {
    moved_.clear();
    std::size_t first = 0;
    polledLoop(items.size(), meter_, [&](std::size_t i) {
      if (best_.second[i] != 0)
        moved_.push_back(items[i]);
      else
        items[first++] = items[i];
    });
    std::copy(moved_.begin(), moved_.end(), items.begin() + static_cast<std::ptrdiff_t>(first));
    return first;
  }

  void addChild(const Aabb& parent, std::span<const BuildItem> group, int axis, bool upper) {
    Box4 tight;
    polledLoop(group.size(), meter_, [&](std::size_t i) { tight.extend(group[i].min, group[i].max); });
    const float side = coordinate(upper ? parent.min : parent.max, axis);
    const float wanted = upper ? tight.min[axis] : tight.max[axis];
    float offset = std::max(0.0F, floatBelow(std::abs(double(wanted) - side)));
    BoxTreeNode node(offset, axis, upper);
    Aabb box = parent;
    // The cut rounds: this finds the largest offset with which the group still lies inside.
    for (node.cut(box); upper ? coordinate(box.min, axis) > wanted : coordinate(box.max, axis) < wanted;
         node.cut(box)) {
      offset = std::max(0.0F, std::nextafter(offset, 0.0F));
      node = BoxTreeNode(offset, axis, upper);
      box = parent;
    }
    nodes_.push_back(node);
    boxes_.push_back(box);
  }

  const ResearchOptions& options_;
  const WorkMeter& meter_;
  std::vector<BuildItem> items_, moved_;
  std::vector<BoxTreeNode> nodes_;
  std::vector<Aabb> boxes_;
  Candidate best_;
  std::vector<std::uint8_t> tried_;
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
    for (std::size_t k = 0; k < 2; ++k) {
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
        onNode(nodes_[i].index());
        onNode(nodes_[i].index() + 1);
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
    for (std::uint32_t child = n.index(); child < n.index() + 2; ++child) {
      Aabb box = place.box;
      nodes_[child].cut(box);
      below({child, box});
    }
  });
}

}  // namespace fitup

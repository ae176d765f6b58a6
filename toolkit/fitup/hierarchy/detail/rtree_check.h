#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/flat_rtree.h>

namespace fitup::detail {

/// A box against which others are checked. Comparisons with NaN fail, so a box with NaN contains nothing and
/// is contained in nothing.
class OuterBox {
 public:
  explicit OuterBox(const Aabb& box) noexcept : min_(three(box.min)), max_(three(box.max)) {}
  explicit OuterBox(const RTreeEntry& e) noexcept : min_(load4(&e.min.x)), max_(load4(&e.max.x)) {}

  [[nodiscard]] bool contains(const Point3f& p, const Point3f& q, const Point3f& r) const noexcept {
    const Float4 a = three(p), b = three(q), c = three(r);
    return holds(smaller(smaller(a, b), c), larger(larger(a, b), c));
  }
  /// Returns true if the entry's box is not empty and lies inside.
  [[nodiscard]] bool contains(const RTreeEntry& e) const noexcept {
    const Float4 low = load4(&e.min.x), high = load4(&e.max.x);
    return threeBits(low <= high) == 7U && holds(low, high);
  }

 private:
  static Float4 three(const Point3f& p) noexcept { return Float4{p.x, p.y, p.z, 0}; }
  /// The fourth lane holds the indices of an entry.
  [[nodiscard]] bool holds(Float4 low, Float4 high) const noexcept {
    return threeBits((min_ <= low) & (high <= max_)) == 7U;
  }
  Float4 min_, max_;
};

/// Checks flattened trees that come from a file.
class RTreeCheck {
 public:
  RTreeCheck(std::span<const RTreeEntry> entries, const WorkMeter& meter)
      : entries_(entries), meter_(meter) {}

  /// Visits every leaf entry and checks the tree on the way. Returns false as soon as a node has more than
  /// `maxRTreeFanOut` entries or lies deeper than `maxRTreeDepth` (descents keep a node's entries on the
  /// stack and recurse), an index is out of range, a box is empty or does not contain a child's box, children
  /// come before parents (which excludes cycles), or `visit` returns false. Linear. Throws CancelledError.
  template <typename Visit>
  bool visitLeaves(const RTreeRoot& root, const Visit& visit) {
    open_.clear();
    if (root.count > 0) open_.push_back({root.first, root.count, 1, OuterBox(root.box)});
    std::size_t visited = 0;
    while (!open_.empty()) {
      meter_.poll();
      const Node node = open_.back();
      open_.pop_back();
      if (node.count > maxRTreeFanOut || node.depth > maxRTreeDepth) return false;
      if (node.first > entries_.size() || node.count > entries_.size() - node.first) return false;
      visited += node.count;
      if (visited > entries_.size()) return false;  // two parents share a child
      const auto waiting = static_cast<std::ptrdiff_t>(open_.size());
      for (const RTreeEntry& e : entries_.subspan(node.first, node.count)) {
        if (!node.box.contains(e)) return false;
        if (e.isLeaf()) {
          if (!visit(e)) return false;
        } else {
          if (e.first <= node.first) return false;
          open_.push_back({e.first, e.count, node.depth + 1, OuterBox(e)});
        }
      }
      // Visits the first child next. Builds write nodes in that order, so memory is read sequentially.
      std::reverse(open_.begin() + waiting, open_.end());
    }
    return true;
  }

 private:
  struct Node {
    std::uint32_t first, count, depth;
    OuterBox box;
  };
  std::span<const RTreeEntry> entries_;
  const WorkMeter& meter_;
  std::vector<Node> open_;
};

}  // namespace fitup::detail

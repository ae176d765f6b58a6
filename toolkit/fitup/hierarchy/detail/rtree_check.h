#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/hierarchy/flat_rtree.h>

namespace fitup::detail {

/// A box that others are checked against. Comparisons with NaN fail, so a box with one holds nothing and lies
/// in nothing.
#ifdef __SSE2__
class OuterBox {
 public:
  explicit OuterBox(const Aabb& box) noexcept : min_(lanes(box.min)), max_(lanes(box.max)) {}
  explicit OuterBox(const RTreeEntry& e) noexcept
      : min_(_mm_load_ps(&e.min.x)), max_(_mm_load_ps(&e.max.x)) {}

  [[nodiscard]] bool contains(const Point3f& p, const Point3f& q, const Point3f& r) const noexcept {
    const __m128 a = lanes(p), b = lanes(q), c = lanes(r);
    const __m128 low = _mm_min_ps(_mm_min_ps(a, b), c), high = _mm_max_ps(_mm_max_ps(a, b), c);
    return allOf(_mm_and_ps(_mm_cmple_ps(min_, low), _mm_cmple_ps(high, max_)));
  }
  /// Whether the entry's box is not empty and lies inside.
  [[nodiscard]] bool contains(const RTreeEntry& e) const noexcept {
    const __m128 low = _mm_load_ps(&e.min.x), high = _mm_load_ps(&e.max.x);
    return allOf(
        _mm_and_ps(_mm_cmple_ps(low, high), _mm_and_ps(_mm_cmple_ps(min_, low), _mm_cmple_ps(high, max_))));
  }

 private:
  static __m128 lanes(const Point3f& p) noexcept { return _mm_setr_ps(p.x, p.y, p.z, 0); }
  /// The fourth lane holds an entry's indices.
  static bool allOf(__m128 inside) noexcept { return (_mm_movemask_ps(inside) & 7) == 7; }
  __m128 min_, max_;
};
#else
class OuterBox {
 public:
  explicit OuterBox(const Aabb& box) noexcept : box_(box) {}
  explicit OuterBox(const RTreeEntry& e) noexcept : box_(e.box()) {}
  [[nodiscard]] bool contains(const Point3f& p, const Point3f& q, const Point3f& r) const noexcept {
    Aabb box;
    for (const Point3f& corner : {p, q, r}) box.extend(corner);
    return box_.contains(box);
  }
  [[nodiscard]] bool contains(const RTreeEntry& e) const noexcept {
    return !e.box().empty() && box_.contains(e.box());
  }

 private:
  Aabb box_;
};
#endif

/// Checks flattened trees that come from a file.
class RTreeCheck {
 public:
  RTreeCheck(std::span<const RTreeEntry> entries, const WorkMeter& meter)
      : entries_(entries), meter_(meter) {}

  /// Visits every leaf entry and checks the tree on the way: false as soon as a node has more than
  /// `maxRTreeFanOut` entries or lies deeper than `maxRTreeDepth` (descents keep a node's entries on the
  /// stack and recurse), an index is out of range, a box is empty or does not contain a child's, children
  /// come before parents (so there is no cycle) or `visit` returns false. Linear. Throws CancelledError.
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
      if (visited > entries_.size()) return false;  // a child shared by two parents
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
      // The first child next: builds write nodes in that order, and memory is read ahead.
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

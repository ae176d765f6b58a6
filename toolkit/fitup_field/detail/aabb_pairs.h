#pragma once

#include <cmath>
#include <cstddef>

#include <fitup_field/detail/box_relation.h>
#include <fitup_field/detail/pair_traversal.h>
#include <fitup_field/trees/aabb_tree.h>

namespace fitup::detail {

/// A node's box in the form that a traversal uses; fourth lanes are 0.
struct LinkedBox {
  Float4 centre, half;
};

/// Three floats each; a fourth must be loadable too.
inline LinkedBox loadedBox(const float* centre, const float* half) noexcept {
  return {firstThree(load4(centre)), firstThree(load4(half))};
}

/// Boxes of `AabbNode`s.
struct AabbNodeBoxes {
  const AabbNode* nodes;

  [[nodiscard]] TreeLink link(std::uint32_t node) const noexcept { return nodes[node].link; }
  [[nodiscard]] LinkedBox operator()(std::uint32_t node) const noexcept {
    static_assert(offsetof(AabbNode, half) == 12 && offsetof(AabbNode, link) == 24);
    return loadedBox(nodes[node].centre, nodes[node].half);
  }
};

/// The relation of axis-aligned boxes; it is the same for all pairs of a query.
inline BoxRelation alignedRelation(const RelationBounds& bounds, const Transform& aFromB) {
  const auto row = [&](std::size_t i) { return firstThree(rowOf(aFromB, i)); };
  return relationOf(bounds, row(0), row(1), row(2));
}

constexpr BoxTest chosen(BoxTest asked, BoxTest usual) noexcept {
  return asked == BoxTest::usual ? usual : asked;
}

/// Calls `run(std::integral_constant<BoxTest, ...>)`. Precondition: `test` is not `usual`, which the kind
/// resolves.
template <typename Run>
void withBoxTest(BoxTest test, Run&& run) {
  switch (test) {
    case BoxTest::aligned:
      return run(std::integral_constant<BoxTest, BoxTest::aligned>{});
    case BoxTest::lite:
      return run(std::integral_constant<BoxTest, BoxTest::lite>{});
    case BoxTest::usual:
    case BoxTest::full:
      return run(std::integral_constant<BoxTest, BoxTest::full>{});
  }
}

/// Counts a test and its separating axis; returns true if the boxes may overlap.
inline bool countTest(QueryStats& stats, unsigned axis) noexcept {
  ++stats.boxTests;
  if (axis == 0) return true;
  ++stats.separatedBy[axis - 1];
  return false;
}

/// Pairs of axis-aligned boxes; descends the one of larger volume (van den Bergen, section 3).
template <typename Nodes, BoxTest test>
class AabbPairs {
 public:
  AabbPairs(const TraversalTask& task, Nodes a, Nodes b)
      : stats_(task.stats), a_(a), b_(b), place_(task.placement.aFromB) {
    const RelationBounds bounds = RelationBounds::of(task.a, task.b, task.placement);
    relation_ = alignedRelation(bounds, task.placement.aFromB);
    volumeOfB_ = bounds.determinant;
  }

  struct PlacedBox {
    PlacedCentre centre;
    Float4 half;
  };
  [[nodiscard]] bool isLeafA(std::uint32_t i) const noexcept { return a_.link(i).isTriangle(); }
  [[nodiscard]] bool isLeafB(std::uint32_t i) const noexcept { return b_.link(i).isTriangle(); }
  [[nodiscard]] std::uint32_t childA(std::uint32_t i) const noexcept { return a_.link(i).node(); }
  [[nodiscard]] std::uint32_t childB(std::uint32_t i) const noexcept { return b_.link(i).node(); }
  [[nodiscard]] LinkedBox a(std::uint32_t i) const noexcept { return a_(i); }
  [[nodiscard]] PlacedBox b(std::uint32_t i) const noexcept {
    const LinkedBox box = b_(i);
    return {place_(box.centre), box.half};
  }
  [[nodiscard]] bool overlap(const LinkedBox& a, const PlacedBox& b) noexcept {
    return countTest(
        stats_, separatingAxis<test>(relation_, CentrePlacing::offset(b.centre, a.centre), a.half, b.half));
  }
  template <typename Triangles>
  bool leaves(std::uint32_t i, std::uint32_t j, Triangles&& triangles) const {
    return triangles(a_.link(i).triangle(), b_.link(j).triangle());
  }
  /// Flat boxes, which are frequent, are compared by the sum of their sides.
  [[nodiscard]] bool aIsLarger(std::uint32_t i, std::uint32_t j) const noexcept {
    const Float4 a = a_(i).half, b = b_(j).half;
    const float volumeA = a[0] * a[1] * a[2], volumeB = b[0] * b[1] * b[2] * volumeOfB_;
    return volumeA != volumeB ? volumeA > volumeB : a[0] + a[1] + a[2] > b[0] + b[1] + b[2];
  }

 private:
  QueryStats& stats_;
  Nodes a_, b_;
  CentrePlacing place_;
  BoxRelation relation_;
  float volumeOfB_;
};

template <typename Nodes>
void traverseAabbs(const TraversalTask& task, Nodes a, Nodes b, BoxTest boxTest, TreeScratch& scratch) {
  withBoxTest(boxTest, [&](auto test) {
    AabbPairs<Nodes, test()> boxes(task, a, b);
    LargerFirst pairs(boxes);
    traversePairs(task, pairs, scratch);
  });
}

}  // namespace fitup::detail

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fitup_field/detail/aabb_pairs.h>
#include <fitup_field/trees/box_tree.h>

namespace fitup {
namespace {

using namespace detail;

/// Separating axes come in groups of three lanes: A's axes, B's axes, then the products of A's axis i with
/// B's three.
template <BoxTest test>
constexpr int groupsOf = test == BoxTest::aligned ? 1
                         : test == BoxTest::lite  ? 2
                                                  : 5;

/// The interval of a box on each axis. Fourth lanes are 0.
template <int groups>
struct Intervals {
  Float4 low[groups], high[groups];
};

/// The change of intervals with a cut of one tree's box across its axis k by c. An upper side that moves down
/// takes c d_k from the upper end if the direction's component d_k is positive, and from the lower end if it
/// is negative.
template <int groups>
struct Directions {
  Float4 positive[groups][3], negative[groups][3];

  void cut(const BoxTreeNode& node, Intervals<groups>& i) const noexcept {
    const auto axis = static_cast<std::size_t>(node.axis());
    const float c = node.offset();
    if (node.upper()) {
      for (int g = 0; g < groups; ++g) {
        i.low[g] += positive[g][axis] * c;
        i.high[g] += negative[g][axis] * c;
      }
    } else {
      for (int g = 0; g < groups; ++g) {
        i.high[g] -= positive[g][axis] * c;
        i.low[g] -= negative[g][axis] * c;
      }
    }
  }
};

/// Pairs of nodes of restricted boxtrees, with the intervals of both boxes on all axes (Zachmann,
/// section 3.2).
/// Bound, u = 2^-24. On the axes of its own tree a box has exactly the sides for which the tree was built. On
/// another axis, let S bound its points' coordinates there. Each cut rounds direction, product and
/// difference, by at most 3 u S, and the exact cut differs from the side in the tree by at most another u S.
/// Directions cut off at most S in all, so the first two add up to 2 u S for the whole way down. (2 depth +
/// 16) u S covers a path. B's own directions are seen through the rounded inverse, which `inflationInB`
/// covers.
template <BoxTest test>
class BoxTreePairs {
 public:
  static constexpr int groups = groupsOf<test>;
  struct Member {
    std::uint32_t node;
    bool isLeaf;
    Intervals<groups> intervals;
  };
  using MemberA = Member;
  using MemberB = Member;
  struct Visit {
    std::uint32_t a, b;
    Intervals<groups> ofA, ofB;
  };

  BoxTreePairs(const TraversalTask& task, const BoxTree& a, const BoxTree& b)
      : stats_(task.stats), a_(a.nodes().data()), b_(b.nodes().data()) {
    const Transform &m = task.placement.aFromB, &n = task.placement.bFromA;
    for (int i = 0; i < 3; ++i) setAxis(0, i, unit(i), row(m, i), 0, m.t[i], task, a, b);
    if constexpr (groups > 1)
      for (int l = 0; l < 3; ++l) setAxis(1, l, row(n, l), unit(l), n.t[l], 0, task, a, b);
    if constexpr (groups > 2)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const Vec3 d = cross(unit(i), column(m, j));
          setAxis(2 + i, j, d, {dot(d, column(m, 0)), dot(d, column(m, 1)), dot(d, column(m, 2))}, 0,
                  dot(d, m.t), task, a, b);
        }
  }

  void roots(Member& a, Member& b) const noexcept {
    a = {0, a_[0].isLeaf(), rootOfA_};
    b = {0, b_[0].isLeaf(), rootOfB_};
  }
  int childrenOfA(const Visit& visit, Member* out) noexcept {
    return children(a_, visit.a, visit.ofA, directionsOfA_, out);
  }
  int childrenOfB(const Visit& visit, Member* out) noexcept {
    return children(b_, visit.b, visit.ofB, directionsOfB_, out);
  }
  [[nodiscard]] bool overlap(const Member& a, const Member& b) noexcept {
    for (int g = 0; g < groups; ++g) {
      const unsigned bits = threeBits((a.intervals.low[g] > b.intervals.high[g] + slack_[g]) |
                                      (b.intervals.low[g] > a.intervals.high[g] + slack_[g]));
      if (bits != 0) return countTest(stats_, 1U + static_cast<unsigned>(3 * g + std::countr_zero(bits)));
    }
    return countTest(stats_, 0);
  }
  [[nodiscard]] Visit visit(const Member& a, const Member& b) const noexcept {
    return {a.node, b.node, a.intervals, b.intervals};
  }
  template <typename Triangles>
  bool leaves(const Member& a, const Member& b, Triangles&& triangles) const {
    return triangles(a_[a.node].index(), b_[b.node].index());
  }

 private:
  static Vec3 unit(int i) noexcept { return {double(i == 0), double(i == 1), double(i == 2)}; }
  static Vec3 row(const Transform& f, int i) noexcept {
    const auto& r = f.m[static_cast<std::size_t>(i)];
    return {r[0], r[1], r[2]};
  }
  static Vec3 column(const Transform& f, int j) noexcept {
    const auto k = static_cast<std::size_t>(j);
    return {f.m[0][k], f.m[1][k], f.m[2][k]};
  }

  int children(const BoxTreeNode* nodes, std::uint32_t node, const Intervals<groups>& intervals,
               const Directions<groups>& directions, Member* out) noexcept {
    if (nodes[node].isLeaf()) {
      out[0] = {node, true, intervals};
      return 1;
    }
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t child = nodes[node].index() + k;
      out[k] = {child, nodes[child].isLeaf(), intervals};
      directions.cut(nodes[child], out[k].intervals);
    }
    stats_.boxUpdates += 2;
    return 2;
  }

  /// Sets one axis: its direction in the coordinates of either tree, and the offset of either origin.
  void setAxis(int group, int lane, const Vec3& ofA, const Vec3& ofB, double originA, double originB,
               const TraversalTask& task, const BoxTree& a, const BoxTree& b) {
    const double sizeA = setTree(group, lane, ofA, originA, a.rootBox(), directionsOfA_, rootOfA_);
    const double sizeB = setTree(group, lane, ofB, originB, b.rootBox(), directionsOfB_, rootOfB_);
    const auto error = [](const BoxTree& tree, double size) {
      return (2.0 * tree.depth() + 16) * 0x1p-24 * size;
    };
    double slack = (sizeA + sizeB) * 0x1p-44 + 0x1p-130;
    if (group != 0) slack += error(a, sizeA);
    if (group != 1) slack += error(b, sizeB);
    if (group == 1) slack += task.placement.inflationInB[lane] * (1 + 0x1p-40);
    double largest = slack + sizeA + sizeB;
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(ofA[k]), std::abs(ofB[k])});
    slack_[group][lane] = largest < 0x1p120 ? floatAbove(slack) : std::numeric_limits<float>::infinity();
  }
  static double setTree(int group, int lane, const Vec3& direction, double origin, const Aabb& box,
                        Directions<groups>& directions, Intervals<groups>& root) {
    // Subnormal directions have errors of 2^-150; adding this to the size costs nothing.
    constexpr double least = 0x1p-120;
    const Vec3 low = toVec3(box.min), high = toVec3(box.max);
    double from = origin, to = origin, size = std::abs(origin);
    for (int k = 0; k < 3; ++k) {
      const float d = static_cast<float>(direction[k]);
      directions.positive[group][k][lane] = d > 0 ? d : 0;
      directions.negative[group][k][lane] = d < 0 ? d : 0;
      from += std::min(direction[k] * low[k], direction[k] * high[k]);
      to += std::max(direction[k] * low[k], direction[k] * high[k]);
      size += (std::abs(direction[k]) + least) * std::max(std::abs(low[k]), std::abs(high[k]));
    }
    root.low[group][lane] = floatBelow(from);
    root.high[group][lane] = floatAbove(to);
    return size;
  }

  QueryStats& stats_;
  const BoxTreeNode *a_, *b_;
  Directions<groups> directionsOfA_{}, directionsOfB_{};
  Intervals<groups> rootOfA_{}, rootOfB_{};
  Float4 slack_[groups]{};
};

}  // namespace

void BoxTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const {
  const auto& b = static_cast<const BoxTree&>(treeOfB);
  withBoxTest(chosen(boxTest_, BoxTest::lite), [&](auto test) {
    BoxTreePairs<test()> boxes(task, *this, b);
    BothOpened pairs(boxes);
    traversePairs(task, pairs, scratch);
  });
}

}  // namespace fitup

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

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

/// The change of the intervals of one tree's boxes with each cut. An upper side that moves down by c takes
/// c d_k from the upper end if the direction's component d_k is positive, and from the lower end if it is
/// negative. The sign is in the tables, because the sides that nodes cut are unpredictable.
template <int groups>
struct CutSteps {
  Intervals<groups> ofSide[8];  ///< for an offset of 1, by `BoxTreeNode::side`

  void cut(const BoxTreeNode& node, Intervals<groups>& i) const noexcept {
    const Intervals<groups>& step = ofSide[node.side()];
    for (int g = 0; g < groups; ++g) {
      i.low[g] += step.low[g] * node.offset();
      i.high[g] += step.high[g] * node.offset();
    }
  }
};

/// Counts box tests by the bit of the first separating axis, without a branch for each outcome.
template <int groups>
class SeparationCounts {
 public:
  /// Set behind the bits of all axes, of which each group has four.
  static constexpr int overlapBit = 4 * groups;

  explicit SeparationCounts(QueryStats& stats) : stats_(stats) {}
  ~SeparationCounts() {
    stats_.boxTests += counts_[overlapBit];
    for (std::size_t group = 0; group < groups; ++group)
      for (std::size_t lane = 0; lane < 3; ++lane) {
        const std::uint64_t count = counts_[4 * group + lane];
        stats_.separatedBy[3 * group + lane] += count;
        stats_.boxTests += count;
      }
  }
  SeparationCounts(const SeparationCounts&) = delete;
  SeparationCounts& operator=(const SeparationCounts&) = delete;

  /// Returns whether no axis separates.
  bool count(unsigned separating) noexcept {
    const int first = std::countr_zero(separating | 1U << overlapBit);
    ++counts_[first];
    return first == overlapBit;
  }

 private:
  QueryStats& stats_;
  std::uint64_t counts_[overlapBit + 1]{};
};

/// Pairs of nodes of restricted boxtrees, with the intervals of both boxes on all axes (Zachmann,
/// section 3.2). Both nodes of a pair are opened. The intervals of the up to four children are computed once
/// and stay in one place until all pairs of them are done (section 3.2.5).
///
/// Bound, u = 2^-24. On the axes of its own tree a box has exactly the sides for which the tree was built. On
/// another axis, let S bound its points' coordinates there. Each cut rounds direction, product and
/// difference, by at most 3 u S, and the exact cut differs from the side in the tree by at most another u S.
/// Directions cut off at most S in all, so the first two add up to 2 u S for the whole way down. With `depth`
/// cuts on the deepest path, (2 depth + 16) u S covers it. B's own directions are seen through the rounded
/// inverse, which `inflationInB` covers. The slack of an axis widens the root of a tree to which it is
/// foreign, so that tests need not add it; S includes it.
template <BoxTest test>
class BoxTreePairs {
 public:
  BoxTreePairs(const TraversalTask& task, const BoxTree& a, const BoxTree& b)
      : stats_(task.stats),
        stop_(task.stop),
        counts_(task.stats),
        a_(a.nodes().data()),
        b_(b.nodes().data()) {
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

  /// Calls `triangles(a, b)` for leaves whose boxes overlap, until it returns true.
  template <typename Triangles>
  void descend(std::vector<std::byte>& storage, const Triangles& triangles) {
    Levels levels(storage);
    levels.reserve(1);
    meetRoots(levels[0]);
    if (passOn(levels[0], triangles)) return;
    for (std::size_t level = 0;;) {
      levels.reserve(level + 2);
      Level& here = levels[level];
      if (here.pending == 0) {
        if (level == 0) return;
        --level;
        continue;
      }
      if (stop_.stop()) return;
      const auto pair = static_cast<unsigned>(std::countr_zero(here.pending));
      here.pending &= here.pending - 1;
      Level& below = levels[level + 1];
      open(here.a[pair & 1U], here.b[pair >> 1], below);
      if (passOn(below, triangles)) return;
      if (below.pending != 0) ++level;
    }
  }

 private:
  static constexpr int groups = groupsOf<test>;
  struct Member {
    Intervals<groups> intervals;
    std::uint32_t node;
    bool isLeaf;
  };
  /// The members that an opened pair has on one level of the descent. Bit 2 j + i stands for the pair of a[i]
  /// and b[j].
  struct Level {
    Member a[2], b[2];
    unsigned pending, leaves;  ///< overlapping pairs that are still to be opened; pairs of leaves
  };
  static_assert(std::is_trivially_copyable_v<Level> && alignof(Level) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  /// The levels of the current path, in storage that outlives the query.
  class Levels {
   public:
    explicit Levels(std::vector<std::byte>& storage) : storage_(storage) {}
    /// Ends references to levels.
    void reserve(std::size_t count) {
      if (count * sizeof(Level) > storage_.size()) storage_.resize((2 * count + 30) * sizeof(Level));
    }
    Level& operator[](std::size_t level) noexcept { return reinterpret_cast<Level*>(storage_.data())[level]; }

   private:
    std::vector<std::byte>& storage_;
  };

  void meetRoots(Level& out) noexcept {
    out.a[0] = {rootOfA_, 0, a_[0].isLeaf()};
    out.b[0] = {rootOfB_, 0, b_[0].isLeaf()};
    meet(1, 1, out);
  }
  void open(const Member& a, const Member& b, Level& out) noexcept {
    const int ofA = children(a_, a, stepsOfA_, out.a), ofB = children(b_, b, stepsOfB_, out.b);
    meet(ofA, ofB, out);
  }
  void meet(int ofA, int ofB, Level& out) noexcept {
    unsigned overlapping = 0, leaves = 0;
    for (int j = 0; j < ofB; ++j)
      for (int i = 0; i < ofA; ++i) {
        const int pair = 2 * j + i;
        overlapping |= static_cast<unsigned>(overlap(out.a[i], out.b[j])) << pair;
        leaves |= static_cast<unsigned>(out.a[i].isLeaf && out.b[j].isLeaf) << pair;
      }
    out.leaves = overlapping & leaves;
    out.pending = overlapping & ~leaves;
  }
  template <typename Triangles>
  bool passOn(const Level& level, const Triangles& triangles) const {
    for (unsigned leaves = level.leaves; leaves != 0; leaves &= leaves - 1) {
      const auto pair = static_cast<unsigned>(std::countr_zero(leaves));
      if (triangles(a_[level.a[pair & 1U].node].index(), b_[level.b[pair >> 1].node].index())) return true;
    }
    return false;
  }

  [[nodiscard]] bool overlap(const Member& a, const Member& b) noexcept {
    unsigned separating = 0;
    for (int g = 0; g < groups; ++g) {
      separating |=
          threeBits((a.intervals.low[g] > b.intervals.high[g]) | (b.intervals.low[g] > a.intervals.high[g]))
          << (4 * g);
      // Two groups are done before a branch would be decided.
      if (groups > 2 && separating != 0) break;
    }
    return counts_.count(separating);
  }

  /// Returns the number of members; the only one of a leaf is itself.
  int children(const BoxTreeNode* nodes, const Member& parent, const CutSteps<groups>& steps,
               Member* out) noexcept {
    if (parent.isLeaf) {
      out[0] = parent;
      return 1;
    }
    const std::uint32_t first = nodes[parent.node].index();
    for (std::uint32_t k = 0; k < 2; ++k) {
      std::uint32_t child = first + k;
      Intervals<groups> intervals = parent.intervals;
      for (steps.cut(nodes[child], intervals); nodes[child].hasOnlyChild();
           steps.cut(nodes[child], intervals))
        child = nodes[child].index();
      out[k] = {intervals, child, nodes[child].isLeaf()};
    }
    stats_.boxUpdates += 2;
    return 2;
  }

  static Vec3 unit(int i) noexcept { return {double(i == 0), double(i == 1), double(i == 2)}; }
  static Vec3 row(const Transform& f, int i) noexcept {
    const auto& r = f.m[static_cast<std::size_t>(i)];
    return {r[0], r[1], r[2]};
  }
  static Vec3 column(const Transform& f, int j) noexcept {
    const auto k = static_cast<std::size_t>(j);
    return {f.m[0][k], f.m[1][k], f.m[2][k]};
  }

  /// Sets one axis: its direction in the coordinates of either tree, and the offset of either origin.
  void setAxis(int group, int lane, const Vec3& ofA, const Vec3& ofB, double originA, double originB,
               const TraversalTask& task, const BoxTree& a, const BoxTree& b) {
    const double sizeA = setTree(group, lane, ofA, originA, a.rootBox(), stepsOfA_, rootOfA_);
    const double sizeB = setTree(group, lane, ofB, originB, b.rootBox(), stepsOfB_, rootOfB_);
    const auto error = [](const BoxTree& tree) { return (2.0 * tree.depth() + 16) * 0x1p-24; };
    double slack = (sizeA + sizeB) * 0x1p-44 + 0x1p-130;
    if (group != 0) slack += error(a) * sizeA;
    if (group != 1) slack += error(b) * sizeB;
    if (group == 1) slack += task.placement.inflationInB[lane] * (1 + 0x1p-40);
    slack *= 1 + error(group == 1 ? a : b);
    double largest = slack + sizeA + sizeB;
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(ofA[k]), std::abs(ofB[k])});
    // With infinite ends, no comparison of this axis is true, whatever cuts overflow to.
    if (!(largest < 0x1p120)) slack = std::numeric_limits<double>::infinity();
    Intervals<groups>& foreign = group == 1 ? rootOfA_ : rootOfB_;
    foreign.low[group][lane] = floatBelow(foreign.low[group][lane] - slack);
    foreign.high[group][lane] = floatAbove(foreign.high[group][lane] + slack);
  }
  static double setTree(int group, int lane, const Vec3& direction, double origin, const Aabb& box,
                        CutSteps<groups>& steps, Intervals<groups>& root) {
    // Subnormal directions have errors of 2^-150; adding this to the size costs nothing.
    constexpr double least = 0x1p-120;
    const Vec3 low = toVec3(box.min), high = toVec3(box.max);
    double from = origin, to = origin, size = std::abs(origin);
    for (int k = 0; k < 3; ++k) {
      const float d = static_cast<float>(direction[k]), positive = d > 0 ? d : 0, negative = d < 0 ? d : 0;
      Intervals<groups>&upperSide = steps.ofSide[k], &lowerSide = steps.ofSide[k + 4];
      upperSide.high[group][lane] = -positive;
      upperSide.low[group][lane] = -negative;
      lowerSide.low[group][lane] = positive;
      lowerSide.high[group][lane] = negative;
      from += std::min(direction[k] * low[k], direction[k] * high[k]);
      to += std::max(direction[k] * low[k], direction[k] * high[k]);
      size += (std::abs(direction[k]) + least) * std::max(std::abs(low[k]), std::abs(high[k]));
    }
    root.low[group][lane] = floatBelow(from);
    root.high[group][lane] = floatAbove(to);
    return size;
  }

  QueryStats& stats_;
  StopCheck& stop_;
  SeparationCounts<groups> counts_;
  const BoxTreeNode *a_, *b_;
  CutSteps<groups> stepsOfA_{}, stepsOfB_{};
  Intervals<groups> rootOfA_{}, rootOfB_{};
};

}  // namespace

void BoxTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const {
  if (overlapBoxRejects(task)) return;
  const auto& b = static_cast<const BoxTree&>(treeOfB);
  TrianglePairs tests(task, scratch.data().found);
  withBoxTest(chosen(boxTest_, BoxTest::lite), [&](auto test) {
    BoxTreePairs<test()>(task, *this, b)
        .descend(scratch.data().visits, [&](std::uint32_t i, std::uint32_t j) { return tests.test(i, j); });
  });
}

}  // namespace fitup

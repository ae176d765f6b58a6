// Comparison of the children of two nodes of wide trees, for one target. See lanes-inl.h for inclusion.

#if defined(FITUP_CHILD_COMPARISON_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_CHILD_COMPARISON_INL
#undef FITUP_CHILD_COMPARISON_INL
#else
#define FITUP_CHILD_COMPARISON_INL
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/closer_boxes-inl.h>
#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_depths-inl.h>
#include <fitup/hierarchy/detail/picked_pairs-inl.h>
#include <fitup/hierarchy/detail/tree_caching.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_cylinders-inl.h>
#include <fitup/hierarchy/detail/wide_frames-inl.h>
#include <fitup/hierarchy/detail/wide_steps-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Kinds of query for which a traversal is compiled separately, because that is faster: any query; all
/// surfaces or triangles; the same for trees outside of the caches (tree_caching.h); the first pair; the
/// first pair with counted steps (which `any` counts on demand). All except `any` are for two trees of the
/// fast layout.
enum class Question { any, all, allOutOfCache, first, firstAndSteps };
constexpr bool isForAll(Question question) {
  return question == Question::all || question == Question::allOutOfCache;
}

/// Two nodes whose children are compared.
struct NodePair {
  std::uint32_t a, b;
  alignas(64) float boxesOfB[6][8];  ///< minima and maxima of B's children in the axes of A's node
};

/// Compares boxes and cylinders of nodes of two trees. At most `lanes` are compared at once.
template <typename TreeA, typename TreeB, std::size_t lanes, Question question>
class ChildComparison {
  using Rows = LaneRows<lanes>;
  using Lanes = typename Rows::F;
  static constexpr bool bothHaveCylinders = TreeA::hasCylinders && TreeB::hasCylinders;
  using Steps = StepsLeft<question == Question::any || question == Question::firstAndSteps>;

 public:
  ChildComparison(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query)
      : task_(task),
        stats_(task.stats),
        query_(query),
        a_(a, task.a),
        b_(b, task.b),
        frames_(query, a, b),
        areFar_(!areNearby(a, b)),
        closeBelow_(1.0625F * std::max(query.slackInA, query.slackInB)) {}

  [[nodiscard]] TreeA& treeA() { return a_; }
  [[nodiscard]] TreeB& treeB() { return b_; }
  /// Counts the steps of rejected pairs, if it is on.
  [[nodiscard]] Steps& left() { return left_; }
  [[nodiscard]] HWY_INLINE bool isForFirst() const {
    return question == Question::any ? task_.mode == QueryMode::firstSurfacePair : !isForAll(question);
  }

  /// Returns the children of a node of A that may meet a box, which is given in axes of B.
  HWY_INLINE std::uint32_t childrenOfA(std::uint32_t node, const EightBoxes& boxB, std::uint32_t frameB) {
    const WideNodeHead& head = a_.head(node);
    const WideRelative& r = frames_.relative(head.frame, frameB);
    const EightBoxes boxes = childBoxes(a_, node);
    bool areClose = false;
    const std::uint32_t meet = against({boxes, carried(r.bFromA, boxes, query_.slackInB)},
                                       {carried(r.aFromB, boxB, query_.slackInA), boxB}, head,
                                       gapDirectionIn(head.frame, frameB), areClose);
    if (!areClose || !isWorthACloserLook()) [[likely]]
      return meet;
    const OneBox one(boxB);
    return static_cast<std::uint32_t>(lookCloser(stored(a_, node, frames_.axesA(head.frame)),
                                                 one.stored(frameB, frames_.axesB(frameB)), meet, false));
  }
  /// Same with the roles exchanged.
  HWY_INLINE std::uint32_t childrenOfB(std::uint32_t node, const EightBoxes& boxA, std::uint32_t frameA) {
    const WideNodeHead& head = b_.head(node);
    const WideRelative& r = frames_.relative(frameA, head.frame);
    const EightBoxes boxes = childBoxes(b_, node);
    bool areClose = false;
    const std::uint32_t meet = against({boxA, carried(r.bFromA, boxA, query_.slackInB)},
                                       {carried(r.aFromB, boxes, query_.slackInA), boxes}, head,
                                       gapDirectionIn(frameA, head.frame), areClose);
    if (!areClose || !isWorthACloserLook()) [[likely]]
      return meet;
    const OneBox one(boxA);
    return anyOfEach(lookCloser(one.stored(frameA, frames_.axesA(frameA)),
                                stored(b_, node, frames_.axesB(head.frame)), inFirstOfEach(meet), false));
  }
  /// Returns the pairs of children of two nodes that may meet, as bits (pair_set.h). For the first pair, also
  /// computes how deep they overlap.
  HWY_INLINE std::uint64_t children(NodePair& nodes, PairDepths<lanes>& depths) {
    const WideNodeHead &headA = a_.head(nodes.a), &headB = b_.head(nodes.b);
    // If the cylinders of the children are tested, the nodes' own boxes add nothing.
    const bool flat = bothHaveCylinders && (headA.flat | headB.flat) != 0;
    if constexpr (bothHaveCylinders)
      if (isForFirst() && flat && areFar_) {  // boxes come first, so there is time
        a_.prefetchCylinders(nodes.a);
        b_.prefetchCylinders(nodes.b);
      }
    if (!flat && (headA.frame | headB.frame) != 0 && !overlapInOwnAxes(headA, headB)) return 0;
    return compareChildren(nodes, depths, frames_.relative(headA.frame, headB.frame), flat);
  }

 private:
  /// Boxes of two nodes are tighter in their own axes than as children in the axes of their parents.
  [[gnu::noinline]] bool overlapInOwnAxes(const WideNodeHead& a, const WideNodeHead& b) {
    stats_.boxTests += 1;
    stats_.boxUpdates += 1;
    const Composed forth = frames_.aFromB(a.frame, b.frame);
    const float inA = distanceAfter(forth, a, b, query_.slackInA);
    if (isApart(inA)) return false;
    stats_.boxTests += 1;
    stats_.boxUpdates += 1;
    const Composed back = frames_.back(forth, a.frame, b.frame);
    const float inB = distanceAfter(back, b, a, query_.slackInB);
    if (isApart(inB)) return false;
    if constexpr (bothHaveCylinders)
      if (std::max(inA, inB) > -closeBelow_) [[unlikely]] {
        const OneBox ownA(ownBox(a)), ownB(ownBox(b));
        if (lookCloser(ownA.stored(a.frame, frames_.axesA(a.frame)),
                       ownB.stored(b.frame, frames_.axesB(b.frame)), 1, false) == 0)
          return false;
      }
    frames_.keep(a.frame, b.frame, forth, back);
    return true;
  }

  bool isApart(float distance) {
    if (!(distance > 0)) return false;
    if (left_.on()) left_.rejected(distance * left_.pace().anyWay, GapDirection::anyWay);
    return true;
  }
  /// Steps are counted along the axes of A and of B if those are the nodes' axes.
  static GapDirection gapDirectionIn(std::uint32_t frameA, std::uint32_t frameB, bool flat = false) {
    return (frameA | frameB) == 0 && !flat ? GapDirection::along : GapDirection::anyWay;
  }

  /// Returns which of eight boxes of one tree may meet one box of the other, by both frames. `areClose`
  /// becomes true if one of them is closer than `closeBelow_`.
  HWY_INLINE std::uint32_t against(const InBothFrames& a, const InBothFrames& b, const WideNodeHead& head,
                                   GapDirection direction, bool& areClose) {
    stats_.boxTests += head.childCount;
    stats_.boxUpdates += 1 + head.childCount;
    const Float8 distance = larger(distanceOf(a.inA, b.inA), distanceOf(a.inB, b.inB));
    const std::uint32_t all = lanesOf(head), mask = meeting(distance) & all;
    if constexpr (bothHaveCylinders) areClose = ((distance > Float8::all(-closeBelow_)).bits() & mask) != 0;
    if (left_.on() && mask != all) {
      const MotionRate& pace = left_.pace();
      const Float8 steps = direction == GapDirection::along ? larger(stepsInA(a.inA, b.inA, pace.along),
                                                                     stepsInB(a.inB, b.inB, pace.along))
                                                            : distance * Float8::all(pace.anyWay);
      left_.rejected(leastOf(steps, all & ~mask), direction);
    }
    return mask;
  }
  /// Returns which of eight children and eight others may meet, by their boxes in the frames of both nodes
  /// (SAT lite), and by cylinders if the nodes are `flat`. With the overlap box, children that miss the other
  /// node's own box, and so the common box, are excluded first.
  HWY_INLINE std::uint64_t compareChildren(NodePair& nodes, PairDepths<lanes>& depths, const WideRelative& r,
                                           bool flat) {
    const WideNodeHead &headA = a_.head(nodes.a), &headB = b_.head(nodes.b);
    const EightBoxes boxesA = childBoxes(a_, nodes.a), boxesB = childBoxes(b_, nodes.b);
    const EightBoxes bInA = carried(r.aFromB, boxesB, query_.slackInA),
                     aInB = carried(r.bFromA, boxesA, query_.slackInB);
    std::uint32_t rows = lanesOf(headB), columns = lanesOf(headA);
    stats_.boxUpdates += headA.childCount + headB.childCount;
    const GapDirection direction = gapDirectionIn(headA.frame, headB.frame, flat);
    if (task_.overlapBox == OverlapBoxSetting::on) [[likely]] {
      const EightBoxes ownA = ownBox(headA), ownB = ownBox(headB);
      const Float8 distanceB = distanceOf(ownA, bInA), distanceA = distanceOf(aInB, ownB);
      const std::uint32_t farRows = rows & ~meeting(distanceB), farColumns = columns & ~meeting(distanceA);
      rows ^= farRows;
      columns ^= farColumns;
      if (left_.on()) {
        const MotionRate& pace = left_.pace();
        const bool along = direction == GapDirection::along;
        const Float8 anyWay = Float8::all(pace.anyWay);
        const float least =
            std::min(leastOf(along ? stepsInA(ownA, bInA, pace.along) : distanceB * anyWay, farRows),
                     leastOf(along ? stepsInB(aInB, ownB, pace.along) : distanceA * anyWay, farColumns));
        left_.rejected(least, direction);
      }
      stats_.boxTests += headA.childCount + headB.childCount;
      stats_.overlapBoxRejected += headB.childCount - static_cast<std::uint32_t>(std::popcount(rows));
      if (rows == 0 || columns == 0) return 0;
    }
    stats_.boxTests += static_cast<std::uint64_t>(std::popcount(rows)) * std::popcount(columns);

    const TwoFrames<8> a = sidesOf({boxesA, aInB}), b = sidesOf({bInA, boxesB});
    storeVec(b.min, nodes.boxesOfB);
    storeVec(b.max, nodes.boxesOfB + 3);
    bool areClose = false;
#if FITUP_AVX512
    // The way to the first pair is a chain of short steps. Picking makes it longer unless cylinders follow.
    if (flat || lanes > 8) {
      const std::uint64_t meet =
          comparePicked(nodes, depths, PickedPairs(rows, columns), a, b, r, flat, areClose);
      return withoutThoseApart(nodes, flat, meet, areClose);
    }
#endif
    const std::uint64_t asked = inEach(columns) & wholeOfEach(rows);
    if (left_.on() && direction == GapDirection::along) return compareSteps(depths, asked, a, b);
    std::uint64_t meet = compareRows(nodes, depths, asked, a, b, areClose);
    if constexpr (bothHaveCylinders)
      if (flat && meet != 0) {
        stats_.boxUpdates += headB.childCount;
        meet = compareRows(depths, meet, cylindersOf(nodes, r), areClose);
      }
    return withoutThoseApart(nodes, flat, meet, areClose);
  }

  // ---- a second look ----

  /// Drops pairs of children that a sharper comparison finds apart: where boxes are so close that the slack
  /// matters and, where many pairs of long boxes meet, along cross products of their edges too.
  HWY_INLINE std::uint64_t withoutThoseApart(const NodePair& nodes, bool flat, std::uint64_t meet,
                                             bool areClose) {
    if constexpr (bothHaveCylinders) {
      const bool areMany = !flat && std::popcount(meet) >= tuning::manyMeeting && ++creditOfEdges_ > 0;
      const bool matters = areClose && isWorthACloserLook();
      if (matters || areMany) [[unlikely]]
        return lookCloserAtChildren(nodes, flat, meet, matters, areMany);
    }
    return meet;
  }
  /// A first pair is often found before a second look pays.
  HWY_INLINE bool isWorthACloserLook() { return !isForFirst() || ++closeOnes_ > tuning::closeUntilLook; }
  [[gnu::noinline]] std::uint64_t lookCloserAtChildren(const NodePair& nodes, bool flat, std::uint64_t meet,
                                                       bool areClose, bool areMany) {
    const bool withEdges = areMany && areLong(a_.boxes(nodes.a)) && areLong(b_.boxes(nodes.b));
    if (areMany && !withEdges) creditOfEdges_ = -tuning::edgesAskedEach;
    if (meet == 0 || (!areClose && !withEdges)) return meet;
    StoredBoxes a = stored(a_, nodes.a, frames_.axesA(a_.head(nodes.a).frame)),
                b = stored(b_, nodes.b, frames_.axesB(b_.head(nodes.b).frame));
    if constexpr (bothHaveCylinders)
      if (flat) {
        a.cylinders = &a_.cylinders(nodes.a);
        b.cylinders = &b_.cylinders(nodes.b);
      }
    const std::uint64_t left = lookCloser(a, b, meet, withEdges);
    if (withEdges && std::popcount(meet ^ left) < tuning::separatedByEdges)
      creditOfEdges_ = -tuning::edgesAskedEach;
    return left;
  }
  [[gnu::noinline]] std::uint64_t lookCloser(const StoredBoxes& a, const StoredBoxes& b, std::uint64_t meet,
                                             bool withEdges) {
    if (!query_.orthogonal) return meet;
    stats_.boxTests += static_cast<std::uint64_t>(std::popcount(meet));
    float least = 0;
    const std::uint64_t left =
        CloserBoxes(task_.placement.aFromB, query_, a, b).meeting(meet, withEdges, least);
    if (left_.on() && left != meet) left_.rejected(least * left_.pace().anyWay, GapDirection::anyWay);
    return left;
  }
  /// Children of a node, as the second look takes them.
  template <typename Tree>
  static StoredBoxes stored(Tree& tree, std::uint32_t node, const WideFrame& axes) {
    return {tree.boxes(node), axes, tree.head(node).frame != 0};
  }
  /// The same for one box in all lanes.
  struct OneBox {
    alignas(64) float rows[6][8];
    explicit OneBox(const EightBoxes& box) {
      storeVec(box.centre, rows);
      storeVec(box.half, rows + 3);
    }
    [[nodiscard]] StoredBoxes stored(std::uint32_t frame, const WideFrame& axes) const {
      return {{rows, rows + 3}, axes, frame != 0};
    }
  };
  /// True if the boxes of children are on the whole much longer along one axis than along the others.
  static bool areLong(const NodeBoxes& boxes) {
    float sum[3];
    for (std::size_t i = 0; i < 3; ++i) sum[i] = sumOfLanes(Float8::load(boxes.half[i]));
    std::sort(sum, sum + 3);
    return sum[2] > tuning::longBox * sum[1];
  }

  /// Same as `compareRows`, with distances in steps.
  HWY_INLINE std::uint64_t compareSteps(PairDepths<lanes>& depths, std::uint64_t asked, const TwoFrames<8>& a,
                                        const TwoFrames<8>& b) {
    const BySide<float>& pace = left_.pace().along;
    std::uint64_t meet = 0;
    depths.startPutting();
    forSteps<lanes>(sidesOfA(a, pace), sidesOfB(b, pace), asked, [&](const Lanes& steps, std::size_t g) {
      meet |= Rows::in(meeting(steps), g);
      depths.put(steps, g);
    });
    if ((asked & ~meet) != 0) rejected(asked & ~meet, depths, GapDirection::along);
    depths.finishPutting(asked & meet);
    return asked & meet;
  }
  /// Records pairs that do not meet while steps are counted, by steps or, in any direction, by their
  /// distances.
  HWY_INLINE void rejected(std::uint64_t pairs, const PairDepths<lanes>& depths, GapDirection direction) {
    const float least = depths.least(pairs);
    left_.rejected(direction == GapDirection::along ? least : least * left_.pace().anyWay, direction);
  }

  /// The cylinders around the children of two nodes, in the axes of A's node.
  struct NodeCylinders {
    Cylinders<8> a, b;
  };
  HWY_INLINE NodeCylinders cylindersOf(const NodePair& nodes, const WideRelative& r) {
    return {childCylinders(childBoxes(a_, nodes.a).centre, a_.cylinders(nodes.a)),
            carried(r.aFromB, childCylinders(childBoxes(b_, nodes.b).centre, b_.cylinders(nodes.b)))};
  }

  HWY_INLINE std::uint64_t compareRows(const NodePair& nodes, PairDepths<lanes>& depths, std::uint64_t asked,
                                       const TwoFrames<8>& a, const TwoFrames<8>& b, bool& areClose) {
    alignas(64) float bInB[6][8];
    storeVec(b.minInB, bInB);
    storeVec(b.maxInB, bInB + 3);
    const TwoFrames<lanes> each{Rows::each(a.min), Rows::each(a.max), Rows::each(a.minInB),
                                Rows::each(a.maxInB)};
    std::uint64_t meet = 0;
    Lanes closest = Lanes::all(std::numeric_limits<float>::infinity());
    if (isForFirst()) depths.startPutting();
    Rows::forGroups(asked, [&](std::size_t g) {
      const TwoFrames<lanes> own{Rows::own(nodes.boxesOfB, g), Rows::own(nodes.boxesOfB + 3, g),
                                 Rows::own(bInB, g), Rows::own(bInB + 3, g)};
      const Lanes distance = gap(each, own);
      meet |= Rows::in(meeting(distance), g);
      if constexpr (bothHaveCylinders) closest = smallerMagnitude(closest, distance);
      if (isForFirst()) depths.put(distance, g);
    });
    if (left_.on() && (asked & ~meet) != 0) rejected(asked & ~meet, depths, GapDirection::anyWay);
    if constexpr (bothHaveCylinders) areClose = (closest <= Lanes::all(closeBelow_)).bits() != 0;
    if (isForFirst()) depths.finishPutting(asked & meet);
    return asked & meet;
  }
  /// Returns those of `asked` whose cylinders meet too.
  HWY_INLINE std::uint64_t compareRows(PairDepths<lanes>& depths, std::uint64_t asked,
                                       const NodeCylinders& cylinders, bool& areClose) {
    const Cylinders<lanes> a = inEachRow<Rows>(cylinders.a);
    alignas(64) float ofB[8][8];
    storeCylinders(cylinders.b, ofB);
    const auto slack = Lanes::all(query_.cylinderSlack);
    stats_.boxTests += static_cast<std::uint64_t>(std::popcount(asked));
    std::uint64_t meet = 0;
    Lanes closest = Lanes::all(std::numeric_limits<float>::infinity());
    if (isForFirst()) depths.startPutting();
    Rows::forGroups(asked, [&](std::size_t g) {
      const auto distance = distanceOf(a, ownCylinders<Rows>(ofB, g)) - slack;
      meet |= Rows::in(meeting(distance), g);
      closest = smallerMagnitude(closest, distance);
      if (isForFirst()) depths.putLarger(distance, g);
    });
    if (left_.on() && (asked & ~meet) != 0) rejected(asked & ~meet, depths, GapDirection::anyWay);
    areClose = areClose || (closest <= Lanes::all(1.0625F * query_.cylinderSlack)).bits() != 0;
    if (isForFirst()) depths.finishPutting(asked & meet);
    return asked & meet;
  }
#if FITUP_AVX512
  HWY_INLINE std::uint64_t comparePicked(const NodePair& nodes, PairDepths<lanes>& depths,
                                         const PickedPairs& pairs, const TwoFrames<8>& a,
                                         const TwoFrames<8>& b, const WideRelative& r, bool flat,
                                         bool& areClose) {
    NodeCylinders cylinders;
    if constexpr (bothHaveCylinders)
      if (flat) cylinders = cylindersOf(nodes, r);
    depths.list(pairs.bits());
    int ofCylinders = 0;
    std::uint64_t places = 0;
    Floats<16> closest = Floats<16>::all(std::numeric_limits<float>::infinity());
    std::uint32_t first = 0;
    do {
      const PickedPairs::Sixteen pair = pairs.from(first);
      Floats<16> distance = larger(
          gap(pair.ofColumn(a.min), pair.ofColumn(a.max), pair.ofRow(b.min), pair.ofRow(b.max)),
          gap(pair.ofColumn(a.minInB), pair.ofColumn(a.maxInB), pair.ofRow(b.minInB), pair.ofRow(b.maxInB)));
      if constexpr (bothHaveCylinders)
        if (flat) {
          ofCylinders += std::popcount(meeting(distance) & pair.lanes);
          distance = larger(distance, distanceOf(pair.ofColumn(cylinders.a), pair.ofRow(cylinders.b)) -
                                          Floats<16>::all(query_.cylinderSlack));
        }
      // If pairs are picked, eight lanes are used only by queries for the first pair.
      if (lanes == 8 || isForFirst()) depths.putListed(distance, first);
      places |= std::uint64_t{meeting(distance) & pair.lanes} << first;
      if constexpr (bothHaveCylinders) closest = smallerMagnitude(closest, distance);
      first += 16;
      // Keeps nothing in memory for a second round: two thirds of the pairs of nodes need none.
    } while (__builtin_expect_with_probability(first < pairs.count(), true, 0.2));
    stats_.boxTests += static_cast<std::uint64_t>(ofCylinders);
    if (ofCylinders > 0) stats_.boxUpdates += b_.head(nodes.b).childCount;
    const std::uint64_t meet = pairs.bitsAt(places);
    if constexpr (bothHaveCylinders)
      areClose =
          (closest <= Floats<16>::all(flat ? 1.0625F * query_.cylinderSlack : closeBelow_)).bits() != 0;
    if (left_.on() && meet != pairs.bits()) rejected(pairs.bits() & ~meet, depths, GapDirection::anyWay);
    return meet;
  }
#endif

  const TraversalTask& task_;
  QueryStats& stats_;
  const WideQuery& query_;
  TreeA a_;
  TreeB b_;
  WideFrames frames_;
  Steps left_;
  bool areFar_;        ///< cylinders are prefetched (queries for all pairs prefetch them earlier)
  int closeOnes_ = 0;  ///< pairs of nodes that were close, for a first pair
  int creditOfEdges_ = -tuning::edgesAskedEach;  ///< edges are compared if it is above zero
  /// Boxes that overlap by less might be apart if there were no slack.
  float closeBelow_;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

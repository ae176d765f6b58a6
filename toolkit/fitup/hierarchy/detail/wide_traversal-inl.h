// The traversal of two wide trees, for one target. See lanes-inl.h on inclusion.

#if defined(FITUP_WIDE_TRAVERSAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_TRAVERSAL_INL
#undef FITUP_WIDE_TRAVERSAL_INL
#else
#define FITUP_WIDE_TRAVERSAL_INL
#endif

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <fitup/hierarchy/detail/few_triangles-inl.h>
#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_depths-inl.h>
#include <fitup/hierarchy/detail/picked_pairs-inl.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>
#include <fitup/hierarchy/detail/waiting_pairs-inl.h>
#include <fitup/hierarchy/detail/waiting_triangles-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_cylinders-inl.h>
#include <fitup/hierarchy/detail/wide_frames-inl.h>
#include <fitup/hierarchy/detail/wide_leaves-inl.h>
#include <fitup/hierarchy/detail/wide_steps-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// `lanes` are looked at together at most.
template <typename TreeA, typename TreeB, std::size_t lanes>
class WideTraversal {
  using Rows = LaneRows<lanes>;
  using Lanes = typename Rows::F;
  using Corners = LeafCorners<Beyond::anything>;

 public:
  WideTraversal(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                WideScratch::Data& scratch)
      : task_(task),
        stats_(task.stats),
        query_(query),
        a_(a, task.a),
        b_(b, task.b),
        frames_(query, a, b),
        stack_(scratch.stack),
        shared_(scratch.shared),
        found_(scratch.found),
        history_(scratch.history),
        waiting_(task, query, scratch.many.get()),
        batch_(scratch.batch),
        waitingNodes_(a_, b_),
        waitingLeaves_(a_, b_),
        pairsWait_(task.mode == QueryMode::allTrianglePairs && !areNearby(a, b)),
        first_(task.mode == QueryMode::firstSurfacePair),
        coherent_(task.coherence == Coherence::on && task.mode == QueryMode::firstSurfacePair) {}

  /// From the pairs on the stack to the end, depth first.
  void run(bool countSteps) {
    if (countSteps) left_.begin(*history_.pace);
    if (pairsWait_)
      visitInTurn();
    else
      visitFromStack();
    if (!ended_) flush();
    keepWitness();
    if (!ended_ && left_.on()) history_.apart = left_.least();
  }

  /// The pairs in `shared`, first in, first out, until `wanted` wait or none is left.
  void spread(std::size_t wanted) {
    std::size_t next = 0;
    while (next < shared_.size() && shared_.size() - next < wanted && !mustStop()) {
      visit(shared_[next++]);
      while (!stack_.empty()) shared_.push_back(stack_.pop());
    }
    shared_.erase(shared_.begin(), shared_.begin() + static_cast<std::ptrdiff_t>(next));
    if (!ended_) flush();
  }

  /// Looks into two leaves where a pair was found before, then below their parents; true if there is one
  /// still.
  bool runWitness(SlotPair pair) {
    if (!a_.child(pair.a).isLeaf() || !b_.child(pair.b).isLeaf()) return false;
    leaves(pair);
    if (!ended_) {
      stack_.clear();
      openBoth(pair.a >> 3, pair.b >> 3);
      run(false);
    }
    keepWitness();
    return ended_;
  }

 private:
  HWY_INLINE void visitFromStack() {
    while (!stack_.empty() && !mustStop()) {
      // All pairs of two nodes that are of one surface each are dropped together.
      const PairSet& pairs = stack_.last();
      const WideNodeHead &a = a_.head(pairs.nodeA), &b = b_.head(pairs.nodeB);
      const bool onePair = !found_.empty() && isOnePair(a, b);
      if (onePair && found_.contains(a.surface, b.surface))
        stack_.dropLast();
      else
        visit(stack_.pop(), onePair);
    }
  }
  /// Where pairs wait for memory.
  [[gnu::noinline]] void visitInTurn() {
    while (true) {
      while (!stack_.empty() && !waitingNodes_.full()) waitingNodes_.add(stack_.pop());
      if (waitingNodes_.empty() || mustStop()) return;
      visit(waitingNodes_.take());
    }
  }
  static constexpr bool bothHaveCylinders = TreeA::hasCylinders && TreeB::hasCylinders;

  /// Two nodes whose children are compared.
  struct NodePair {
    std::uint32_t a, b;
    alignas(64) float boxesOfB[6][8];  ///< minima and maxima of B's children in A's node's axes
  };

  void keepWitness() {
    if (coherent_ && ended_ && !task_.found.empty())
      history_.witness = {task_.found.back(), lastLeaves_, tested_, query_.reachA, query_.reachB};
  }
  /// Asked with every pair of nodes, of leaves and of triangles that a filter left, as `QueryLimits`
  /// promises: below one pair of nodes lie up to 4,096 pairs of triangles.
  HWY_INLINE bool mustStop() {
    if (task_.stop.stop()) ended_ = true;
    return ended_;
  }

  /// `notFound`: known not to be of a pair of surfaces that is found.
  HWY_INLINE void visit(SlotPair pair, bool notFound = false) {
    const WideChild childA = a_.child(pair.a), childB = b_.child(pair.b);
    if (!notFound && isFoundPair(pair)) return;
    countSurfaces(pair);
    if (childA.isLeaf()) {
      if (childB.isLeaf()) return leaves(pair);
      return openB(childB.node(), slotBox(a_, pair.a), a_.head(pair.a >> 3).frame, pair.a);
    }
    if (childB.isLeaf()) return openA(childA.node(), slotBox(b_, pair.b), b_.head(pair.b >> 3).frame, pair.b);
    const WideNodeHead &headA = a_.head(childA.node()), &headB = b_.head(childB.node());
    const float sizeA = headA.half[0] + headA.half[1] + headA.half[2],
                sizeB = headB.half[0] + headB.half[1] + headB.half[2];
    // Subtrees of one size descend together; where nodes above one were left out, the other catches up.
    constexpr float muchLarger = 2;
    if (sizeA > muchLarger * sizeB) return openA(childA.node(), ownBox(headB), headB.frame, pair.b);
    if (sizeB > muchLarger * sizeA) return openB(childB.node(), ownBox(headA), headA.frame, pair.a);
    openBoth(childA.node(), childB.node());
  }

  /// In axes of their own two nodes' boxes are tighter than as children in their parents'.
  bool overlapInOwnAxes(const WideNodeHead& a, const WideNodeHead& b) {
    stats_.boxTests += 1;
    stats_.boxUpdates += 1;
    const Composed forth = frames_.aFromB(a.frame, b.frame);
    if (isApart(distanceAfter(forth, a, b, query_.slackInA))) return false;
    stats_.boxTests += 1;
    stats_.boxUpdates += 1;
    const Composed back = frames_.back(forth, a.frame, b.frame);
    if (isApart(distanceAfter(back, b, a, query_.slackInB))) return false;
    frames_.keep(a.frame, b.frame, forth, back);
    return true;
  }

  bool isApart(float distance) {
    if (!(distance > 0)) return false;
    if (left_.on()) left_.rejected(distance * left_.pace().anyWay, Told::anyWay);
    return true;
  }
  /// Steps are told along the axes of A and of B, where those are the nodes'.
  static Told toldIn(std::uint32_t frameA, std::uint32_t frameB, bool flat = false) {
    return (frameA | frameB) == 0 && !flat ? Told::along : Told::anyWay;
  }

  /// Which of eight boxes of one tree may meet one box of the other, by both frames.
  HWY_INLINE std::uint32_t against(const InBothFrames& a, const InBothFrames& b, const WideNodeHead& head,
                                   Told told) {
    stats_.boxTests += head.childCount;
    stats_.boxUpdates += 1 + head.childCount;
    const Float8 distance = larger(distanceOf(a.inA, b.inA), distanceOf(a.inB, b.inB));
    const std::uint32_t all = lanesOf(head), mask = meeting(distance) & all;
    if (left_.on() && mask != all) {
      const StepsPerGap& pace = left_.pace();
      const Float8 steps =
          told == Told::along ? larger(stepsInA(a.inA, b.inA, pace.along), stepsInB(a.inB, b.inB, pace.along))
                              : distance * Float8::all(pace.anyWay);
      left_.rejected(leastOf(steps, all & ~mask), told);
    }
    return mask;
  }
  void openA(std::uint32_t node, const EightBoxes& boxB, std::uint32_t frameB, std::uint32_t slotB) {
    const WideNodeHead& head = a_.head(node);
    const WideRelative& r = frames_.relative(head.frame, frameB);
    const EightBoxes boxes = childBoxes(a_, node);
    const std::uint32_t meet =
        against({boxes, carried(r.bFromA, boxes, query_.slackInB)},
                {carried(r.aFromB, boxB, query_.slackInA), boxB}, head, toldIn(head.frame, frameB));
    if (meet == 0) return;
    const std::uint32_t leafPairs = b_.child(slotB).isLeaf() ? meet & head.leafMask : 0;
    follow({node, slotB >> 3, inOne(meet, slotB & 7U)}, inOne(leafPairs, slotB & 7U));
  }
  void openB(std::uint32_t node, const EightBoxes& boxA, std::uint32_t frameA, std::uint32_t slotA) {
    const WideNodeHead& head = b_.head(node);
    const WideRelative& r = frames_.relative(frameA, head.frame);
    const EightBoxes boxes = childBoxes(b_, node);
    const std::uint32_t meet =
        against({boxA, carried(r.bFromA, boxA, query_.slackInB)},
                {carried(r.aFromB, boxes, query_.slackInA), boxes}, head, toldIn(frameA, head.frame));
    if (meet == 0) return;
    const std::uint32_t leafPairs = a_.child(slotA).isLeaf() ? meet & head.leafMask : 0;
    follow({slotA >> 3, node, inFirstOfEach(meet) << (slotA & 7U)}, inFirstOfEach(leafPairs) << (slotA & 7U));
  }

  void openBoth(std::uint32_t nodeA, std::uint32_t nodeB) {
    const WideNodeHead &headA = a_.head(nodeA), &headB = b_.head(nodeB);
    // Where the children's cylinders are looked at, the nodes' own boxes add nothing.
    const bool flat = bothHaveCylinders && (headA.flat | headB.flat) != 0;
    if (!flat && (headA.frame | headB.frame) != 0 && !overlapInOwnAxes(headA, headB)) return;
    const WideRelative& r = frames_.relative(headA.frame, headB.frame);
    NodePair nodes;
    nodes.a = nodeA;
    nodes.b = nodeB;
    PairDepths<lanes> depths;
    const std::uint64_t meet = compareChildren(nodes, depths, r, flat);
    if (meet != 0) follow(nodes, depths, meet);
  }

  /// Which of eight children and eight others may meet: by their boxes in the frames of both nodes (SAT
  /// lite), and by cylinders where the nodes are `flat`. With the overlap box, children that miss the other
  /// node's own box, and so the box common to both, are cut off first.
  HWY_INLINE std::uint64_t compareChildren(NodePair& nodes, PairDepths<lanes>& depths, const WideRelative& r,
                                           bool flat) {
    const WideNodeHead &headA = a_.head(nodes.a), &headB = b_.head(nodes.b);
    const EightBoxes boxesA = childBoxes(a_, nodes.a), boxesB = childBoxes(b_, nodes.b);
    const EightBoxes bInA = carried(r.aFromB, boxesB, query_.slackInA),
                     aInB = carried(r.bFromA, boxesA, query_.slackInB);
    std::uint32_t rows = lanesOf(headB), columns = lanesOf(headA);
    stats_.boxUpdates += headA.childCount + headB.childCount;
    const Told told = toldIn(headA.frame, headB.frame, flat);
    if (task_.overlapBox == OverlapBoxSetting::on) {
      const EightBoxes ownA = ownBox(headA), ownB = ownBox(headB);
      const Float8 distanceB = distanceOf(ownA, bInA), distanceA = distanceOf(aInB, ownB);
      const std::uint32_t farRows = rows & ~meeting(distanceB), farColumns = columns & ~meeting(distanceA);
      rows ^= farRows;
      columns ^= farColumns;
      if (left_.on()) {
        const StepsPerGap& pace = left_.pace();
        const bool along = told == Told::along;
        const Float8 anyWay = Float8::all(pace.anyWay);
        const float least =
            std::min(leastOf(along ? stepsInA(ownA, bInA, pace.along) : distanceB * anyWay, farRows),
                     leastOf(along ? stepsInB(aInB, ownB, pace.along) : distanceA * anyWay, farColumns));
        left_.rejected(least, told);
      }
      stats_.boxTests += headA.childCount + headB.childCount;
      stats_.overlapBoxRejected += headB.childCount - static_cast<std::uint32_t>(std::popcount(rows));
      if (rows == 0 || columns == 0) return 0;
    }
    stats_.boxTests += static_cast<std::uint64_t>(std::popcount(rows)) * std::popcount(columns);

    const TwoFrames<8> a = sidesOf({boxesA, aInB}), b = sidesOf({bInA, boxesB});
    storeVec(b.min, nodes.boxesOfB);
    storeVec(b.max, nodes.boxesOfB + 3);
#if FITUP_AVX512
    // The way to the first pair is a chain of short steps, which picking makes longer unless cylinders
    // follow.
    if (flat || lanes > 8) return comparePicked(nodes, depths, PickedPairs(rows, columns), a, b, r, flat);
#endif
    const std::uint64_t asked = inEach(columns) & wholeOfEach(rows);
    if (left_.on() && told == Told::along) return compareSteps(depths, asked, a, b);
    std::uint64_t meet = compareRows(nodes, depths, asked, a, b);
    if constexpr (bothHaveCylinders)
      if (flat && meet != 0) {
        stats_.boxUpdates += headB.childCount;
        meet = compareRows(depths, meet, cylindersOf(nodes, r));
      }
    return meet;
  }

  /// As `compareRows`, with distances in steps.
  HWY_INLINE std::uint64_t compareSteps(PairDepths<lanes>& depths, std::uint64_t asked, const TwoFrames<8>& a,
                                        const TwoFrames<8>& b) {
    const BySide<float>& pace = left_.pace().along;
    std::uint64_t meet = 0;
    forSteps<lanes>(sidesOfA(a, pace), sidesOfB(b, pace), asked, [&](const Lanes& steps, std::size_t g) {
      meet |= Rows::in(meeting(steps), g);
      depths.put(steps, g);
    });
    if ((asked & ~meet) != 0) rejected(asked & ~meet, depths, Told::along);
    return asked & meet;
  }
  /// While steps are counted: pairs that do not meet, by steps or, told any way, by their distances.
  HWY_INLINE void rejected(std::uint64_t pairs, const PairDepths<lanes>& depths, Told told) {
    const float least = depths.least(pairs);
    left_.rejected(told == Told::along ? least : least * left_.pace().anyWay, told);
  }

  /// Those around the children of two nodes, in the axes of A's.
  struct NodeCylinders {
    Cylinders<8> a, b;
  };
  HWY_INLINE NodeCylinders cylindersOf(const NodePair& nodes, const WideRelative& r) {
    return {childCylinders(a_.boxes(nodes.a), a_.cylinders(nodes.a)),
            carried(r.aFromB, childCylinders(b_.boxes(nodes.b), b_.cylinders(nodes.b)))};
  }

  HWY_INLINE std::uint64_t compareRows(const NodePair& nodes, PairDepths<lanes>& depths, std::uint64_t asked,
                                       const TwoFrames<8>& a, const TwoFrames<8>& b) {
    alignas(64) float bInB[6][8];
    storeVec(b.minInB, bInB);
    storeVec(b.maxInB, bInB + 3);
    const TwoFrames<lanes> each{Rows::each(a.min), Rows::each(a.max), Rows::each(a.minInB),
                                Rows::each(a.maxInB)};
    std::uint64_t meet = 0;
    Rows::forGroups(asked, [&](std::size_t g) {
      const TwoFrames<lanes> own{Rows::own(nodes.boxesOfB, g), Rows::own(nodes.boxesOfB + 3, g),
                                 Rows::own(bInB, g), Rows::own(bInB + 3, g)};
      const Lanes distance = gap(each, own);
      meet |= Rows::in(meeting(distance), g);
      if (first_) depths.put(distance, g);
    });
    if (left_.on() && (asked & ~meet) != 0) rejected(asked & ~meet, depths, Told::anyWay);
    return asked & meet;
  }
  /// Those of `asked` whose cylinders meet too.
  HWY_INLINE std::uint64_t compareRows(PairDepths<lanes>& depths, std::uint64_t asked,
                                       const NodeCylinders& cylinders) {
    const Cylinders<lanes> a = inEachRow<Rows>(cylinders.a);
    alignas(64) float ofB[8][8];
    storeCylinders(cylinders.b, ofB);
    const auto slack = Lanes::all(query_.cylinderSlack);
    stats_.boxTests += static_cast<std::uint64_t>(std::popcount(asked));
    std::uint64_t meet = 0;
    Rows::forGroups(asked, [&](std::size_t g) {
      const auto distance = distanceOf(a, ownCylinders<Rows>(ofB, g)) - slack;
      meet |= Rows::in(meeting(distance), g);
      if (first_) depths.putLarger(distance, g);
    });
    if (left_.on() && (asked & ~meet) != 0) rejected(asked & ~meet, depths, Told::anyWay);
    return asked & meet;
  }
#if FITUP_AVX512
  HWY_INLINE std::uint64_t comparePicked(const NodePair& nodes, PairDepths<lanes>& depths,
                                         const PickedPairs& pairs, const TwoFrames<8>& a,
                                         const TwoFrames<8>& b, const WideRelative& r, bool flat) {
    NodeCylinders cylinders;
    if constexpr (bothHaveCylinders)
      if (flat) cylinders = cylindersOf(nodes, r);
    depths.list(pairs.bits());
    int ofCylinders = 0;
    std::uint64_t places = 0;
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
      // Eight lanes are for queries for the first pair alone where pairs are picked.
      if (lanes == 8 || first_) depths.putListed(distance, first);
      places |= std::uint64_t{meeting(distance) & pair.lanes} << first;
      first += 16;
      // So that nothing is kept in memory for a second time: two thirds of the pairs of nodes need none.
    } while (__builtin_expect_with_probability(first < pairs.count(), true, 0.2));
    stats_.boxTests += static_cast<std::uint64_t>(ofCylinders);
    if (ofCylinders > 0) stats_.boxUpdates += b_.head(nodes.b).childCount;
    const std::uint64_t meet = pairs.bitsAt(places);
    if (left_.on() && meet != pairs.bits()) rejected(pairs.bits() & ~meet, depths, Told::anyWay);
    return meet;
  }
#endif

  /// Looks into pairs of leaves below two nodes, in the order in which `nextOf` takes them from the rest.
  /// True where nothing else below these nodes matters: the query ended, or both are of one surface each, and
  /// that pair is found.
  template <typename NextOf>
  HWY_INLINE bool lookInto(std::uint32_t nodeA, std::uint32_t nodeB, std::uint64_t leafPairs,
                           const float (*boxesOfB)[8], NextOf&& nextOf) {
    const bool onePair = isOnePair(a_.head(nodeA), b_.head(nodeB));
    const std::size_t found = found_.count();
    while (leafPairs != 0) {
      const std::uint64_t next = nextOf(leafPairs);
      leafPairs ^= next;
      const SlotPair pair = PairSet{nodeA, nodeB, next}.first();
      if (!onePair && isFoundPair(pair)) continue;
      countSurfaces(pair);
      if (pairsWait_)
        lookInTurn(pair);
      else
        leaves(pair, boxesOfB);
      if (ended_ || (onePair && found_.count() != found)) return true;
    }
    return false;
  }
  /// Looks into pairs of leaves and puts the others on the stack.
  HWY_INLINE void follow(const PairSet& pairs, std::uint64_t leafPairs) {
    if (lookInto(pairs.nodeA, pairs.nodeB, leafPairs, nullptr, lowestBit)) return;
    if (leafPairs != pairs.bits) stack_.push({pairs.nodeA, pairs.nodeB, pairs.bits ^ leafPairs});
  }
  /// Likewise. Where boxes reach into each other most, a pair of triangles is likeliest; queries for the
  /// first one begin there. (For all surfaces the order saves less on CAD parts than it costs.)
  HWY_INLINE void follow(const NodePair& nodes, const PairDepths<lanes>& depths, std::uint64_t meet) {
    const WideNodeHead &headA = a_.head(nodes.a), &headB = b_.head(nodes.b);
    const std::uint64_t leafPairs = meet & inEach(headA.leafMask) & wholeOfEach(headB.leafMask);
    std::uint64_t rest = meet ^ leafPairs;
    const auto nextOf = [&](std::uint64_t pairs) {
      return first_ ? depths.deepest(pairs) : lowestBit(pairs);
    };
    if (lookInto(nodes.a, nodes.b, leafPairs, headA.frame == 0 ? nodes.boxesOfB : nullptr, nextOf)) return;
    if (rest == 0) return;
    if (!first_) return stack_.push({nodes.a, nodes.b, rest});
    // In order: the deepest, those at least half as deep, the others.
    const std::uint64_t next = depths.deepest(rest);
    rest ^= next;
    if (rest != 0) {
      const std::uint64_t deep = depths.atLeastAsDeep(rest, 0.5F * depths.of(next));
      rest ^= deep;
      if (rest != 0) stack_.push({nodes.a, nodes.b, rest});
      if (deep != 0) stack_.push({nodes.a, nodes.b, deep});
    }
    stack_.push({nodes.a, nodes.b, next});
  }

  // ---- leaves ----

  void placeLeafB(WideChild leaf) {
    if (hasPlaced_ && leaf == placedLeaf_) return;
    placedLeaf_ = leaf;
    hasPlaced_ = true;
    const Packet p = b_.packet(leaf);
    placed_ = LeafBoxes::around(Corners::ofB(p, query_), p).grown(query_.cornerError);
    stats_.boxUpdates += p.count;
  }

  /// Into leaves that wait for memory.
  [[gnu::noinline]] void lookInTurn(SlotPair pair) {
    if (waitingLeaves_.full()) leaves(waitingLeaves_.take());
    waitingLeaves_.add(pair);
  }
  /// `boxesOfB`: where A's own axes are those of the pair's node, the boxes of the node of B in them; then a
  /// leaf whose triangles all miss B's box needs no placed triangles of B.
  void leaves(SlotPair pair, const float (*boxesOfB)[8] = nullptr) {
    const WideChild leafA = a_.child(pair.a), leafB = b_.child(pair.b);
    lastLeaves_ = pair;
    if (mustStop()) return;
    const Packet packetA = a_.packet(leafA);
    const LeafBoxes a = LeafBoxes::around(Corners::ofA(packetA), packetA);
    if (boxesOfB != nullptr && !left_.on() && !(hasPlaced_ && leafB == placedLeaf_)) {
      stats_.boxTests += a.count;
      const std::uint32_t j = pair.b & 7U;
      if ((meeting(gap(a.min, a.max, allVec(boxesOfB, j), allVec(boxesOfB + 3, j))) & a.lanes()) == 0) return;
    }
    placeLeafB(leafB);
    stats_.boxTests += std::uint64_t{a.count} * placed_.count;
    const std::uint64_t meet = meetingBoxes<lanes>(a, placed_);
    if (left_.on()) {
      // How far triangles are apart is not known where their boxes meet, or are no numbers after overflow.
      if (meet != 0)
        left_.giveUp();
      else
        left_.rejected(leastSteps<lanes>(a, placed_, query_.cornerError, left_.pace().along), Told::along);
    }
    if (meet == 0) return;
    stats_.triangleCandidates += static_cast<std::uint64_t>(std::popcount(meet));
    enqueue(packetA, b_.packet(leafB), meet);
  }
  /// Pairs of triangles of a leaf of A, by row, and of a leaf of B, by lane, wait for their test, or are
  /// tested at once where one that meets is enough.
  HWY_INLINE void enqueue(const Packet& pa, const Packet& pb, std::uint64_t chosen) {
    if (task_.mode == QueryMode::allTrianglePairs) {
      while (chosen != 0 && !ended_) {
        waiting_.add(pa, pb, PickedTriangles<lanes>::takenFrom(chosen));
        if (waiting_.areMany()) testMany(waiting_.most);
      }
      return;
    }
    const std::size_t found = found_.count();
    while (chosen != 0 && !ended_ && found_.count() == found) chosen = testForOne(pa, pb, chosen);
  }
  /// What waits at the end of a query for all pairs of triangles.
  void flush() {
    while (!waitingLeaves_.empty() && !ended_) leaves(waitingLeaves_.take());
    if (!ended_ && waiting_.count() > 0) testMany(waiting_.count());
  }
  // Tests stand by themselves, so that the code around them keeps its registers.
  [[gnu::noinline]] void testMany(std::uint32_t count) {
    if (mustStop()) return;
    stats_.triangleTests += count;
    waiting_.prefetchAnswer();
    std::uint64_t meet = waiting_.meeting(count, stats_, [&] { return mustStop(); });
    TrianglePair pairs[decltype(waiting_)::most];
    std::size_t size = 0;
    for (; meet != 0; meet &= meet - 1)
      pairs[size++] = waiting_.pair(static_cast<std::uint32_t>(std::countr_zero(meet)));
    if (task_.add(std::span(pairs, size))) ended_ = true;
    waiting_.drop(count);
  }
  /// The first of the pairs `chosen` of two leaves; returns the others.
  [[gnu::noinline]] std::uint64_t testForOne(const Packet& pa, const Packet& pb, std::uint64_t chosen) {
    const FewTriangles few(pa, pb, chosen);
    stats_.triangleTests += few.count();
    const std::uint32_t meeting = few.meeting(task_, query_, [&] { return mustStop(); });
    if (meeting == few.count() || mustStop()) return chosen;
    // Leaves are of one surface each, and those of a pair that is found are not looked into.
    const std::uint32_t surfaceA = a_.surfaceBelow(lastLeaves_.a), surfaceB = b_.surfaceBelow(lastLeaves_.b);
    if (task_.mode == QueryMode::allSurfacePairs) found_.insert(surfaceA, surfaceB);
    if (coherent_) {
      tested_ = few.count();
      few.storeTo(batch_);
    }
    const TrianglePair pair = few.pair(meeting);
    if (task_.add(pair.a, pair.b, {SurfaceId{surfaceA}, SurfaceId{surfaceB}})) ended_ = true;
    return chosen;
  }

  // ---- surfaces ----

  template <typename Tree>
  static bool isOfOneSurface(const Tree& tree, std::uint32_t slot) {
    const WideChild child = tree.child(slot);
    return child.isLeaf() || tree.head(child.node()).surface != WideNodeHead::mixed;
  }
  /// Pairs that are of one surface each while their parents were not.
  HWY_INLINE void countSurfaces(SlotPair pair) {
    const bool mixed = a_.head(pair.a >> 3).surface == WideNodeHead::mixed ||
                       b_.head(pair.b >> 3).surface == WideNodeHead::mixed;
    if (mixed && isOfOneSurface(a_, pair.a) && isOfOneSurface(b_, pair.b)) ++stats_.surfaceCandidates;
  }
  /// All pairs below two nodes are of one pair of surfaces.
  static bool isOnePair(const WideNodeHead& a, const WideNodeHead& b) {
    return a.surface != WideNodeHead::mixed && b.surface != WideNodeHead::mixed;
  }
  /// In a query for all surfaces a pair of surfaces already found is not searched again.
  bool isFoundPair(SlotPair pair) {
    if (found_.empty()) return false;
    const std::uint32_t a = a_.surfaceBelow(pair.a);
    if (a == WideNodeHead::mixed) return false;
    const std::uint32_t b = b_.surfaceBelow(pair.b);
    return b != WideNodeHead::mixed && found_.contains(a, b);
  }

  const TraversalTask& task_;
  QueryStats& stats_;
  const WideQuery& query_;
  TreeA a_;
  TreeB b_;
  WideFrames frames_;
  PairStack& stack_;
  std::vector<SlotPair>& shared_;
  FoundSurfaces& found_;
  WideHistory& history_;
  WideChild placedLeaf_;
  bool hasPlaced_ = false, ended_ = false;
  LeafBoxes placed_;
  WaitingTriangles<lanes> waiting_;  ///< in a query for all pairs of triangles
  TriangleBatch& batch_;             ///< with coherence: those that were tested together with the pair found
  StepsLeft left_;                   ///< counted on demand
  WaitingPairs<TreeA, TreeB, AskedFor::heads, 4> waitingNodes_;  ///< where pairs wait
  WaitingPairs<TreeA, TreeB, AskedFor::all, 8> waitingLeaves_;   ///< likewise
  bool pairsWait_, first_, coherent_;
  SlotPair lastLeaves_{};
  std::uint32_t tested_ = 0;  ///< so many of them
};

/// The pairs of a batch at another placement.
inline WideDecided decideBatch(const TriangleBatch& batch, const Transform& aFromB, float leastExtent) {
  return decideWaiting(batch, 0, LanePlacement<8>(aFromB), leastExtent);
}

/// Goes on from the pairs on the stack: to the end, or with `order` `spread` until so many wait as it says.
/// With `witness` looks into these leaves alone, and returns whether that ended the query.
inline bool traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                     WideScratch::Data& scratch, const WideOrder& order) {
  if (task.mode == QueryMode::allTrianglePairs && !scratch.many)
    scratch.many = std::make_unique<ManyTriangles>();
  const auto run = [&]<typename TreeA, typename TreeB, std::size_t lanes>() {
    WideTraversal<TreeA, TreeB, lanes> traversal(task, a, b, query, scratch);
    if (order.witness) return traversal.runWitness(*order.witness);
    if (order.spreadUntil > 0)
      traversal.spread(order.spreadUntil);
    else
      traversal.run(order.countSteps);
    return false;
  };
  return byLayouts(a, b, [&]<typename TreeA, typename TreeB>() {
    // The way to the first pair is a chain of short steps: there two rows at once take longer than one.
    if (task.mode == QueryMode::firstSurfacePair) return run.template operator()<TreeA, TreeB, 8>();
    return run.template operator()<TreeA, TreeB, mostLanes>();
  });
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

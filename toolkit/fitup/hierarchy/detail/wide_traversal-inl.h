// The traversal of two wide trees, for one target. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_TRAVERSAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_TRAVERSAL_INL
#undef FITUP_WIDE_TRAVERSAL_INL
#else
#define FITUP_WIDE_TRAVERSAL_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include <fitup/hierarchy/detail/child_comparison-inl.h>
#include <fitup/hierarchy/detail/few_triangles-inl.h>
#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_depths-inl.h>
#include <fitup/hierarchy/detail/picked_pairs-inl.h>
#include <fitup/hierarchy/detail/placed_triangles-inl.h>
#include <fitup/hierarchy/detail/tree_caching.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>
#include <fitup/hierarchy/detail/waiting_pairs-inl.h>
#include <fitup/hierarchy/detail/waiting_triangles-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_frames-inl.h>
#include <fitup/hierarchy/detail/wide_leaves-inl.h>
#include <fitup/hierarchy/detail/wide_steps-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// The traversal. At most `lanes` are compared at once.
template <typename TreeA, typename TreeB, std::size_t lanes, Question question>
class WideTraversal {
  using Corners = LeafCorners<Beyond::anything>;

 public:
  WideTraversal(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                WideScratch::Data& scratch)
      : task_(task),
        stats_(task.stats),
        query_(query),
        compare_(task, a, b, query),
        stack_(scratch.stack),
        shared_(scratch.shared),
        found_(scratch.found),
        history_(scratch.history),
        waiting_(task, query, scratch.many.get()),
        batch_(scratch.batch),
        waitingNodes_(treeA(), treeB()),
        waitingLeaves_(treeA(), treeB()),
        pairsWait_(isFar && isForTriangles() && usePrefetchQueue(a, b)),
        coherent_(task.coherence == Coherence::on && isForFirst()) {}

  /// Traverses from the pairs on the stack to the end, depth first.
  void run(bool countSteps) {
    if (countSteps) left().begin(*history_.pace);
    if constexpr (isFar)
      if (pairsWait_) visitInTurn();
    if (!pairsWait_) visitFromStack();
    if (!ended_) flush();
    keepWitness();
    if (!ended_ && left().on()) history_.apart = left().least();
  }

  /// Traverses the pairs in `shared`, first in, first out, until `wanted` pairs wait or none is left.
  void spread(std::size_t wanted) {
    std::size_t next = 0;
    while (next < shared_.size() && shared_.size() - next < wanted && !mustStop()) {
      visitByItself(shared_[next++]);
      while (!stack_.empty()) shared_.push_back(stack_.pop());
    }
    shared_.erase(shared_.begin(), shared_.begin() + static_cast<std::ptrdiff_t>(next));
    if (!ended_) flush();
  }

  /// Tests two leaves in which a pair was found before. Returns true if they still contain one. (Testing
  /// below their parents too takes 3 % longer.)
  bool endsIn(SlotPair pair) {
    if (treeA().child(pair.a).isLeaf() && treeB().child(pair.b).isLeaf()) leaves(pair);
    keepWitness();
    return ended_;
  }

 private:
  [[nodiscard]] TreeA& treeA() { return compare_.treeA(); }
  [[nodiscard]] TreeB& treeB() { return compare_.treeB(); }
  [[nodiscard]] auto& left() { return compare_.left(); }
  [[nodiscard]] HWY_INLINE bool isForFirst() const { return compare_.isForFirst(); }
  static constexpr bool mayBeForAll = question == Question::any || isForAll(question);
  static constexpr bool isFar = question == Question::allOutOfCache;
  [[nodiscard]] HWY_INLINE bool isForSurfaces() const {
    return mayBeForAll && task_.mode == QueryMode::allSurfacePairs;
  }
  [[nodiscard]] HWY_INLINE bool isForTriangles() const {
    return mayBeForAll && task_.mode == QueryMode::allTrianglePairs;
  }
  [[nodiscard]] HWY_INLINE bool anyFound() const { return mayBeForAll && !found_.empty(); }

  HWY_INLINE void visitFromStack() {
    while (!stack_.empty() && !mustStop()) {
      // All pairs of two nodes with one surface each are dropped together.
      const PairSet& pairs = stack_.last();
      const WideNodeHead &a = treeA().head(pairs.nodeA), &b = treeB().head(pairs.nodeB);
      const bool onePair = anyFound() && isOnePair(a, b);
      if (onePair && found_.contains(a.surface, b.surface)) {
        stack_.dropLast();
        continue;
      }
      const SlotPair pair = stack_.pop();
      if constexpr (isFar) prefetchNext();
      visit(pair, onePair);
    }
  }
  /// Prefetches the pair that is visited next unless something is found below the current pair.
  HWY_INLINE void prefetchNext() {
    if (stack_.empty()) return;
    const SlotPair next = stack_.last().first();
    const WideChild childA = treeA().child(next.a), childB = treeB().child(next.b);
    if (!childA.isLeaf()) treeA().prefetchNode(childA.node());
    if (!childB.isLeaf()) treeB().prefetchNode(childB.node());
  }
  /// Visits pairs that wait for memory.
  [[gnu::noinline]] void visitInTurn() {
    while (true) {
      while (!stack_.empty() && !waitingNodes_.full()) waitingNodes_.add(stack_.pop());
      if (waitingNodes_.empty() || mustStop()) return;
      visit(waitingNodes_.take());
    }
  }

  void keepWitness() {
    if (coherent_ && ended_ && !task_.found.empty())
      history_.witness = {task_.found.back(), lastLeaves_, tested_, query_.reachA, query_.reachB};
  }
  /// Called with every pair of nodes, of leaves, and of triangles that a filter left open, as `QueryLimits`
  /// promises: up to 4,096 pairs of triangles lie below one pair of nodes.
  HWY_INLINE bool mustStop() {
    if (task_.stop.stop()) [[unlikely]]
      ended_ = true;
    return ended_;
  }

  /// `notFound` means that the pair is known not to belong to a pair of surfaces already found.
  HWY_INLINE void visit(SlotPair pair, bool notFound = false) {
    const WideChild childA = treeA().child(pair.a), childB = treeB().child(pair.b);
    if (!notFound && isFoundPair(pair)) return;
    countSurfaces(pair);
    const bool leafA = childA.isLeaf(), leafB = childB.isLeaf();
    if (leafA && leafB) return leaves(pair);
    // Each of the three is called at one place only, where it is inlined.
    if (leafA || (!leafB && isMuchLarger(treeB().head(childB.node()), treeA().head(childA.node())))) {
      const WideNodeHead& head = treeA().head(leafA ? pair.a >> 3 : childA.node());
      return openB(childB.node(), leafA ? slotBox(treeA(), pair.a) : ownBox(head), head.frame, pair.a);
    }
    if (leafB || isMuchLarger(treeA().head(childA.node()), treeB().head(childB.node()))) {
      const WideNodeHead& head = treeB().head(leafB ? pair.b >> 3 : childB.node());
      return openA(childA.node(), leafB ? slotBox(treeB(), pair.b) : ownBox(head), head.frame, pair.b);
    }
    openBoth(childA.node(), childB.node());
  }
  /// Out of line, because it takes little time.
  [[gnu::noinline]] void visitByItself(SlotPair pair) { visit(pair); }
  /// Subtrees of similar size descend together. If nodes above one were left out, the other catches up.
  static bool isMuchLarger(const WideNodeHead& node, const WideNodeHead& other) {
    const auto sizeOf = [](const WideNodeHead& head) { return head.half[0] + head.half[1] + head.half[2]; };
    return sizeOf(node) > 2 * sizeOf(other);
  }

  HWY_INLINE void openA(std::uint32_t node, const EightBoxes& boxB, std::uint32_t frameB,
                        std::uint32_t slotB) {
    const std::uint32_t meet = compare_.childrenOfA(node, boxB, frameB);
    if (meet == 0) return;
    const std::uint32_t leafPairs = treeB().child(slotB).isLeaf() ? meet & treeA().head(node).leafMask : 0;
    follow({node, slotB >> 3, inOne(meet, slotB & 7U)}, inOne(leafPairs, slotB & 7U));
  }
  HWY_INLINE void openB(std::uint32_t node, const EightBoxes& boxA, std::uint32_t frameA,
                        std::uint32_t slotA) {
    const std::uint32_t meet = compare_.childrenOfB(node, boxA, frameA);
    if (meet == 0) return;
    const std::uint32_t leafPairs = treeA().child(slotA).isLeaf() ? meet & treeB().head(node).leafMask : 0;
    follow({slotA >> 3, node, inFirstOfEach(meet) << (slotA & 7U)}, inFirstOfEach(leafPairs) << (slotA & 7U));
  }
  [[gnu::noinline]] void openBoth(std::uint32_t nodeA, std::uint32_t nodeB) {
    NodePair nodes;
    nodes.a = nodeA;
    nodes.b = nodeB;
    PairDepths<lanes> depths;
    const std::uint64_t meet = compare_.children(nodes, depths);
    if (meet != 0) follow(nodes, depths, meet);
  }

  /// Tests pairs of leaves below two nodes, in the order in which `nextOf` takes them from the rest. Returns
  /// true if nothing else below these nodes matters: the query ended, or both have one surface each and that
  /// pair of surfaces is found.
  template <typename NextOf>
  HWY_INLINE bool lookInto(std::uint32_t nodeA, std::uint32_t nodeB, std::uint64_t leafPairs,
                           const float (*boxesOfB)[8], NextOf&& nextOf) {
    const bool onePair = mayBeForAll && isOnePair(treeA().head(nodeA), treeB().head(nodeB));
    const std::size_t found = found_.count();
    if constexpr (isFar)
      if (!pairsWait_) {
        prefetchLeaves(treeA(), nodeA, inAny(leafPairs));
        prefetchLeaves(treeB(), nodeB, anyOfEach(leafPairs));
      }
    while (leafPairs != 0) {
      const std::uint64_t next = nextOf(leafPairs);
      leafPairs ^= next;
      const SlotPair pair = PairSet{nodeA, nodeB, next}.first();
      if (!onePair && isFoundPair(pair)) continue;
      countSurfaces(pair);
      lookNowOrInTurn(pair, boxesOfB);
      if (ended_ || (onePair && found_.count() != found)) return true;
    }
    return false;
  }
  /// Prefetches some children of a node.
  template <typename Tree>
  static HWY_INLINE void prefetchLeaves(const Tree& tree, std::uint32_t node, std::uint32_t children) {
    for (; children != 0; children &= children - 1)
      tree.prefetchLeaf(tree.child(8 * node + static_cast<std::uint32_t>(std::countr_zero(children))));
  }
  /// Tests pairs of leaves and pushes the others on the stack.
  HWY_INLINE void follow(const PairSet& pairs, std::uint64_t leafPairs) {
    if (lookInto(pairs.nodeA, pairs.nodeB, leafPairs, nullptr, lowestBit)) return;
    if (leafPairs != pairs.bits) stack_.push({pairs.nodeA, pairs.nodeB, pairs.bits ^ leafPairs});
  }
  /// Same. A pair of triangles is likeliest where boxes overlap most, so queries for the first pair start
  /// there. (For all surfaces the order saves less on CAD parts than it costs.)
  HWY_INLINE void follow(const NodePair& nodes, const PairDepths<lanes>& depths, std::uint64_t meet) {
    const WideNodeHead &headA = treeA().head(nodes.a), &headB = treeB().head(nodes.b);
    const std::uint64_t leafPairs = meet & inEach(headA.leafMask) & wholeOfEach(headB.leafMask);
    std::uint64_t rest = meet ^ leafPairs;
    const auto nextOf = [&](std::uint64_t pairs) {
      return isForFirst() ? depths.deepest(pairs) : lowestBit(pairs);
    };
    if (lookInto(nodes.a, nodes.b, leafPairs, headA.frame == 0 ? nodes.boxesOfB : nullptr, nextOf)) return;
    if (rest == 0) return;
    if (!isForFirst()) return stack_.push({nodes.a, nodes.b, rest});
    // In this order: the deepest, those at least half as deep, the others.
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

  HWY_INLINE const PlacedTriangles& placedLeafB(WideChild leaf) {
    if (const PlacedTriangles* placed = placedLeaves_.find(leaf)) return *placed;
    PlacedTriangles& placed = placedLeaves_.put(leaf);
    const Packet p = treeB().packet(leaf);
    placed.place(p, task_.placement.aFromB, query_);
    stats_.boxUpdates += p.count;
    return placed;
  }

  HWY_INLINE void lookNowOrInTurn(SlotPair pair, const float (*boxesOfB)[8]) {
    if constexpr (isFar)
      if (pairsWait_) return lookInTurn(pair);
    leaves(pair, boxesOfB);
  }
  /// Tests leaves that wait for memory.
  [[gnu::noinline]] void lookInTurn(SlotPair pair) {
    if (waitingLeaves_.full()) leaves(waitingLeaves_.take());
    waitingLeaves_.add(pair);
  }
  /// `boxesOfB` holds the boxes of the node of B in A's own axes, if the pair's node has these axes. A leaf
  /// whose triangles all miss B's box then needs no placed triangles of B.
  [[gnu::noinline]] void leaves(SlotPair pair, const float (*boxesOfB)[8] = nullptr) {
    const WideChild leafA = treeA().child(pair.a), leafB = treeB().child(pair.b);
    lastLeaves_ = pair;
    if (mustStop()) return;
    const Packet packetA = treeA().packet(leafA);
    const LeafBoxes own = LeafBoxes::around(Corners::ofA(packetA), packetA);
    if (boxesOfB != nullptr && !left().on() && placedLeaves_.find(leafB) == nullptr) {
      stats_.boxTests += own.count;
      const std::uint32_t j = pair.b & 7U;
      if ((meeting(gap(own.min, own.max, allVec(boxesOfB, j), allVec(boxesOfB + 3, j))) & own.lanes()) == 0)
        return;
    }
    const PlacedTriangles& placedB = placedLeafB(leafB);
    const LeafBoxes a = own.from(placedB.origin()), &b = placedB.boxes();
    stats_.boxTests += std::uint64_t{a.count} * b.count;
    const std::uint64_t meet = placedB.meeting<lanes>(a);
    if (left().on()) {
      // The distance of triangles is unknown if their boxes meet, or if boxes are NaN after overflow.
      if (meet != 0)
        left().giveUp();
      else
        left().rejected(leastSteps<lanes>(a, b, query_.cornerError, left().pace().along),
                        GapDirection::along);
    }
    if (meet == 0) return;
    stats_.triangleCandidates += static_cast<std::uint64_t>(std::popcount(meet));
    enqueue(packetA.toReadAgain(), treeB().packet(leafB), placedB, meet);
  }
  /// Queues pairs of triangles of a leaf of A, by row, and of a leaf of B, by lane, for their test, or tests
  /// them at once if one intersecting pair is sufficient.
  HWY_INLINE void enqueue(const Packet& pa, const Packet& pb, const PlacedTriangles& placedB,
                          std::uint64_t chosen) {
    if (isForTriangles()) {
      while (chosen != 0 && !ended_) {
        waiting_.add(pa, pb, placedB, PickedTriangles<lanes>::takenFrom(chosen));
        if (waiting_.areMany()) testMany(waiting_.most);
      }
      return;
    }
    const std::size_t found = found_.count();
    while (chosen != 0 && !ended_ && found_.count() == found) chosen = testForOne(pa, pb, placedB, chosen);
  }
  /// Tests what still waits at the end of a query for all pairs of triangles.
  void flush() {
    if constexpr (isFar)
      while (!waitingLeaves_.empty() && !ended_) leaves(waitingLeaves_.take());
    if (!ended_ && waiting_.count() > 0) testMany(waiting_.count());
  }
  // The tests are out of line, so that the code around them keeps its registers.
  [[gnu::noinline]] void testMany(std::uint32_t count) {
    if (mustStop()) return;
    stats_.triangleTests += count;
    waiting_.prefetchAnswer();
    std::uint64_t meet = waiting_.meeting(count, [&] { return mustStop(); });
    TrianglePair pairs[decltype(waiting_)::most];
    std::size_t size = 0;
    for (; meet != 0; meet &= meet - 1)
      pairs[size++] = waiting_.pair(static_cast<std::uint32_t>(std::countr_zero(meet)));
    if (task_.add(std::span(pairs, size))) ended_ = true;
    waiting_.drop(count);
  }
  /// Tests the first of the pairs `chosen` of two leaves. Returns the others.
  [[gnu::noinline]] std::uint64_t testForOne(const Packet& pa, const Packet& pb,
                                             const PlacedTriangles& placedB, std::uint64_t chosen) {
    const FewTriangles few(pa, pb, placedB, chosen);
    stats_.triangleTests += few.count();
    const std::uint32_t meeting = few.meeting(task_, query_, [&] { return mustStop(); });
    if (meeting == few.count() || mustStop()) return chosen;
    // Leaves have one surface each, and leaves of a pair of surfaces already found are not tested.
    const std::uint32_t surfaceA = treeA().surfaceBelow(lastLeaves_.a),
                        surfaceB = treeB().surfaceBelow(lastLeaves_.b);
    if (isForSurfaces()) found_.insert(surfaceA, surfaceB);
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
  /// Counts pairs with one surface each whose parents had several.
  HWY_INLINE void countSurfaces(SlotPair pair) {
    const bool mixed = treeA().head(pair.a >> 3).surface == WideNodeHead::mixed ||
                       treeB().head(pair.b >> 3).surface == WideNodeHead::mixed;
    if (mixed && isOfOneSurface(treeA(), pair.a) && isOfOneSurface(treeB(), pair.b))
      ++stats_.surfaceCandidates;
  }
  /// Returns true if all pairs below two nodes belong to one pair of surfaces.
  static bool isOnePair(const WideNodeHead& a, const WideNodeHead& b) {
    return a.surface != WideNodeHead::mixed && b.surface != WideNodeHead::mixed;
  }
  /// A query for all surfaces does not search a pair of surfaces again once it is found.
  bool isFoundPair(SlotPair pair) {
    if (!anyFound()) return false;
    const std::uint32_t a = treeA().surfaceBelow(pair.a);
    if (a == WideNodeHead::mixed) return false;
    const std::uint32_t b = treeB().surfaceBelow(pair.b);
    return b != WideNodeHead::mixed && found_.contains(a, b);
  }

  const TraversalTask& task_;
  QueryStats& stats_;
  const WideQuery& query_;
  ChildComparison<TreeA, TreeB, lanes, question> compare_;
  PairStack& stack_;
  std::vector<SlotPair>& shared_;
  FoundSurfaces& found_;
  WideHistory& history_;
  bool ended_ = false;
  PlacedLeaves<mayBeForAll ? 16 : 1> placedLeaves_;
  WaitingTriangles<lanes> waiting_;  ///< in a query for all pairs of triangles
  TriangleBatch& batch_;             ///< with coherence: the pairs that were tested together with the pair
                                     ///< found
  WaitingPairs<TreeA, TreeB, AskedFor::heads, 4> waitingNodes_;    ///< used if pairs wait
  WaitingPairs<TreeA, TreeB, AskedFor::leaves, 8> waitingLeaves_;  ///< used if pairs wait
  bool pairsWait_, coherent_;
  SlotPair lastLeaves_{};
  std::uint32_t tested_ = 0;  ///< number of pairs in the batch
};

/// Tests the pairs of a batch at another placement.
inline WideDecided decideBatch(const TriangleBatch& batch, const Transform& aFromB, float leastExtent) {
  return decideWaiting(batch, 0, LanePlacement<8>(aFromB), leastExtent);
}

/// True if kinds of query have code of their own. Targets without vectors of eight floats (x86 before AVX2,
/// ARM, plain code) share one, because all together take a third of the compile time of this file.
inline constexpr bool isSpecialized = hn::MaxLanes(hn::ScalableTag<float>()) >= 8;

/// Continues from the pairs on the stack to the end or, with `order.spreadUntil`, breadth first until that
/// many pairs wait.
inline void traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                     WideScratch::Data& scratch, const WideOrder& order) {
  if (task.mode == QueryMode::allTrianglePairs && !scratch.many)
    scratch.many = std::make_unique<ManyTriangles>();
  const auto run = [&]<typename TreeA, typename TreeB, std::size_t lanes, Question question>() {
    WideTraversal<TreeA, TreeB, lanes, question> traversal(task, a, b, query, scratch);
    if (order.spreadUntil > 0) return traversal.spread(order.spreadUntil);
    if (order.witness && traversal.endsIn(*order.witness)) return;
    traversal.run(order.countSteps);
  };
  return byLayouts(a, b, [&]<typename TreeA, typename TreeB>() {
    // The way to the first pair is a chain of short steps, for which two rows at once take longer than one.
    if constexpr (isSpecialized && std::is_same_v<TreeA, FastTree> && std::is_same_v<TreeB, FastTree>) {
      if (task.mode != QueryMode::firstSurfacePair)
        return areNearby(a, b) ? run.template operator()<TreeA, TreeB, mostLanes, Question::all>()
                               : run.template operator()<TreeA, TreeB, mostLanes, Question::allOutOfCache>();
      if (order.countSteps) return run.template operator()<TreeA, TreeB, 8, Question::firstAndSteps>();
      return run.template operator()<TreeA, TreeB, 8, Question::first>();
    } else {
      if constexpr (std::is_same_v<TreeA, TreeB>)
        if (task.mode != QueryMode::firstSurfacePair)
          return run.template operator()<TreeA, TreeB, mostLanes, Question::any>();
      return run.template operator()<TreeA, TreeB, 8, Question::any>();
    }
  });
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

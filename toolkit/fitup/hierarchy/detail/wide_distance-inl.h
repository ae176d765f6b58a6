// Distance of two wide trees, for one target. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_DISTANCE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_DISTANCE_INL
#undef FITUP_WIDE_DISTANCE_INL
#else
#define FITUP_WIDE_DISTANCE_INL
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/across_direction.h>
#include <fitup/hierarchy/detail/distance_lanes-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_distance_task.h>
#include <fitup/hierarchy/detail/wide_frames-inl.h>
#include <fitup/hierarchy/detail/wide_leaves-inl.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

template <typename TreeA, typename TreeB>
class WideDistance {
 public:
  explicit WideDistance(const WideDistanceRun& run)
      : task_(run.task),
        stats_(run.task.stats),
        query_(run.query),
        bounds_(run.bounds),
        scratch_(run.scratch),
        a_(run.a, run.task.a),
        b_(run.b, run.task.b),
        frames_(run.query, run.a, run.b),
        placement8_(run.task.placement.aFromB) {}

  DistanceProgress begin() {
    setBound(task_.atMost, false);
    const auto& seed = scratch_.history.nearest;
    if (task_.coherence == Coherence::on && !task_.only && seed) {
      measure(seed->a, seed->b, task_.a.triangle(seed->a), task_.placement.placed(task_.b.triangle(seed->b)));
      if (ended_) return {true, false};
    }
    const bool overlapping = descend(scratch_.starts.front());
    return {ended_, overlapping};
  }

  DistanceProgress whole() {
    setBound(task_.atMost, false);
    if (!task_.found.empty()) {
      setBound(task_.found.front().points.distance, true);
      setAcross(task_.found.front().points);
    }
    scratch_.stack.clear();
    for (const SlotPair start : scratch_.starts)
      scratch_.stack.push_back({start, -std::numeric_limits<float>::infinity()});
    while (!scratch_.stack.empty() && !mustStop()) {
      const WaitingPair pair = scratch_.stack.back();
      scratch_.stack.pop_back();
      if (task_.bySurface) selectBound(pair.slots);
      if (pair.key > toBeat_ || (pair.key > closeKey_ && farAcross(pair.slots))) continue;
      if (a_.child(pair.slots.a).isLeaf() && b_.child(pair.slots.b).isLeaf()) {
        leaves(pair.slots);
        continue;
      }
      open(pair.slots);
      push();
    }
    return {ended_, false};
  }

 private:
  // ---- the distance to beat ----

  /// `found` means that some pair has this distance. Otherwise it is only the limit of the query.
  void setBound(double distance, bool found) {
    const double inA = distance / task_.lengths.factor;
    // No triangle is nearer than one that intersects.
    toBeat_ = found && distance == 0 ? -std::numeric_limits<float>::infinity() : boundToBeat(inA);
    distanceToBeat_ = floatAbove(inA * (1 + 0x1p-40));
    const double close = inA - 8 * double{query_.slackInA};
    constexpr float infinity = std::numeric_limits<float>::infinity();
    closeKey_ = !found ? infinity : close > 0 ? floatBelow(close * close) : -infinity;
    exactToBeat_ = inA;
    hasFound_ = found;
  }
  /// The nearest triangles are separated along this direction, and other near ones often are too.
  void setAcross(const ClosestPoints& points) {
    const Vec3 d = points.onB - points.onA;
    const double length = norm(d);
    if (!task_.lengths.uniform || !(length > 0x1p-40 * task_.a.bounds().halfExtent().x)) return;
    across_.set(d * (1 / length), task_.placement.aFromB);
    const Vec3& unit = across_.ofA();
    acrossInA_ =
        Float4{static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z), 0} *
        (1 - 0x1p-20F);
    if (query_.orthogonal) {
      const Affine3f& back = query_.untilted.bFromA;
      for (std::size_t i = 0; i < 3; ++i)
        acrossInB_[static_cast<int>(i)] =
            back.m[i][0] * acrossInA_[0] + back.m[i][1] * acrossInA_[1] + back.m[i][2] * acrossInA_[2];
    }
  }
  static std::uint64_t keyOf(std::uint32_t surfaceA, std::uint32_t surfaceB) {
    return std::uint64_t{surfaceA} << 32 | surfaceB;
  }
  /// With `bySurface`: selects the distance to beat below these slots.
  void selectBound(SlotPair pair) {
    setBound(task_.atMost, false);
    const std::uint32_t surfaceA = a_.surfaceBelow(pair.a);
    if (surfaceA == WideNodeHead::mixed) return;
    const std::uint32_t surfaceB = b_.surfaceBelow(pair.b);
    if (surfaceB == WideNodeHead::mixed) return;
    const auto known = scratch_.pairAt.find(keyOf(surfaceA, surfaceB));
    if (known != scratch_.pairAt.end()) setBound(task_.found[known->second].points.distance, true);
  }

  HWY_INLINE bool mustStop() {
    if (task_.stop.stop()) ended_ = true;
    return ended_;
  }

  /// Returns true if the direction of the nearest pair so far shows that nothing below a pair is nearer,
  /// where the bounds in 32 bits leave it open.
  [[nodiscard]] bool farAcross(SlotPair pair) {
    if constexpr (TreeA::hasCylinders && TreeB::hasCylinders) {
      const auto boxOf = [](auto& tree, std::uint32_t slot, const WideFrame& axes) {
        const NodeBoxes boxes = tree.boxes(slot >> 3);
        const std::uint32_t k = slot & 7U;
        return AcrossDirection::Box{{boxes.centre[0][k], boxes.centre[1][k], boxes.centre[2][k]},
                                    {boxes.half[0][k], boxes.half[1][k], boxes.half[2][k]},
                                    tree.head(slot >> 3).frame != 0 ? &axes : nullptr};
      };
      return across_.areBeyond(boxOf(a_, pair.a, frames_.axesA(a_.head(pair.a >> 3).frame)),
                               boxOf(b_, pair.b, frames_.axesB(b_.head(pair.b >> 3).frame)), exactToBeat_);
    } else {
      return false;  // boxes of the compact layout are not as exact
    }
  }

  /// Measures two triangles in double precision and keeps them if they are the nearest so far.
  void measure(TriangleId idA, TriangleId idB, const Triangle& a, const Triangle& placedB) {
    if (across_.areBeyond(a, placedB, exactToBeat_, hasFound_)) return;
    ++stats_.triangleDistances;
    const ClosestPoints points = task_.lengths.distance(a, placedB);
    if (!(points.distance <= task_.atMost)) return;
    const WideNearest nearest{{idA, idB}, points};
    if (task_.bySurface) {
      const std::uint64_t key = keyOf(static_cast<std::uint32_t>(index(task_.a.surfaceOf(idA))),
                                      static_cast<std::uint32_t>(index(task_.b.surfaceOf(idB))));
      const auto [at, fresh] = scratch_.pairAt.try_emplace(key, task_.found.size());
      if (fresh && task_.found.size() >= task_.maxPairs) {
        task_.stop.stopForLimit();
        ended_ = true;
        return;
      }
      if (fresh) {
        task_.found.push_back(nearest);
      } else if (points.distance < task_.found[at->second].points.distance) {
        task_.found[at->second] = nearest;
      } else {
        return;
      }
      setBound(points.distance, true);
      setAcross(points);
      return;
    }
    if (task_.found.empty())
      task_.found.push_back(nearest);
    else if (points.distance < task_.found.front().points.distance)
      task_.found.front() = nearest;
    else
      return;
    setBound(points.distance, true);
    setAcross(points);
    if (task_.any || points.distance == 0) ended_ = true;
  }

  // ---- boxes ----

  /// Descends straight along the nearest children, for a first distance to beat. Returns true if the boxes of
  /// the leaves at the end overlap.
  bool descend(SlotPair pair) {
    float key = 0;
    while (!a_.child(pair.a).isLeaf() || !b_.child(pair.b).isLeaf()) {
      open(pair);
      const auto& opened = scratch_.opened;
      if (opened.empty() || mustStop()) return false;
      const auto least =
          std::min_element(opened.begin(), opened.end(),
                           [](const WaitingPair& p, const WaitingPair& q) { return p.key < q.key; });
      pair = least->slots;
      key = least->key;
    }
    leaves(pair);
    return !(key > 0);
  }

  /// Pushes the result of `open` on the stack, the nearest on top.
  void push() {
    auto& opened = scratch_.opened;
    std::sort(opened.begin(), opened.end(),
              [](const WaitingPair& p, const WaitingPair& q) { return p.key > q.key; });
    scratch_.stack.insert(scratch_.stack.end(), opened.begin(), opened.end());
    // Prefetches the next visits while their predecessors are processed.
    for (std::size_t i = opened.size() - std::min(opened.size(), tuning::nearestAskedAhead);
         i < opened.size(); ++i) {
      a_.prefetchSlot(opened[i].slots.a);
      b_.prefetchSlot(opened[i].slots.b);
    }
  }

  /// Collects in `opened` the pairs below a pair that may contain something nearer.
  void open(SlotPair pair) {
    scratch_.opened.clear();
    const WideChild childA = a_.child(pair.a), childB = b_.child(pair.b);
    if (childA.isLeaf()) return openB(childB.node(), slotBox(a_, pair.a), a_.head(pair.a >> 3).frame, pair.a);
    if (childB.isLeaf()) return openA(childA.node(), slotBox(b_, pair.b), b_.head(pair.b >> 3).frame, pair.b);
    const WideNodeHead &headA = a_.head(childA.node()), &headB = b_.head(childB.node());
    const float sizeA = headA.half[0] + headA.half[1] + headA.half[2],
                sizeB = headB.half[0] + headB.half[1] + headB.half[2];
    if (sizeA > tuning::muchLarger * sizeB) return openA(childA.node(), ownBox(headB), headB.frame, pair.b);
    if (sizeB > tuning::muchLarger * sizeA) return openB(childB.node(), ownBox(headA), headA.frame, pair.a);
    openBoth(childA.node(), childB.node());
  }

  /// Returns squared lower bounds on the distances of boxes from their extents along the connection v of
  /// their centres, given in the axes of both nodes. They are zero if the extents leave no gap.
  ///
  /// *Bound.* |v| times the distance is at least v . v - hA . |v in A| - hB . |v in B|. The centres are off
  /// by a part of the slack on each axis; so v . v is off by at most |v|_1 slackInA, the last term by |hB|_1
  /// slackInB, and roundings by less than 16 u S |v|_1 (S as in `WideQuery`, which no coordinate exceeds; no
  /// extent exceeds sqrt(3) S). Twice the slacks cover all. v . v, the quotient, which is at most 1, and the
  /// product round; `boundToBeat` leaves room for that, but not for numbers below the least normal one. The
  /// square of the rest is not computed, because it would overflow from |v| = 2^32 on. Used only if M is
  /// orthogonal.
  HWY_INLINE Float8 acrossCentres(const Vec8& inA, const Vec8& inB, const Vec8& halfA,
                                  const Vec8& halfB) const {
    const Vec8 absA{magnitude(inA.x), magnitude(inA.y), magnitude(inA.z)},
        absB{magnitude(inB.x), magnitude(inB.y), magnitude(inB.z)};
    const Float8 slackA = Float8::all(2 * query_.slackInA), slackB = Float8::all(2 * query_.slackInB);
    const Float8 square = dot(inA, inA);
    const Float8 extents = dot(halfA, absA) + dot(halfB, absB) +
                           mulAdd(slackA, absA.x + absA.y + absA.z, slackB * (halfB.x + halfB.y + halfB.z));
    const Float8 left = square - extents;
    return select(left > Float8::all(0x1p-100F), left * (left / square), Float8::all(0));
  }
  /// Combines gaps in the axes of a node of A and of one of B. The result is a squared lower bound, or an
  /// overlap below zero.
  HWY_INLINE Float8 keys(const Gaps8& inA, const Gaps8& inB, const Float8& across) const {
    const Float8 zero = Float8::all(0);
    Float8 squared = larger(inA.squared, inB.squared * Float8::all(bounds_.bToA));
    if (query_.orthogonal) squared = larger(squared, across);
    const Float8 overlap = smaller(larger(inA.most, inB.most), zero);
    return select(squared > zero, squared, overlap);
  }
  void add(const Float8& key, std::uint32_t lanes, std::uint32_t nodeA, std::uint32_t slotB) {
    const Float8 k = bounds_.blind ? Float8::all(0) : key;
    std::uint32_t mask = lanes & ~(k > Float8::all(toBeat_)).bits();
    if (mask == 0) return;
    alignas(64) float lane[8];
    k.store(lane);
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(mask));
      scratch_.opened.push_back({{8 * nodeA + i, slotB}, lane[i]});
    }
  }

  void openA(std::uint32_t node, const EightBoxes& boxB, std::uint32_t frameB, std::uint32_t slotB) {
    const WideRelative& r = frames_.relative(a_.head(node).frame, frameB);
    const NodeBoxes boxes = a_.boxes(node);
    const Vec8 c = loadVec(boxes.centre), h = loadVec(boxes.half);
    count(a_.head(node).childCount, 1 + a_.head(node).childCount);
    const Vec8 bInA = carriedPoint(r.aFromB, boxB.centre), aInB = carriedPoint(r.bFromA, c);
    const Gaps8 inA = gapsOfBoxes(c, h, bInA, carriedHalf(r.aFromB, boxB.half, query_.slackInA));
    const Gaps8 inB = gapsOfBoxes(boxB.centre, boxB.half, aInB, carriedHalf(r.bFromA, h, query_.slackInB));
    const Float8 beyond = beyondAcross(endsOf(a_.head(node).frame, frameB, c, h, bInA, boxB.half));
    add(keys(inA, inB, larger(acrossCentres(bInA - c, boxB.centre - aInB, h, boxB.half), beyond)),
        lanesOf(a_.head(node)), node, slotB);
  }
  void openB(std::uint32_t node, const EightBoxes& boxA, std::uint32_t frameA, std::uint32_t slotA) {
    const WideRelative& r = frames_.relative(frameA, b_.head(node).frame);
    const NodeBoxes boxes = b_.boxes(node);
    const Vec8 c = loadVec(boxes.centre), h = loadVec(boxes.half);
    count(b_.head(node).childCount, 1 + b_.head(node).childCount);
    const Vec8 aInB = carriedPoint(r.bFromA, boxA.centre), bInA = carriedPoint(r.aFromB, c);
    const Gaps8 inB = gapsOfBoxes(c, h, aInB, carriedHalf(r.bFromA, boxA.half, query_.slackInB));
    const Gaps8 inA = gapsOfBoxes(boxA.centre, boxA.half, bInA, carriedHalf(r.aFromB, h, query_.slackInA));
    const Float8 key = bounds_.blind ? Float8::all(0)
                                     : keys(inA, inB,
                                            larger(acrossCentres(bInA - boxA.centre, c - aInB, boxA.half, h),
                                                   beyondAcross(endsOf(frameA, b_.head(node).frame,
                                                                       boxA.centre, boxA.half, bInA, h))));
    std::uint32_t mask = lanesOf(b_.head(node)) & ~(key > Float8::all(toBeat_)).bits();
    alignas(64) float lane[8];
    key.store(lane);
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(mask));
      scratch_.opened.push_back({{slotA, 8 * node + i}, lane[i]});
    }
  }
  /// Ends of A's boxes (`high`) and of B's boxes (`low`) along the direction of the nearest pair so far,
  /// which is given in the axes of a node of each.
  ///
  /// *Bound.* The direction w, at most 1 long, is mapped to a node's axes with an error of less than 16 u on
  /// each: the ends are off by 16 u |h|_1 + 16 u |c|_1, and the mapped centre by a part of `slackInA` on each
  /// axis, so by at most sqrt(3) of it.
  /// h|_1 and |c|_1 are at most 3 S; 4 slackInA is 256 u S.
  struct Ends8 {
    Float8 high, low;
  };
  HWY_INLINE Ends8 endsOf(std::uint32_t frameA, std::uint32_t frameB, const Vec8& centreA, const Vec8& halfA,
                          const Vec8& centreB, const Vec8& halfB) const {
    const Float4 w = framed(frames_.axesA(frameA), acrossInA_), absA = detail::magnitude(w),
                 absB = detail::magnitude(framed(frames_.axesB(frameB), acrossInB_));
    const auto along = [](const Vec8& v, const Float4& d) {
      return mulAdd(v.x, Float8::all(d[0]), mulAdd(v.y, Float8::all(d[1]), v.z * Float8::all(d[2])));
    };
    const Float8 slack = Float8::all(4 * query_.slackInA);
    return {along(centreA, w) + along(halfA, absA) + slack, along(centreB, w) - along(halfB, absB)};
  }
  /// Returns the squared distance of the boxes of B beyond those of A, lane by lane; zero if there is none.
  HWY_INLINE static Float8 beyondAcross(const Ends8& ends) {
    const Float8 beyond = larger(ends.low - ends.high, Float8::all(0));
    return beyond * beyond;
  }
  HWY_INLINE void count(std::uint64_t tests, std::uint64_t updates) {
    stats_.boxTests += tests;
    stats_.boxUpdates += updates;
  }

  HWY_INLINE static float dot4(Float4 a, Float4 b) {
    const Float4 p = a * b;
    return p[0] + p[1] + p[2];
  }
  /// Boxes of two nodes are tighter in their own axes than as children in the axes of their parents. The
  /// bounds are those of eight boxes.
  bool farInOwnAxes(const WideNodeHead& a, const WideNodeHead& b) {
    count(1, 1);
    const Composed forth = frames_.aFromB(a.frame, b.frame);
    const Float4 zero{0, 0, 0, 0}, halfA = three(a.half), halfB = three(b.half);
    const auto beyond = [&](const Composed& hereFromThere, const WideNodeHead& here,
                            const WideNodeHead& there, float slack, Float4& connection) {
      connection = combined(hereFromThere.column, three(there.centre)) + hereFromThere.t - three(here.centre);
      const Float4 absolute[3] = {detail::magnitude(hereFromThere.column[0]),
                                  detail::magnitude(hereFromThere.column[1]),
                                  detail::magnitude(hereFromThere.column[2])};
      const Float4 gap = fitup::detail::larger(
          detail::magnitude(connection) - (combined(absolute, three(there.half)) + three(here.half) + slack),
          zero);
      return dot4(gap, gap);
    };
    Float4 inA, inB;
    if (beyond(forth, a, b, query_.slackInA, inA) > toBeat_) return true;
    const Composed back = frames_.back(forth, a.frame, b.frame);
    if (beyond(back, b, a, query_.slackInB, inB) * bounds_.bToA > toBeat_) return true;
    frames_.keep(a.frame, b.frame, forth, back);
    if (!query_.orthogonal) return false;
    const Float4 wA = framed(frames_.axesA(a.frame), acrossInA_),
                 wB = framed(frames_.axesB(b.frame), acrossInB_);
    const float along = dot4(inA, wA) - dot4(halfA, detail::magnitude(wA)) -
                        dot4(halfB, detail::magnitude(wB)) - 4 * query_.slackInA;
    return along > 0 && along * along > toBeat_;
  }

  /// Compares eight boxes with eight. Rows and columns that are too far from the other node's own box are
  /// dropped first.
  void openBoth(std::uint32_t nodeA, std::uint32_t nodeB) {
    const WideNodeHead &headA = a_.head(nodeA), &headB = b_.head(nodeB);
    if (!bounds_.blind && (headA.frame | headB.frame) != 0 && farInOwnAxes(headA, headB)) return;
    const WideRelative& r = frames_.relative(headA.frame, headB.frame);
    const NodeBoxes boxesA = a_.boxes(nodeA), boxesB = b_.boxes(nodeB);
    const Vec8 cA = loadVec(boxesA.centre), hA = loadVec(boxesA.half);
    const Vec8 cB = loadVec(boxesB.centre), hB = loadVec(boxesB.half);
    const Vec8 cBInA = carriedPoint(r.aFromB, cB), hBInA = carriedHalf(r.aFromB, hB, query_.slackInA);
    const Vec8 cAInB = carriedPoint(r.bFromA, cA), hAInB = carriedHalf(r.bFromA, hA, query_.slackInB);
    std::uint32_t rows = lanesOf(headB), columns = lanesOf(headA);
    count(headA.childCount + headB.childCount, headA.childCount + headB.childCount);
    if (!bounds_.blind) {
      const Float8 limit = Float8::all(toBeat_);
      const EightBoxes ownA = ownBox(headA), ownB = ownBox(headB);
      rows &= ~(gapsOfBoxes(ownA.centre, ownA.half, cBInA, hBInA).squared > limit).bits();
      columns &=
          ~(gapsOfBoxes(ownB.centre, ownB.half, cAInB, hAInB).squared * Float8::all(bounds_.bToA) > limit)
               .bits();
      if (rows == 0 || columns == 0) return;
    }
    count(static_cast<std::uint64_t>(std::popcount(rows)) * std::popcount(columns), 0);
    alignas(64) float bInA[6][8], bInB[6][8], centreBInA[3][8], boxB[6][8];
    storeVec(cBInA, centreBInA);
    storeVec(cB, boxB);
    storeVec(hB, boxB + 3);
    storeVec(cBInA - hBInA, bInA);
    storeVec(cBInA + hBInA, bInA + 3);
    storeVec(cB - hB, bInB);
    storeVec(cB + hB, bInB + 3);
    const Vec8 minA = cA - hA, maxA = cA + hA, minAInB = cAInB - hAInB, maxAInB = cAInB + hAInB;
    const Ends8 ends = endsOf(headA.frame, headB.frame, cA, hA, cBInA, hB);
    alignas(64) float lowB[8];
    ends.low.store(lowB);
    for (; rows != 0; rows &= rows - 1) {
      const auto j = static_cast<std::uint32_t>(std::countr_zero(rows));
      add(keys(gapsOfIntervals(minA, maxA, allVec(bInA, j), allVec(bInA + 3, j)),
               gapsOfIntervals(minAInB, maxAInB, allVec(bInB, j), allVec(bInB + 3, j)),
               larger(acrossCentres(allVec(centreBInA, j) - cA, allVec(boxB, j) - cAInB, hA,
                                    allVec(boxB + 3, j)),
                      beyondAcross({ends.high, Float8::all(lowB[j])}))),
          columns, nodeA, 8 * nodeB + j);
    }
  }

  // ---- leaves ----

  using Corners = LeafCorners<Beyond::first>;
  /// A leaf of B in A's own axes.
  struct PlacedLeaf {
    Corners corners;
    LeafBoxes boxes;  ///< grown by the error of the corners
    float whole[6];
  };
  void placeLeafB(WideChild leaf) {
    if (hasPlaced_ && leaf == placedLeaf_) return;
    placedLeaf_ = leaf;
    hasPlaced_ = true;
    const Packet p = b_.packet(leaf);
    placed_.corners = Corners::ofB(p, query_);
    // The second half covers the rounding of this sum.
    placed_.boxes = LeafBoxes::around(placed_.corners, p).grown(2 * query_.cornerError);
    const Vec8 &min = placed_.boxes.min, &max = placed_.boxes.max;
    placed_.whole[0] = smallestLane(min.x);
    placed_.whole[1] = smallestLane(min.y);
    placed_.whole[2] = smallestLane(min.z);
    placed_.whole[3] = largestLane(max.x);
    placed_.whole[4] = largestLane(max.y);
    placed_.whole[5] = largestLane(max.z);
    stats_.boxUpdates += p.count;
  }

  /// Returns the difference of products with n above which triangles are too far from each other.
  ///
  /// *Bound.* A corner of B is off by `cornerError`, 8 u S, and the products on both sides round by at most 6
  /// u |n|_1 S. The distance to beat times |n| has a relative rounding error below 2^-20.
  [[nodiscard]] float reachAlong(const float (&n)[3]) const {
    const float sum = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]),
                length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return distanceToBeat_ * length * (1 + 0x1p-20F) + 2 * query_.cornerError * sum + 0x1p-120F;
  }

  void leaves(SlotPair pair) {
    const WideChild leafA = a_.child(pair.a), leafB = b_.child(pair.b);
    placeLeafB(leafB);
    const Packet pa = a_.packet(leafA), pb = b_.packet(leafB);
    const Corners a = Corners::ofA(pa), &b = placed_.corners;
    const LeafBoxes boxesA = LeafBoxes::around(a, pa), &boxesB = placed_.boxes;
    const Vec8 &minA = boxesA.min, &maxA = boxesA.max;
    std::uint32_t rows = boxesA.lanes();
    const std::uint32_t columns = boxesB.lanes();
    stats_.boxTests += pa.count;
    if (!bounds_.blind)
      rows &= ~(gapsOfIntervals(minA, maxA, allVec(placed_.whole), allVec(placed_.whole + 3)).squared >
                Float8::all(toBeat_))
                   .bits();
    if (rows == 0) return;
    alignas(64) float boxA[6][8], high[8];
    storeVec(minA, boxA);
    storeVec(maxA, boxA + 3);
    const bool partable = !bounds_.blind && query_.vectorTriangles;
    alignas(64) float highAcross[8];
    Float8 lowB, lowBAcross;
    AcrossDirection::Ends ends;
    bool hasEnds = false;
    // Where all triangles are about as far along that direction as the nearest pair, doubles tell.
    const bool mayBeClose = hasFound_ && partable && closeKey_ < toBeat_;
    const Float8 close = Float8::all(8 * query_.cornerError);
    if (partable) {
      const auto part = [&](const float(&n)[3], Float8& low, float(&store)[8]) {
        const Vec8 d = allVec(n);
        low = smaller(smaller(dot(d, b.v[0]), dot(d, b.v[1])), dot(d, b.v[2])) - Float8::all(reachAlong(n));
        const Float8 highA = larger(larger(dot(d, a.v[0]), dot(d, a.v[1])), dot(d, a.v[2]));
        highA.store(store);
        rows &= ~(Float8::all(smallestLane(low)) > highA).bits();
      };
      // Along the connection of the leaves' centres, and along the direction of the nearest pair so far.
      part({placed_.whole[0] + placed_.whole[3] - smallestLane(minA.x) - largestLane(maxA.x),
            placed_.whole[1] + placed_.whole[4] - smallestLane(minA.y) - largestLane(maxA.y),
            placed_.whole[2] + placed_.whole[5] - smallestLane(minA.z) - largestLane(maxA.z)},
           lowB, high);
      part({acrossInA_[0], acrossInA_[1], acrossInA_[2]}, lowBAcross, highAcross);
    }
    for (; rows != 0 && !ended_; rows &= rows - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(rows));
      std::uint32_t mask = columns;
      if (partable)
        mask &= ~((lowB > Float8::all(high[i])) | (lowBAcross > Float8::all(highAcross[i]))).bits();
      if (mask == 0) continue;
      if (mayBeClose && ((lowBAcross + close > Float8::all(highAcross[i])).bits() & mask) != 0) {
        if (!hasEnds) ends = across_.endsOf(pa, pb);
        hasEnds = true;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
          const auto j = static_cast<std::size_t>(std::countr_zero(rest));
          if (ends.areBeyond(i, j, exactToBeat_)) mask &= ~(1U << j);
        }
        if (mask == 0) continue;
      }
      stats_.boxTests += pb.count;
      if (!bounds_.blind)
        mask &= ~(gapsOfIntervals(allVec(boxA, i), allVec(boxA + 3, i), boxesB.min, boxesB.max).squared >
                  Float8::all(toBeat_))
                     .bits();
      stats_.triangleCandidates += static_cast<std::uint64_t>(std::popcount(mask));
      for (; mask != 0 && !ended_; mask &= mask - 1)
        enqueue(pa, i, pb, static_cast<std::uint32_t>(std::countr_zero(mask)));
    }
    flush();
  }

  HWY_INLINE void enqueue(const Packet& pa, std::uint32_t i, const Packet& pb, std::uint32_t j) {
    TriangleBatch& batch = scratch_.batch;
    const float* from = pa.rows + i;
    for (std::size_t r = 0; r < 9; ++r, from += pa.stride) batch.a[r][queued_] = *from;
    idA_[queued_] = pa.triangle(i);
    from = pb.rows + j;
    for (std::size_t r = 0; r < 9; ++r, from += pb.stride) batch.b[r][queued_] = *from;
    idB_[queued_] = pb.triangle(j);
    if (++queued_ == 8) flush();
  }

  /// Measures lanes in the order of their lower bounds until the rest cannot be nearer.
  void flush() {
    std::uint32_t left = (1U << queued_) - 1;
    queued_ = 0;
    if (left == 0 || toBeat_ < 0) return;  // below zero: the pair found intersects
    alignas(64) float least[8] = {};
    if (query_.vectorTriangles) {
      // A bound that is not above zero or is NaN says nothing.
      const Float8 bounds = lowerBounds(scratch_.batch, placement8_);
      select(bounds > Float8::all(0), bounds, Float8::all(0)).store(least);
    }
    while (left != 0 && !mustStop()) {
      auto next = static_cast<std::uint32_t>(std::countr_zero(left));
      for (std::uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
        if (const auto k = static_cast<std::uint32_t>(std::countr_zero(rest)); least[k] < least[next])
          next = k;
      if (least[next] > distanceToBeat_) return;
      left &= ~(1U << next);
      Triangle a, b;
      for (std::size_t c = 0; c < 3; ++c) {
        const TriangleBatch& batch = scratch_.batch;
        a.v[c] = {batch.a[3 * c][next], batch.a[3 * c + 1][next], batch.a[3 * c + 2][next]};
        b.v[c] = {batch.b[3 * c][next], batch.b[3 * c + 1][next], batch.b[3 * c + 2][next]};
      }
      measure(idA_[next], idB_[next], a, task_.placement.placed(b));
    }
  }

  const WideDistanceTask& task_;
  DistanceStats& stats_;
  const WideQuery& query_;
  const DistanceBounds& bounds_;
  WideDistanceScratch::Data& scratch_;
  TreeA a_;
  TreeB b_;
  WideFrames frames_;
  LanePlacement<8> placement8_;
  float toBeat_ = 0;          ///< squared, in A, rounded up; larger keys are dropped
  float distanceToBeat_ = 0;  ///< in A, rounded up
  /// Squared, in A: boxes with larger keys may be as far as the pair found if there were no slack.
  float closeKey_ = std::numeric_limits<float>::infinity();
  double exactToBeat_ = 0;            ///< in A
  bool hasFound_ = false;             ///< the distance to beat is that of a pair, not the limit of the query
  AcrossDirection across_;            ///< from A to B, along the nearest pair so far
  Float4 acrossInA_{}, acrossInB_{};  ///< the same, slightly shorter, in both local frames; zero if there is
                                      ///< none
  bool ended_ = false, hasPlaced_ = false;
  WideChild placedLeaf_;
  PlacedLeaf placed_;
  std::uint32_t queued_ = 0;
  std::array<TriangleId, 8> idA_, idB_;
};

inline DistanceProgress nearest(const WideDistanceRun& run) {
  return byLayouts(run.a, run.b, [&]<typename TreeA, typename TreeB>() {
    WideDistance<TreeA, TreeB> search(run);
    return run.phase == DistancePhase::begin ? search.begin() : search.whole();
  });
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

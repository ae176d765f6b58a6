// The traversal of two wide trees, for one target. See lanes-inl.h on inclusion.

#if defined(FITUP_WIDE_TRAVERSAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_TRAVERSAL_INL
#undef FITUP_WIDE_TRAVERSAL_INL
#else
#define FITUP_WIDE_TRAVERSAL_INL
#endif

#include <bit>
#include <cmath>
#include <limits>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_frames-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

template <typename TreeA, typename TreeB>
class WideTraversal {
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
        found_(scratch.found),
        history_(scratch.history),
        batch_(scratch.batch),
        first_(task.mode == QueryMode::firstSurfacePair),
        coherent_(task.coherence == Coherence::on && task.mode == QueryMode::firstSurfacePair) {}

  /// From the pairs on the stack to the end, depth first.
  void run(bool writeFront) {
    tracking_ = writeFront;
    while (!stack_.empty() && !mustStop()) {
      const SlotPair pair = stack_.back();
      stack_.pop_back();
      gap_ = std::numeric_limits<float>::infinity();
      visit(pair);
      if (tracking_) track(pair);
    }
    if (!ended_) flush();
    keepWitness();
  }

  /// The pairs on the stack, first in, first out, until `wanted` wait or none is left.
  void spread(std::size_t wanted) {
    std::size_t next = 0;
    while (next < stack_.size() && stack_.size() - next < wanted && !mustStop()) visit(stack_[next++]);
    stack_.erase(stack_.begin(), stack_.begin() + static_cast<std::ptrdiff_t>(next));
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
  /// Longer fronts cost more to keep than they save.
  static constexpr std::size_t longestFront = 1U << 14;

  void keepWitness() {
    if (coherent_ && ended_ && !task_.found.empty()) history_.witness = {task_.found.back(), lastLeaves_};
  }
  void track(SlotPair pair) {
    if (history_.front.size() >= longestFront) {
      tracking_ = false;
      history_.front.clear();
      return;
    }
    // The gap as it was where the front was made; a little less for axes that are orthonormal up to rounding.
    const float gap = gap_ * (1 - 0x1p-16F) - query_.movedSinceFront;
    history_.front.push_back({pair, gap});
    history_.leastGap = std::min(history_.leastGap, gap);
  }
  /// Takes the distances of rejected lanes into account.
  HWY_INLINE void shrinkGap(const Float8& distance, std::uint32_t rejected) {
    alignas(64) float lane[8];
    distance.store(lane);
    for (; rejected != 0; rejected &= rejected - 1) gap_ = std::min(gap_, lane[std::countr_zero(rejected)]);
  }

  /// Asked with every pair of nodes, of leaves and of triangles that a filter left, as `QueryLimits`
  /// promises: below one pair of nodes lie up to 4,096 pairs of triangles.
  HWY_INLINE bool mustStop() {
    if (task_.stop.stop()) ended_ = true;
    return ended_;
  }

  void visit(SlotPair pair) {
    const WideChild childA = a_.child(pair.a), childB = b_.child(pair.b);
    // The overlap box of the parts: without one they are no candidates, in either setting.
    if ((pair.a | pair.b) == 0 && !overlapInOwnAxes(a_.head(0), b_.head(0))) return;
    if (isFoundPair(pair)) return;
    countSurfaces(pair);
    if (childA.isLeaf()) {
      if (childB.isLeaf()) return leaves(pair);
      return openB(childB.node(), slotBox(a_, pair.a), a_.head(pair.a >> 3).frame, pair.a);
    }
    if (childB.isLeaf()) return openA(childA.node(), slotBox(b_, pair.b), b_.head(pair.b >> 3).frame, pair.b);
    const WideNodeHead &headA = a_.head(childA.node()), &headB = b_.head(childB.node());
    const float sizeA = headA.half[0] + headA.half[1] + headA.half[2],
                sizeB = headB.half[0] + headB.half[1] + headB.half[2];
    constexpr float muchLarger = 4;
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
    gap_ = std::min(gap_, distance);
    return true;
  }

  /// Eight boxes of one tree against one box of the other, in both frames.
  template <typename Tree>
  std::uint32_t against(Tree& tree, std::uint32_t node, const OneBox& box, const WideWay& here,
                        const WideWay& there, float slackHere, float slackThere) {
    const NodeBoxes boxes = tree.boxes(node);
    const Vec8 c = loadVec(boxes.centre), h = loadVec(boxes.half);
    stats_.boxTests += tree.head(node).childCount;
    stats_.boxUpdates += 1 + tree.head(node).childCount;
    const Float8 distance =
        larger(distanceOf(c, h, carriedPoint(here, box.centre), carriedHalf(here, box.half, slackHere)),
               distanceOf(box.centre, box.half, carriedPoint(there, c), carriedHalf(there, h, slackThere)));
    const std::uint32_t all = lanesOf(tree.head(node)), mask = meeting(distance) & all;
    if (tracking_) shrinkGap(distance, all & ~mask);
    return mask;
  }
  void openA(std::uint32_t node, const OneBox& boxB, std::uint32_t frameB, std::uint32_t slotB) {
    const WideRelative& r = frames_.relative(a_.head(node).frame, frameB);
    std::uint32_t mask = against(a_, node, boxB, r.aFromB, r.bFromA, query_.slackInA, query_.slackInB);
    for (; mask != 0; mask &= mask - 1)
      stack_.push_back({8 * node + static_cast<std::uint32_t>(std::countr_zero(mask)), slotB});
  }
  void openB(std::uint32_t node, const OneBox& boxA, std::uint32_t frameA, std::uint32_t slotA) {
    const WideRelative& r = frames_.relative(frameA, b_.head(node).frame);
    std::uint32_t mask = against(b_, node, boxA, r.bFromA, r.aFromB, query_.slackInB, query_.slackInA);
    for (; mask != 0; mask &= mask - 1)
      stack_.push_back({slotA, 8 * node + static_cast<std::uint32_t>(std::countr_zero(mask))});
  }

  /// Eight boxes against eight, in the frames of both nodes (SAT lite). With the overlap box, children that
  /// miss the other node's own box, and so the box common to both, are cut off first.
  void openBoth(std::uint32_t nodeA, std::uint32_t nodeB) {
    const WideNodeHead &headA = a_.head(nodeA), &headB = b_.head(nodeB);
    if ((headA.frame | headB.frame) != 0 && !overlapInOwnAxes(headA, headB)) return;
    const WideRelative& r = frames_.relative(headA.frame, headB.frame);
    const NodeBoxes boxesA = a_.boxes(nodeA), boxesB = b_.boxes(nodeB);
    const Vec8 cA = loadVec(boxesA.centre), hA = loadVec(boxesA.half);
    const Vec8 cB = loadVec(boxesB.centre), hB = loadVec(boxesB.half);
    const Vec8 cBInA = carriedPoint(r.aFromB, cB), hBInA = carriedHalf(r.aFromB, hB, query_.slackInA);
    const Vec8 cAInB = carriedPoint(r.bFromA, cA), hAInB = carriedHalf(r.bFromA, hA, query_.slackInB);
    std::uint32_t rows = lanesOf(headB), columns = lanesOf(headA);
    stats_.boxUpdates += headA.childCount + headB.childCount;
    if (task_.overlapBox == OverlapBoxSetting::on) {
      const Float8 distanceB =
          distanceOf(allVec(headA.centre.data()), allVec(headA.half.data()), cBInA, hBInA);
      const Float8 distanceA =
          distanceOf(allVec(headB.centre.data()), allVec(headB.half.data()), cAInB, hAInB);
      const std::uint32_t allRows = rows, allColumns = columns;
      rows &= meeting(distanceB);
      columns &= meeting(distanceA);
      if (tracking_) {
        shrinkGap(distanceB, allRows & ~rows);
        shrinkGap(distanceA, allColumns & ~columns);
      }
      stats_.boxTests += headA.childCount + headB.childCount;
      stats_.overlapBoxRejected += headB.childCount - static_cast<std::uint32_t>(std::popcount(rows));
      if (rows == 0 || columns == 0) return;
    }
    stats_.boxTests += static_cast<std::uint64_t>(std::popcount(rows)) * std::popcount(columns);

    alignas(64) float bInA[6][8], bInB[6][8];
    storeVec(cBInA - hBInA, bInA);
    storeVec({cBInA.x + hBInA.x, cBInA.y + hBInA.y, cBInA.z + hBInA.z}, bInA + 3);
    storeVec(cB - hB, bInB);
    storeVec({cB.x + hB.x, cB.y + hB.y, cB.z + hB.z}, bInB + 3);
    const Vec8 minA = cA - hA, maxA{cA.x + hA.x, cA.y + hA.y, cA.z + hA.z};
    const Vec8 minAInB = cAInB - hAInB, maxAInB{cAInB.x + hAInB.x, cAInB.y + hAInB.y, cAInB.z + hAInB.z};
    float deepest = 0;
    std::size_t deepestAt = std::numeric_limits<std::size_t>::max();
    for (; rows != 0; rows &= rows - 1) {
      const auto j = static_cast<std::uint32_t>(std::countr_zero(rows));
      const auto broadcast = [j](const float(*from)[8]) {
        return Vec8{Float8::all(from[0][j]), Float8::all(from[1][j]), Float8::all(from[2][j])};
      };
      const Float8 g = larger(gap(minA, maxA, broadcast(bInA), broadcast(bInA + 3)),
                              gap(minAInB, maxAInB, broadcast(bInB), broadcast(bInB + 3)));
      std::uint32_t mask = meeting(g) & columns;
      if (tracking_) shrinkGap(g, columns & ~mask);
      const std::uint32_t slotB = 8 * nodeB + j;
      if ((headB.leafMask >> j & 1U) != 0)
        for (std::uint32_t both = mask & headA.leafMask; both != 0 && !ended_; both &= both - 1) {
          const SlotPair pair{8 * nodeA + static_cast<std::uint32_t>(std::countr_zero(both)), slotB};
          if (isFoundPair(pair)) continue;
          countSurfaces(pair);
          leaves(pair);
        }
      if ((headB.leafMask >> j & 1U) != 0) mask &= ~headA.leafMask;
      if (first_ && mask != 0) {
        alignas(64) float depth[8];
        g.store(depth);
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
          const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
          if (depth[i] < deepest) {
            deepest = depth[i];
            deepestAt = stack_.size() + static_cast<std::size_t>(std::popcount(mask ^ left));
          }
        }
      }
      for (; mask != 0; mask &= mask - 1)
        stack_.push_back({8 * nodeA + static_cast<std::uint32_t>(std::countr_zero(mask)), slotB});
    }
    // Where boxes reach into each other most, a pair is likeliest.
    if (deepestAt < stack_.size()) std::swap(stack_[deepestAt], stack_.back());
  }

  // ---- leaves ----

  /// A leaf of B, placed in A's own axes.
  struct PlacedLeaf {
    Vec8 v[3];
    Vec8 min, max;  ///< of each triangle, grown by the error of the corners
    Vec8 normal;
    Float8 offset;                     ///< normal . v[0]
    Float8 normalSize;                 ///< sum of the magnitudes of the normal's components
    Float8 extent;                     ///< largest edge of the box
    float whole[6];                    ///< box of all
    float slab[3], slabLow, slabHigh;  ///< all corners lie between two planes with this normal
    std::uint32_t count;
  };

  static Vec8 lower(const Vec8& a, const Vec8& b) {
    return {smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)};
  }
  static Vec8 upper(const Vec8& a, const Vec8& b) {
    return {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
  }
  static Float8 largestEdge(const Vec8& min, const Vec8& max) {
    const Vec8 e = max - min;
    return larger(larger(e.x, e.y), e.z);
  }

  void placeLeafB(WideChild leaf) {
    if (hasPlaced_ && leaf == placedLeaf_) return;
    placedLeaf_ = leaf;
    hasPlaced_ = true;
    const Packet p = b_.packet(leaf);
    PlacedLeaf& b = placed_;
    b.count = p.count;
    for (std::uint32_t c = 0; c < 3; ++c) b.v[c] = carriedPoint(query_.untilted.aFromB, cornerOf(p, c));
    const Float8 error = Float8::all(query_.cornerError);
    const Vec8 grow{error, error, error};
    b.min = lower(lower(b.v[0], b.v[1]), b.v[2]) - grow;
    const Vec8 max = upper(upper(b.v[0], b.v[1]), b.v[2]);
    b.max = {max.x + error, max.y + error, max.z + error};
    b.extent = largestEdge(b.min, b.max);
    b.normal = cross(b.v[1] - b.v[0], b.v[2] - b.v[0]);
    b.offset = dot(b.normal, b.v[0]);
    b.normalSize = magnitude(b.normal.x) + magnitude(b.normal.y) + magnitude(b.normal.z);
    b.whole[0] = smallestLane(b.min.x);
    b.whole[1] = smallestLane(b.min.y);
    b.whole[2] = smallestLane(b.min.z);
    b.whole[3] = largestLane(b.max.x);
    b.whole[4] = largestLane(b.max.y);
    b.whole[5] = largestLane(b.max.z);
    placeSlab(b);
    stats_.boxUpdates += p.count;
  }
  /// Two parallel planes around a leaf, across the sum of its normals: they part smooth surfaces close to
  /// each other long before boxes do.
  static void placeSlab(PlacedLeaf& b) {
    b.slab[0] = sumOfLanes(b.normal.x);
    b.slab[1] = sumOfLanes(b.normal.y);
    b.slab[2] = sumOfLanes(b.normal.z);
    const Vec8 n = allVec(b.slab);
    const Float8 d0 = dot(n, b.v[0]), d1 = dot(n, b.v[1]), d2 = dot(n, b.v[2]);
    b.slabLow = smallestLane(smaller(smaller(d0, d1), d2));
    b.slabHigh = largestLane(larger(larger(d0, d1), d2));
  }

  void leaves(SlotPair pair) {
    const WideChild leafA = a_.child(pair.a), leafB = b_.child(pair.b);
    lastLeaves_ = pair;
    gap_ = 0;  // how far triangles are apart is not known
    if (mustStop()) return;
    placeLeafB(leafB);
    const PlacedLeaf& b = placed_;
    const Packet pa = a_.packet(leafA);
    const Vec8 a0 = cornerOf(pa, 0), a1 = cornerOf(pa, 1), a2 = cornerOf(pa, 2);
    const Vec8 minA = lower(lower(a0, a1), a2), maxA = upper(upper(a0, a1), a2);
    std::uint32_t rows =
        meeting(gap(minA, maxA, allVec(b.whole), allVec(b.whole + 3))) & ((1U << pa.count) - 1);
    stats_.boxTests += pa.count;
    if (rows == 0) return;
    if (query_.vectorTriangles) rows &= withinSlab(b, a0, a1, a2);
    if (rows == 0) return;
    const std::uint32_t columns = (1U << b.count) - 1;
    alignas(64) float boxA[6][8];
    storeVec(minA, boxA);
    storeVec(maxA, boxA + 3);
    bool planes = false;
    alignas(64) float planeA[6][8];
    Packet pb{};
    for (; rows != 0; rows &= rows - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(rows));
      const auto broadcast = [i](const float(*from)[8]) {
        return Vec8{Float8::all(from[0][i]), Float8::all(from[1][i]), Float8::all(from[2][i])};
      };
      stats_.boxTests += b.count;
      std::uint32_t mask = meeting(gap(broadcast(boxA), broadcast(boxA + 3), b.min, b.max)) & columns;
      if (mask == 0) continue;
      stats_.triangleCandidates += static_cast<std::uint64_t>(std::popcount(mask));
      if (!planes) {
        planes = true;
        const Vec8 n = cross(a1 - a0, a2 - a0);
        storeVec(n, planeA);
        dot(n, a0).store(planeA[3]);
        (magnitude(n.x) + magnitude(n.y) + magnitude(n.z)).store(planeA[4]);
        largestEdge(minA, maxA).store(planeA[5]);
        pb = b_.packet(leafB);
      }
      if (query_.vectorTriangles) mask &= ~apartByPlanes(b, pa, i, planeA);
      for (; mask != 0; mask &= mask - 1)
        if (enqueue(pa, i, pb, static_cast<std::uint32_t>(std::countr_zero(mask)))) return;
    }
    // A query that ends at the first hit, or drops a pair of surfaces with it, looks at once.
    if (task_.mode != QueryMode::allTrianglePairs) flush();
  }

  /// Lanes of A that reach between the planes of B's slab.
  ///
  /// *Bound.* The normal n is a direction like any other. A corner of B is off by `cornerError`, 8 u S, and
  /// the products round by at most 3 u |n|_1 S on each side: 16 u |n|_1 S.
  HWY_INLINE std::uint32_t withinSlab(const PlacedLeaf& b, const Vec8& a0, const Vec8& a1, const Vec8& a2) {
    const Vec8 n = allVec(b.slab);
    const Float8 d0 = dot(n, a0), d1 = dot(n, a1), d2 = dot(n, a2);
    const float size = std::abs(b.slab[0]) + std::abs(b.slab[1]) + std::abs(b.slab[2]);
    const float margin = 2 * query_.cornerError * size + 0x1p-120F;
    return ((smaller(smaller(d0, d1), d2) <= Float8::all(b.slabHigh + margin)) &
            (Float8::all(b.slabLow - margin) <= larger(larger(d0, d1), d2)))
        .bits();
  }

  /// Lanes of B that lie beyond the plane of triangle i of A, or whose plane has that triangle on one side.
  ///
  /// *Bound.* A normal n, as computed, is a direction like any other; but the triangle that it comes from
  /// does not lie quite across it. With edges at most L long of corners off by at most e (0 for A,
  /// `cornerError` for B) a component of n is off by 8 e L + 9 u L^2, so that the triangle leaves the plane
  /// through its corner v by at most 3 L times that. To this come the errors of v and of the other triangle's
  /// corners, and the roundings of their two products: |n|_1 (2 e + 7 u S). So |n|_1 k + L^2 (6 k + 64 u L)
  /// is a bound with k = 4 cornerError = 32 u S, and without 6 k for A's planes. Underflow in n counts only
  /// where L is below 2^-60; 2^-120 is far above it then.
  HWY_INLINE std::uint32_t apartByPlanes(const PlacedLeaf& b, const Packet& pa, std::uint32_t i,
                                         const float (*planeA)[8]) {
    const float k = 4 * query_.cornerError;
    const Float8 margin = Float8::all(k);
    const Float8 extentA = Float8::all(planeA[5][i]);
    const Float8 tiny = Float8::all(0x1p-120F);
    const Float8 u64 = Float8::all(0x1p-18F);
    // A's plane.
    const Vec8 n{Float8::all(planeA[0][i]), Float8::all(planeA[1][i]), Float8::all(planeA[2][i])};
    const Float8 offset = Float8::all(planeA[3][i]);
    const Float8 s0 = dot(n, b.v[0]) - offset, s1 = dot(n, b.v[1]) - offset, s2 = dot(n, b.v[2]) - offset;
    const Float8 boundA =
        mulAdd(Float8::all(planeA[4][i]), margin, mulAdd(extentA * extentA, extentA * u64, tiny));
    Mask8 apart = (smaller(smaller(s0, s1), s2) > boundA) | (-boundA > larger(larger(s0, s1), s2));
    // B's planes.
    const auto cornerA = [&](std::uint32_t c) {
      const float* row = pa.rows + std::size_t{3} * c * pa.stride + i;
      return Vec8{Float8::all(row[0]), Float8::all(row[pa.stride]),
                  Float8::all(row[2 * std::size_t{pa.stride}])};
    };
    const Float8 t0 = dot(b.normal, cornerA(0)) - b.offset, t1 = dot(b.normal, cornerA(1)) - b.offset,
                 t2 = dot(b.normal, cornerA(2)) - b.offset;
    const Float8 boundB = mulAdd(
        b.normalSize, margin, mulAdd(b.extent * b.extent, mulAdd(b.extent, u64, Float8::all(6 * k)), tiny));
    apart = apart | (smaller(smaller(t0, t1), t2) > boundB) | (-boundB > larger(larger(t0, t1), t2));
    return apart.bits();
  }

  /// True if the traversal must end.
  HWY_INLINE bool enqueue(const Packet& pa, std::uint32_t i, const Packet& pb, std::uint32_t j) {
    const float* from = pa.rows + i;
    for (std::size_t r = 0; r < 9; ++r, from += pa.stride) batch_.a[r][queued_] = *from;
    idA_[queued_] = TriangleId(std::bit_cast<std::uint32_t>(*from));
    from = pb.rows + j;
    for (std::size_t r = 0; r < 9; ++r, from += pb.stride) batch_.b[r][queued_] = *from;
    idB_[queued_] = TriangleId(std::bit_cast<std::uint32_t>(*from));
    if (++queued_ == 8) flush();
    return ended_;
  }

  void flush() {
    if (queued_ == 0) return;
    const std::uint32_t count = queued_;
    queued_ = 0;
    stats_.triangleTests += count;
    Decided8 decided{0, 0};
    if (query_.vectorTriangles) decided = decideTriangles(batch_, Placement8(task_.placement.aFromB));
    for (std::uint32_t todo = ((1U << count) - 1) & ~decided.misses; todo != 0; todo &= todo - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(todo));
      if (mustStop()) return;
      if ((decided.hits >> k & 1U) == 0 && !exactly(k)) continue;
      if (task_.mode == QueryMode::allSurfacePairs) {
        const std::uint32_t a = surfaceA(idA_[k]), b = surfaceB(idB_[k]);
        if (found_.contains(a, b)) continue;
        found_.insert(a, b);
      }
      if (task_.add(idA_[k], idB_[k])) {
        ended_ = true;
        return;
      }
    }
  }
  bool exactly(std::uint32_t k) {
    Triangle a, b;
    for (std::size_t c = 0; c < 3; ++c) {
      a.v[c] = {batch_.a[3 * c][k], batch_.a[3 * c + 1][k], batch_.a[3 * c + 2][k]};
      b.v[c] = {batch_.b[3 * c][k], batch_.b[3 * c + 1][k], batch_.b[3 * c + 2][k]};
    }
    TriangleTester tester(task_.placement.placed(b), task_.touching);
    const bool hit = tester.intersects(a);
    stats_.exactTests += tester.exactTests();
    return hit;
  }

  // ---- surfaces ----

  [[nodiscard]] std::uint32_t surfaceA(TriangleId id) const {
    return static_cast<std::uint32_t>(index(task_.a.surfaceOf(id)));
  }
  [[nodiscard]] std::uint32_t surfaceB(TriangleId id) const {
    return static_cast<std::uint32_t>(index(task_.b.surfaceOf(id)));
  }
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
  /// In a query for all surfaces a pair of surfaces already found is not searched again.
  bool isFoundPair(SlotPair pair) {
    if (found_.empty()) return false;
    const std::uint32_t a = surfaceBelow(a_, pair.a, task_.a);
    if (a == WideNodeHead::mixed) return false;
    const std::uint32_t b = surfaceBelow(b_, pair.b, task_.b);
    return b != WideNodeHead::mixed && found_.contains(a, b);
  }

  const TraversalTask& task_;
  QueryStats& stats_;
  const WideQuery& query_;
  TreeA a_;
  TreeB b_;
  WideFrames frames_;
  std::vector<SlotPair>& stack_;
  FoundSurfaces& found_;
  WideHistory& history_;
  WideChild placedLeaf_;
  bool hasPlaced_ = false, ended_ = false;
  PlacedLeaf placed_;
  std::uint32_t queued_ = 0;
  TriangleBatch& batch_;
  std::array<TriangleId, 8> idA_, idB_;
  bool first_, coherent_;
  bool tracking_ = false;  ///< the front is being written down
  float gap_ = 0;          ///< least distance of what the present visit rejected
  SlotPair lastLeaves_{};
};

/// Goes on from the pairs on the stack: to the end, or with `order` `spread` until so many wait as it says.
/// With `witness` looks into these leaves alone, and returns whether that ended the query.
inline bool traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                     WideScratch::Data& scratch, const WideOrder& order) {
  const auto run = [&]<typename TreeA, typename TreeB>() {
    WideTraversal<TreeA, TreeB> traversal(task, a, b, query, scratch);
    if (order.witness) return traversal.runWitness(*order.witness);
    if (order.spreadUntil > 0)
      traversal.spread(order.spreadUntil);
    else
      traversal.run(order.writeFront);
    return false;
  };
  const bool fastA = a.layout == WideLayout::fast, fastB = b.layout == WideLayout::fast;
  if (fastA && fastB) return run.template operator()<FastTree, FastTree>();
  if (fastA) return run.template operator()<FastTree, CompactTree>();
  if (fastB) return run.template operator()<CompactTree, FastTree>();
  return run.template operator()<CompactTree, CompactTree>();
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

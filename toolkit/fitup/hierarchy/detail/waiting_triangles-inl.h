// Pairs of triangles that wait for their test, for one target. See lanes-inl.h for inclusion.

#if defined(FITUP_WAITING_TRIANGLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WAITING_TRIANGLES_INL
#undef FITUP_WAITING_TRIANGLES_INL
#else
#define FITUP_WAITING_TRIANGLES_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include <hwy/cache_control.h>

#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/picked_pairs-inl.h>
#include <fitup/hierarchy/detail/placed_triangles-inl.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Pairs of triangles of leaves that are tested together in queries for all pairs. Pairs that the vector test
/// leaves open are tested one by one.
///
/// Many pairs wait before any is tested. A vector that is read soon after it was written in pieces waits for
/// each of them; consecutive tests overlap; and the number of intersecting pairs misleads the branch
/// prediction once in four tests. Together this saves 5 to 9 % of a query.
template <std::size_t lanes>
class WaitingTriangles {
 public:
  /// `rows` is null if none will be added.
  WaitingTriangles(const TraversalTask& task, const WideQuery& query, ManyTriangles* rows)
      : task_(task), query_(query), rows_(rows) {}

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Number of pairs that are tested at a time.
  static constexpr std::uint32_t most = 64;
  /// Returns true if so many pairs wait that some must be tested and dropped before more are added.
  [[nodiscard]] bool areMany() const noexcept { return count_ >= most; }
  [[nodiscard]] TrianglePair pair(std::uint32_t k) const noexcept {
    return {decodeTriangleId(rows_->a[9][k]), decodeTriangleId(rows_->b[9][k])};
  }

  /// Prefetches the end of the answer, where the next pairs are stored, before it is known which pairs
  /// intersect. A long answer does not stay in the caches.
  HWY_INLINE void prefetchAnswer() const {
    // As a number, because the address may lie beyond the allocation.
    const auto next = reinterpret_cast<std::uintptr_t>(task_.found.data() + task_.found.size());
    for (std::size_t at = 0; at <= most * sizeof(TrianglePair); at += 64)
      hwy::Prefetch(reinterpret_cast<const char*>(next + at));
  }

  /// Appends picked pairs of triangles of two leaves to those that wait. `placedB` belongs to `pb`.
  template <std::size_t N>
  HWY_INLINE void add(const Packet& pa, const Packet& pb, const PlacedTriangles& placedB,
                      const PickedTriangles<N>& pairs) {
    // Local copies, which no store can change.
    float* toA = &rows_->a[0][count_];
    float* toB = &rows_->b[0][count_];
    const float *fromA = pa.rows, *fromB = placedB.rows();
    Floats<N> first[3];
    for (std::size_t r = 0; r < 9; ++r) {
      const Floats<N> ofA = pairs.row.of(fromA);
      if (r < 3) first[r] = ofA;
      (ofA - (r < 3 ? Floats<N>::all(placedB.origin()[r]) : first[r % 3])).store(toA);
      pairs.lane.of(fromB).store(toB);
      fromA += pa.stride;
      fromB += PlacedTriangles::stride;
      toA += ManyTriangles::width;
      toB += ManyTriangles::width;
    }
    pairs.row.of(fromA).store(toA);
    pairs.lane.of(pb.rows + std::size_t{9} * pb.stride).store(toB);
    count_ += pairs.count;
  }

  /// Returns which of the first `count` pairs (at most `most`) intersect, as bits. Calls `mustStop` with each
  /// pair that vectors leave open; if it returns true, returns the pairs that are known to intersect.
  template <typename MustStop>
  HWY_INLINE std::uint64_t meeting(std::uint32_t count, MustStop&& mustStop) const {
    const WideDecided64 decided = query_.vectorTriangles ? decide(count) : WideDecided64{0, 0};
    const std::uint64_t asked = ~std::uint64_t{0} >> (64 - count);
    std::uint64_t meet = decided.hits & asked;
    for (std::uint64_t open = asked & ~(decided.hits | decided.misses); open != 0; open &= open - 1) {
      if (mustStop()) return meet;
      if (exactly(static_cast<std::uint32_t>(std::countr_zero(open)))) meet |= lowestBit(open);
    }
    return meet;
  }

  /// Drops the first `count` pairs. Precondition: fewer than `lanes` pairs remain.
  HWY_INLINE void drop(std::uint32_t count) {
    count_ -= count;
    if (count_ == 0) return;
    using Lanes = Floats<lanes>;
    for (std::size_t r = 0; r < 10; ++r) {
      Lanes::load(rows_->a[r] + count).store(rows_->a[r]);
      Lanes::load(rows_->b[r] + count).store(rows_->b[r]);
    }
  }

 private:
  struct WideDecided64 {
    std::uint64_t hits, misses;
  };

  HWY_INLINE WideDecided64 decide(std::uint32_t count) const {
    const float least = query_.leastExtent;
    WideDecided64 all{0, 0};
    for (std::uint32_t from = 0; from < count; from += lanes) {
      using Rows = WaitingRows<lanes, ManyTriangles::width>;
      const WideDecided d = decideEdges<lanes>(Rows{rows_->a, from}, Rows{rows_->b, from}, least);
      all.hits |= std::uint64_t{d.hits} << from;
      all.misses |= std::uint64_t{d.misses} << from;
    }
    return all;
  }
  [[nodiscard]] bool exactly(std::uint32_t k) const {
    const TrianglePair ids = pair(k);
    return meetExactly(task_, task_.a.triangle(ids.a), task_.b.triangle(ids.b));
  }

  const TraversalTask& task_;
  const WideQuery& query_;
  static_assert(most % lanes == 0 && ManyTriangles::width >= most + lanes);
  ManyTriangles* rows_;
  std::uint32_t count_ = 0;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

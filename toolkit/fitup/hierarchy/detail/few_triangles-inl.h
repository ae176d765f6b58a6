// A few pairs of triangles of two leaves, tested at once, for one target. See lanes-inl.h for inclusion.

#if defined(FITUP_FEW_TRIANGLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_FEW_TRIANGLES_INL
#undef FITUP_FEW_TRIANGLES_INL
#else
#define FITUP_FEW_TRIANGLES_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

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

/// Returns the picked lanes of a row of a leaf, in the first N of eight lanes.
template <std::size_t N>
HWY_INLINE Floats<N> pickedRow(const Picks<8>& picks, const float* row) {
  const Float8 eight = picks.of(row);
  if constexpr (N == 8)
    return eight;
  else
    return eight.lowerHalf();
}
/// Rows of a leaf of A: first corners relative to a point, and edges.
template <std::size_t N>
struct PickedOfA {
  const Packet& packet;
  const Picks<8>& picks;
  const float (&origin)[3];

  [[nodiscard]] HWY_INLINE Floats<N> floats(std::size_t r) const {
    const auto corner = [&](std::size_t k) __attribute__((always_inline)) {
      return pickedRow<N>(picks, packet.rows + k * packet.stride);
    };
    return corner(r) - (r < 3 ? Floats<N>::all(origin[r]) : corner(r % 3));
  }
};
/// Rows of a placed leaf.
template <std::size_t N>
struct PickedOfB {
  const PlacedTriangles& placed;
  const Picks<8>& picks;

  [[nodiscard]] HWY_INLINE Floats<N> floats(std::size_t r) const {
    return pickedRow<N>(picks, placed.rows() + r * PlacedTriangles::stride);
  }
};

/// Up to eight pairs of triangles of two leaves, for queries that need only one intersecting pair. They are
/// picked into registers and tested there, because a detour through memory would cost time.
class FewTriangles {
 public:
  /// Takes pairs from the bits of `pairs` (pair_set.h): by row of A and by lane of B. Precondition: the
  /// leaves stay valid.
  HWY_INLINE FewTriangles(const Packet& a, const Packet& b, const PlacedTriangles& placedB,
                          std::uint64_t& pairs)
      : a_(a), b_(b), placedB_(placedB), all_(pairs), picked_(PickedTriangles<8>::takenFrom(pairs)) {
    all_ ^= pairs;
  }
  [[nodiscard]] HWY_INLINE std::uint32_t count() const { return picked_.count; }
  [[nodiscard]] TrianglePair pair(std::uint32_t k) const {
    const std::uint32_t bit = place(k);
    return {a_.triangle(bit >> 3), b_.triangle(bit & 7U)};
  }
  /// Stores all pairs in a batch.
  void storeTo(TriangleBatch& batch) const {
    for (std::size_t r = 0; r < 10; ++r) {
      picked_.row.of(a_.rows + r * a_.stride).store(batch.a[r]);
      picked_.lane.of(b_.rows + r * b_.stride).store(batch.b[r]);
    }
  }

  /// Returns an intersecting pair, or `count` if there is none. Pairs that the vector test leaves open are
  /// tested one by one; `mustStop` is called with each of them.
  template <typename MustStop>
  HWY_INLINE std::uint32_t meeting(const TraversalTask& task, const WideQuery& query,
                                   MustStop&& mustStop) const {
    const WideDecided decided = query.vectorTriangles ? decide(query) : WideDecided{0, 0};
    const std::uint32_t asked = (1U << count()) - 1, hits = decided.hits & asked;
    if (hits != 0) return static_cast<std::uint32_t>(std::countr_zero(hits));
    for (std::uint32_t open = asked & ~decided.misses; open != 0; open &= open - 1) {
      if (mustStop()) break;
      const auto k = static_cast<std::uint32_t>(std::countr_zero(open));
      const std::uint32_t bit = place(k);
      if (meetExactly(task, a_.corners(bit >> 3), b_.corners(bit & 7U))) return k;
    }
    return count();
  }

 private:
  HWY_INLINE WideDecided decide(const WideQuery& query) const {
    // Fewer vectors give the answer sooner.
    if constexpr (Float8::parts > 1)
      if (count() <= 4) return decideOf<4>(query);
    return decideOf<8>(query);
  }
  template <std::size_t N>
  HWY_INLINE WideDecided decideOf(const WideQuery& query) const {
    return decideEdges<N>(PickedOfA<N>{a_, picked_.row, placedB_.origin()},
                          PickedOfB<N>{placedB_, picked_.lane}, query.leastExtent);
  }
  /// Returns the bit of the k-th pair.
  [[nodiscard]] HWY_INLINE std::uint32_t place(std::uint32_t k) const {
#if FITUP_AVX512
    return static_cast<std::uint32_t>(std::countr_zero(_pdep_u64(std::uint64_t{1} << k, all_)));
#else
    std::uint64_t rest = all_;
    for (; k > 0; --k) rest &= rest - 1;
    return static_cast<std::uint32_t>(std::countr_zero(rest));
#endif
  }

  const Packet &a_, &b_;
  const PlacedTriangles& placedB_;
  std::uint64_t all_;
  PickedTriangles<8> picked_;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

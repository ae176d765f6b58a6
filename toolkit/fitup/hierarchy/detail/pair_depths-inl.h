// Overlap depths of the children of two nodes, by pair. See lanes-inl.h for inclusion.

#if defined(FITUP_PAIR_DEPTHS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_PAIR_DEPTHS_INL
#undef FITUP_PAIR_DEPTHS_INL
#else
#define FITUP_PAIR_DEPTHS_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_set.h>
#include <fitup/hierarchy/detail/picked_pairs-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Distances, negative where two boxes overlap: of all pairs of eight and eight, N at a time, or of listed
/// pairs, sixteen at a time. Pairs are bits as in `PairSet`. Comparisons with NaN (after overflow) fail.
template <std::size_t N>
class PairDepths {
  using Rows = LaneRows<N>;
  using Lanes = Floats<N>;

 public:
  /// Switches to these pairs, in the order of their bits. Before, it holds all pairs, each at the index of
  /// its bit.
  HWY_INLINE void list(std::uint64_t pairs) { listed_ = pairs; }

  /// Call before distances are stored, by groups, for all pairs that may meet.
  HWY_INLINE void startPutting() { deepest_ = Lanes::all(std::numeric_limits<float>::infinity()); }
  HWY_INLINE void put(const Lanes& distance, std::size_t group) {
    distance.store(at_ + N * group);
    deepest_ = smaller(deepest_, withPlaces(distance, N * group));
  }
  HWY_INLINE void putLarger(const Lanes& distance, std::size_t group) {
    put(larger(ofGroup(group), distance), group);
  }
  /// Ends storing. `meet` has the pairs that meet; the deepest of them is then known.
  HWY_INLINE void finishPutting(std::uint64_t meet) { put_ = meet; }

  /// Stores distances of listed pairs.
  HWY_INLINE void putListed(const Floats<16>& distance, std::size_t first) { distance.store(at_ + first); }

  [[nodiscard]] HWY_INLINE float of(std::uint64_t pair) const {
#if FITUP_AVX512
    if (listed_ != 0) return at_[std::countr_zero(_pext_u64(pair, listed_))];
#endif
    return at_[std::countr_zero(pair)];
  }
  /// Returns the least distance of some pairs; infinity if none is a number.
  [[nodiscard]] HWY_INLINE float least(std::uint64_t pairs) const {
    return smallest(pairs, [](const auto& distances, std::size_t) { return distances; });
  }
  /// Returns those of some pairs that are at least as deep.
  [[nodiscard]] HWY_INLINE std::uint64_t atLeastAsDeep(std::uint64_t pairs, float depth) const {
    std::uint64_t deep = 0;
#if FITUP_AVX512
    if (listed_ != 0) {
      forListed(_pext_u64(pairs, listed_), [&](std::size_t first) {
        deep |= std::uint64_t{(Floats<16>::load(at_ + first) <= Floats<16>::all(depth)).bits()} << first;
      });
      return pairs & _pdep_u64(deep, listed_);
    }
#endif
    // Tests all groups. Their number varies, and a branch on it costs more than the tests.
    for (std::size_t g = 0; g < Rows::groups; ++g)
      deep |= Rows::in((ofGroup(g) <= Lanes::all(depth)).bits(), g);
    return pairs & deep;
  }
  /// Returns the deepest of some pairs, or nearly so. Small differences are irrelevant, and searches in the
  /// order of the tree keep better locality.
  [[nodiscard]] HWY_INLINE std::uint64_t deepest(std::uint64_t pairs) const {
    if ((pairs & (pairs - 1)) == 0) return pairs;
    // One reduction finds the depth and its position. A second search for equal depths would lengthen the
    // chain of steps to the first pair. For all pairs that meet, all but the last step was done before.
    const float best = pairs == put_ ? smallestLane(deepest_)
                                     : smallest(pairs, [](const auto& distances, std::size_t first) {
                                         return withPlaces(distances, first);
                                       });
    std::uint64_t pair = std::uint64_t{1} << placeIn(best);
#if FITUP_AVX512
    if (listed_ != 0) pair = _pdep_u64(pair, listed_);
#endif
    return (pairs & pair) != 0 ? pair : lowestBit(pairs);
  }

 private:
  [[nodiscard]] HWY_INLINE Lanes ofGroup(std::size_t g) const { return Lanes::load(at_ + N * g); }
  /// Returns the smallest lane of what `of` computes from the distances of some pairs and the position of the
  /// first of them; infinity at most.
  template <typename Of>
  [[nodiscard]] HWY_INLINE float smallest(std::uint64_t pairs, Of&& of) const {
#if FITUP_AVX512
    if (listed_ != 0) {
      const std::uint64_t places = _pext_u64(pairs, listed_);
      return smallestOfGroups<16>(places, of, [&](auto&& look) { forListed(places, look); });
    }
#endif
    return smallestOfGroups<N>(
        pairs, of, [&](auto&& look) { Rows::forGroups(pairs, [&](std::size_t g) { look(N * g); }); });
  }
  template <std::size_t M, typename Of, typename ForGroups>
  [[nodiscard]] HWY_INLINE float smallestOfGroups(std::uint64_t places, Of&& of,
                                                  ForGroups&& forGroups) const {
    const auto none = Floats<M>::all(std::numeric_limits<float>::infinity());
    Floats<M> best = none;
    forGroups([&](std::size_t first) {
      const auto chosen = Masks<M>::of(static_cast<std::uint32_t>(places >> first) & ((1U << M) - 1));
      best = smaller(best, select(chosen, of(Floats<M>::load(at_ + first), first), none));
    });
    return smallestLane(best);
  }
  template <typename Work>
  static HWY_INLINE void forListed(std::uint64_t places, Work&& work) {
    const auto last = static_cast<std::size_t>(63 - std::countl_zero(places));
    for (std::size_t first = 0; first <= last; first += 16) work(first);
  }

  std::uint64_t listed_ = 0;  ///< 0 means all pairs
  std::uint64_t put_ = 0;     ///< the pairs that `deepest_` covers
  Lanes deepest_;             ///< by lane, `withPlaces`
  alignas(64) float at_[64];
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

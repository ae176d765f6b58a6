// Every lane of eight with every lane of eight others, as rows. See lanes-inl.h for inclusion.

#if defined(FITUP_LANE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_LANE_ROWS_INL
#undef FITUP_LANE_ROWS_INL
#else
#define FITUP_LANE_ROWS_INL
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_set.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Number of lanes of the widest useful vectors: 16 if the target has them, otherwise 8.
constexpr std::size_t mostLanes = hn::MaxLanes(hn::ScalableTag<float>()) >= 16 ? 16 : 8;

/// Eight rows of eight lanes, N lanes at a time: lane 8 r + i of group g stands for row g * atOnce + r and
/// lane i. Masks are eight times eight bits in one word (pair_set.h).
template <std::size_t N>
struct LaneRows {
  using F = Floats<N>;
  static constexpr std::size_t atOnce = N / 8, groups = 8 / atOnce;

  /// Calls `work` with each group that has a bit in the masks, and perhaps with others: if there are few
  /// groups, a branch for each costs more than the work that it saves.
  template <typename Work>
  static HWY_INLINE void forGroups(std::uint64_t masks, Work&& work) {
    if constexpr (atOnce > 1)
      for (std::size_t g = 0; g < groups; ++g) work(g);
    else
      for (std::uint32_t rows = anyOfEach(masks); rows != 0; rows &= rows - 1)
        work(static_cast<std::size_t>(std::countr_zero(rows)));
  }
  /// The masks of the rows of a group.
  static HWY_INLINE std::uint32_t at(std::uint64_t masks, std::size_t group) {
    return static_cast<std::uint32_t>(masks >> (N * group)) & ((1U << N) - 1);
  }
  /// The masks of one group; the others are empty.
  static HWY_INLINE std::uint64_t in(std::uint32_t masks, std::size_t group) {
    return std::uint64_t{masks} << (N * group);
  }

  /// Repeats eight lanes in each row.
  static HWY_INLINE F each(const Float8& a) { return twice<F>(a); }
  static HWY_INLINE Vecs<N> each(const Vec8& a) { return {each(a.x), each(a.y), each(a.z)}; }

  /// Fills the lanes of each row with that row's entry of eight floats.
  static HWY_INLINE F own(const float* eight, std::size_t group) { return ofRows<F>(eight, group); }
  static HWY_INLINE Vecs<N> own(const float (*eight)[8], std::size_t group) {
    return {own(eight[0], group), own(eight[1], group), own(eight[2], group)};
  }

 private:
  // Templates of the vector too, so that only the branch of the target is checked.
  template <typename To>
  static HWY_INLINE To twice(const Float8& a) {
#if HWY_TARGET != HWY_SCALAR  // whose vectors need not be combined
    if constexpr (atOnce > 1) {
      To r;
      r.v[0] = hn::Combine(typename To::D(), a.v[0], a.v[0]);
      return r;
    } else
#endif
      return a;
  }
  template <typename To>
  static HWY_INLINE To ofRows(const float* eight, std::size_t group) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (atOnce > 1) {
      alignas(64) static constexpr std::int32_t row[4][16] = {
          {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
          {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3},
          {4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5},
          {6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7}};
      const typename To::D lanes;
      To r;
      r.v[0] = hn::TableLookupLanes(hn::ZeroExtendVector(lanes, Float8::load(eight).v[0]),
                                    hn::SetTableIndices(lanes, row[group]));
      return r;
    } else
#endif
      return To::all(eight[group]);
  }
};

/// Picks those of eight floats that N indices below 8 select. The indices are kept in a vector if it holds
/// eight.
template <std::size_t N>
class Picks {
 public:
  /// Takes at most eight indices from the bytes of a word, the first one lowest. It avoids memory, because
  /// reading a vector whose parts were just written waits for them.
  explicit HWY_INLINE Picks(std::uint64_t bytes) : table_(tableOf<Floats<N>>(bytes)) {}
  /// Takes indices in a vector with the same number of lanes.
  template <typename Indices>
  requires(!std::is_convertible_v<Indices, std::uint64_t>) explicit HWY_INLINE Picks(const Indices& indices)
      : table_(hn::IndicesFromVec(typename Floats<N>::D(), indices)) {}
  HWY_INLINE Floats<N> of(const float* eight) const { return picked<Floats<N>>(eight, table_); }

 private:
  // Templates of the vector too, so that only the branch of the target is checked.
  template <typename To>
  static HWY_INLINE auto tableOf(std::uint64_t bytes) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (To::width >= 8) {
      const hn::Rebind<std::int32_t, typename To::D> ints;
      const auto packed = hn::BitCast(hn::Rebind<std::uint8_t, typename To::D>(),
                                      hn::Set(hn::CappedTag<std::uint64_t, To::width / 8>(), bytes));
      return hn::IndicesFromVec(typename To::D(), hn::PromoteTo(ints, packed));
    } else
#endif
    {
      std::array<std::int32_t, N> indices;
      for (std::size_t i = 0; i < N; ++i) indices[i] = static_cast<std::int32_t>(bytes >> (8 * i) & 0xffU);
      return indices;
    }
  }
  template <typename To, typename Table>
  static HWY_INLINE To picked(const float* eight, const Table& table) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (To::width == 16) {
      To r;
      r.v[0] = hn::TableLookupLanes(hn::ZeroExtendVector(typename To::D(), Float8::load(eight).v[0]), table);
      return r;
    } else if constexpr (To::width == 8) {
      To r;
      r.v[0] = hn::TableLookupLanes(hn::LoadU(typename To::D(), eight), table);
      return r;
    } else
#endif
    {
      float lane[N];
      for (std::size_t i = 0; i < N; ++i) lane[i] = eight[table[i]];
      return To::load(lane);
    }
  }
  decltype(tableOf<Floats<N>>(0)) table_;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

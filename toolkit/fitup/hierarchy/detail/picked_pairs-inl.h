// Pairs of some of eight lanes with some of eight others, sixteen at a time. See lanes-inl.h for inclusion.

#if defined(FITUP_PICKED_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_PICKED_PAIRS_INL
#undef FITUP_PICKED_PAIRS_INL
#else
#define FITUP_PICKED_PAIRS_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_set.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_cylinders-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

#if FITUP_AVX512

/// Rows and columns of pairs in the order of their bits, as positions in the lists of the rows and columns
/// that take part. Indexed by the number of columns.
struct PairPlaces {
  alignas(16) std::uint8_t row[9][64]{}, column[9][64]{};
  constexpr PairPlaces() {
    for (std::size_t n = 1; n <= 8; ++n)
      for (std::size_t k = 0; k < 64; ++k) {
        row[n][k] = static_cast<std::uint8_t>(k / n & 7U);
        column[n][k] = static_cast<std::uint8_t>(k % n);
      }
  }
};
inline constexpr PairPlaces pairPlaces{};

/// The pairs of some rows with some columns (pair_set.h), picked into the lanes of vectors.
class PickedPairs {
  using Lanes = Floats<16>;
  using Ints = hn::CappedTag<std::int32_t, 16>;
  using Ints8 = hn::CappedTag<std::int32_t, 8>;
  using Places = decltype(hn::IndicesFromVec(typename Lanes::D(), hn::Zero(Ints())));

 public:
  HWY_INLINE PickedPairs(std::uint32_t rows, std::uint32_t columns)
      : bits_(inEach(columns) & _pdep_u64(rows, inEach(1)) * 0xff),
        ofEach_(static_cast<std::uint32_t>(std::popcount(columns))),
        count_(static_cast<std::uint32_t>(std::popcount(rows)) * ofEach_),
        rows_(listOf(rows)),
        columns_(listOf(columns)) {}
  [[nodiscard]] HWY_INLINE std::uint64_t bits() const { return bits_; }
  [[nodiscard]] HWY_INLINE std::uint32_t count() const { return count_; }
  /// Returns the bits of the pairs at some places.
  [[nodiscard]] HWY_INLINE std::uint64_t bitsAt(std::uint64_t places) const {
    return _pdep_u64(places, bits_);
  }

  /// One pair in each lane.
  struct Sixteen {
    Places row, column;
    std::uint32_t lanes;  ///< the lanes that hold a pair

    /// Returns the values of the row, or of the column, of each lane's pair.
    template <typename T>
    HWY_INLINE auto ofRow(const T& eight) const {
      return picked(eight, row);
    }
    template <typename T>
    HWY_INLINE auto ofColumn(const T& eight) const {
      return picked(eight, column);
    }
  };
  HWY_INLINE Sixteen from(std::uint32_t first) const {
    const std::uint32_t left = count_ - first;
    return {places(pairPlaces.row[ofEach_] + first, rows_),
            places(pairPlaces.column[ofEach_] + first, columns_), left < 16 ? (1U << left) - 1 : 0xffffU};
  }

 private:
  static HWY_INLINE hn::Vec<Ints> listOf(std::uint32_t mask) {
    const std::uint8_t bits[8] = {static_cast<std::uint8_t>(mask)};
    return hn::ZeroExtendVector(Ints(), hn::Compress(hn::Iota(Ints8(), 0), hn::LoadMaskBits(Ints8(), bits)));
  }
  static HWY_INLINE Places places(const std::uint8_t* among, const hn::Vec<Ints>& list) {
    const hn::Rebind<std::uint8_t, Ints> bytes;
    const auto index = hn::IndicesFromVec(Ints(), hn::PromoteTo(Ints(), hn::Load(bytes, among)));
    return hn::IndicesFromVec(typename Lanes::D(), hn::TableLookupLanes(list, index));
  }
  static HWY_INLINE Lanes picked(const Float8& v, const Places& at) {
    Lanes r;
    r.v[0] = hn::TableLookupLanes(hn::ZeroExtendVector(Lanes::D(), v.v[0]), at);
    return r;
  }
  static HWY_INLINE Vecs<16> picked(const Vec8& v, const Places& at) {
    return {picked(v.x, at), picked(v.y, at), picked(v.z, at)};
  }
  static HWY_INLINE TwoFrames<16> picked(const TwoFrames<8>& f, const Places& at) {
    return {picked(f.min, at), picked(f.max, at), picked(f.minInB, at), picked(f.maxInB, at)};
  }
  static HWY_INLINE Cylinders<16> picked(const Cylinders<8>& c, const Places& at) {
    return {picked(c.centre, at), picked(c.axis, at), picked(c.half, at), picked(c.radius, at)};
  }

  std::uint64_t bits_;
  std::uint32_t ofEach_, count_;
  hn::Vec<Ints> rows_, columns_;
};

/// Returns the positions of up to sixteen bits of a word, in order. Further lanes are 0.
HWY_INLINE hn::Vec<hn::CappedTag<std::int32_t, 16>> placesOf(std::uint64_t bits) {
#if HWY_TARGET <= HWY_AVX3_DL  // VBMI2
  const auto bytes = hn::Iota(hn::CappedTag<std::uint8_t, 64>(), 0);
  return {_mm512_cvtepu8_epi32(_mm512_castsi512_si128(_mm512_maskz_compress_epi8(bits, bytes.raw)))};
#else
  const hn::CappedTag<std::int32_t, 16> ints;
  const auto first = hn::Iota(ints, 0);
  __m512i places = _mm512_setzero_si512();
  int count = 0;
  for (int from = 0; from < 64; from += 16) {
    // Takes sixteen bits of the word at a time and shifts them behind the previous ones. Nothing is kept in
    // memory, and no branch depends on their number.
    const auto part = static_cast<__mmask16>(bits >> from);
    const __m512i packed = _mm512_maskz_compress_epi32(part, hn::Add(first, hn::Set(ints, from)).raw);
    const auto behind = static_cast<__mmask16>(0xffffU << count);
    places = _mm512_or_si512(
        places, _mm512_maskz_permutexvar_epi32(behind, hn::Sub(first, hn::Set(ints, count)).raw, packed));
    count += std::popcount(std::uint32_t{part});
  }
  return {places};
#endif
}

#endif

/// Up to N of the pairs given as bits (pair_set.h), as indices of their rows and lanes.
template <std::size_t N>
struct PickedTriangles {
  Picks<N> row, lane;
  std::uint32_t count;

  /// Takes the first pairs out of `pairs`.
  static HWY_INLINE PickedTriangles takenFrom(std::uint64_t& pairs) {
#if FITUP_AVX512
    const std::uint64_t taken = _pdep_u64((std::uint64_t{1} << N) - 1, pairs);
    pairs ^= taken;
    const hn::CappedTag<std::int32_t, 16> ints;
    const auto places = placesOf(taken);
    const auto row = hn::ShiftRight<3>(places), lane = hn::And(places, hn::Set(ints, 7));
    const auto count = static_cast<std::uint32_t>(std::popcount(taken));
    if constexpr (N == 16)
      return {Picks<N>(row), Picks<N>(lane), count};
    else
      return {Picks<N>(hn::LowerHalf(row)), Picks<N>(hn::LowerHalf(lane)), count};
#else
    static_assert(N <= 8);
    // No branches. GCC inserts them if it sees when no bit is left, but the number of bits misleads the
    // branch prediction twice in each pair of leaves.
    const int before = std::popcount(pairs);
    std::uint64_t places = 0;
    for (std::size_t k = 0; k < N; ++k) {
      places |= static_cast<std::uint64_t>(std::countr_zero(pairs)) << (8 * k);  // 64 if no bit is left
      pairs &= pairs - 1;
      asm("" : "+r"(pairs));
    }
    const std::uint64_t threeBits = inEach(7);
    return {Picks<N>(places >> 3 & threeBits), Picks<N>(places & threeBits),
            static_cast<std::uint32_t>(before - std::popcount(pairs))};
#endif
  }
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif

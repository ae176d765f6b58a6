// Comparison in 16 bits of the boxes of triangles of two leaves, for the target that benefits. See
// lanes-inl.h for inclusion.

#if defined(FITUP_SHORT_BOXES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_SHORT_BOXES_INL
#undef FITUP_SHORT_BOXES_INL
#else
#define FITUP_SHORT_BOXES_INL
#endif

#include <cstddef>
#include <cstdint>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_leaves-inl.h>

#if FITUP_AVX2
HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// The boxes of a leaf's triangles as integers of 16 bits. Two rows of pairs are compared at once, where
/// floats take a vector for each.
///
/// Sides of both leaves are converted to integers by the same monotonic steps (a product, a limit, the
/// nearest integer). Boxes that meet therefore also meet as integers. Boxes that meet only as integers are at
/// most 2^-14 of the leaf's reach apart; their triangles are tested in vain. Sides that are NaN (after
/// overflow) become integers that meet everything.
class ShortBoxes {
  using Shorts = hn::CappedTag<std::int16_t, 16>;
  using ShortVec = hn::Vec<Shorts>;

 public:
  void set(const LeafBoxes& boxes) {
    const Vec8 reach{larger(magnitude(boxes.min.x), magnitude(boxes.max.x)),
                     larger(magnitude(boxes.min.y), magnitude(boxes.max.y)),
                     larger(magnitude(boxes.min.z), magnitude(boxes.max.z))};
    // The sum is not zero.
    scale_ = 0x1p14F / (largestLane(larger(larger(reach.x, reach.y), reach.z)) + 0x1p-100F);
    const auto put = [&](const Float8& min, const Float8& max, std::size_t axis) HWY_ATTR
        __attribute__((always_inline)) {
      // Minima in one half, maxima in the other.
      const auto halves = _mm256_permute4x64_epi64(shorts(min, max).raw, 0b11011000);
      hn::StoreU(ShortVec{halves}, Shorts(), side_[axis]);
    };
    put(boxes.min.x, boxes.max.x, 0);
    put(boxes.min.y, boxes.max.y, 1);
    put(boxes.min.z, boxes.max.z, 2);
  }

  /// Same as `meetingBoxes`: a mask of these for each of `a`. Bits of lanes beyond the counts of the two
  /// leaves are undefined.
  [[nodiscard]] HWY_INLINE std::uint64_t meeting(const LeafBoxes& a) const {
    const auto side = [&](std::size_t axis, std::size_t from) HWY_ATTR __attribute__((always_inline)) {
      return hn::LoadDup128(Shorts(), side_[axis] + from);
    };
    const ShortVec minX = side(0, 0), minY = side(1, 0), minZ = side(2, 0), maxX = side(0, 8),
                   maxY = side(1, 8), maxZ = side(2, 8);
    const ShortVec x = shorts(a.min.x, a.max.x), y = shorts(a.min.y, a.max.y), z = shorts(a.min.z, a.max.z);
    // Row r in the lower half, row r + 4 in the upper half.
    const auto apart = [&](std::size_t r) HWY_ATTR __attribute__((always_inline)) {
      const ShortVec toMin = bytesOf(r), toMax = bytesOf(r + 4);
      const auto own = [](const ShortVec& v, const ShortVec& bytes) HWY_ATTR __attribute__((always_inline)) {
        return hn::TableLookupBytes(v, bytes);
      };
      const auto inX = hn::Or(own(x, toMin) > maxX, minX > own(x, toMax)),
                 inY = hn::Or(own(y, toMin) > maxY, minY > own(y, toMax)),
                 inZ = hn::Or(own(z, toMin) > maxZ, minZ > own(z, toMax));
      return hn::VecFromMask(Shorts(), hn::Or(hn::Or(inX, inY), inZ));
    };
    const std::uint32_t rows0145 = bits(apart(0), apart(1)), rows2367 = bits(apart(2), apart(3));
    const std::uint32_t rows0123 = (rows0145 & 0xffffU) | rows2367 << 16,
                        rows4567 = rows0145 >> 16 | (rows2367 & 0xffff0000U);
    return ~(rows0123 | std::uint64_t{rows4567} << 32);
  }

 private:
  /// Returns minima and maxima 0 to 3, then 4 to 7.
  [[nodiscard]] HWY_INLINE ShortVec shorts(const Float8& min, const Float8& max) const {
    const Float8 scale = Float8::all(scale_), limit = Float8::all(0x1p15F);
    return {_mm256_packs_epi32(nearest(min * scale), nearest(smaller(max * scale, limit)))};
  }
  /// Rounds to the nearest integer. NaN and numbers beyond 2^31 on both sides give the least integer. Maxima
  /// therefore have a limit, which replaces NaN. (`hn::NearestInt` takes three more instructions.)
  static HWY_INLINE __m256i nearest(const Float8& v) { return _mm256_cvtps_epi32(v.v[0].raw); }
  /// Returns the two byte positions of a short within a half, for all lanes.
  static HWY_INLINE ShortVec bytesOf(std::size_t i) {
    return hn::Set(Shorts(), static_cast<std::int16_t>(2 * i | (2 * i + 1) << 8));
  }
  static HWY_INLINE std::uint32_t bits(const ShortVec& first, const ShortVec& second) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_packs_epi16(first.raw, second.raw)));
  }

  alignas(32) std::int16_t side_[3][16];  ///< eight minima and eight maxima along each axis
  float scale_;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();
#endif

#endif

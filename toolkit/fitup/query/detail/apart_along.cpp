#include <fitup/query/detail/boxes_apart.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/apart_along.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fitup/query/detail/two_placed_boxes.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

using Double4 = double __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));

HWY_INLINE Double4 mulAdd(Double4 a, Double4 b, Double4 c) { return _mm256_fmadd_pd(a, b, c); }
HWY_INLINE Double4 all(double v) { return Double4{v, v, v, v}; }
HWY_INLINE Double4 magnitude(Double4 v) {
  return __builtin_bit_cast(Double4, __builtin_bit_cast(Long4, v) & 0x7fffffffffffffff);
}
/// Zero in the other lanes.
HWY_INLINE Double4 chosen(Double4 v, Long4 lanes) {
  return __builtin_bit_cast(Double4, __builtin_bit_cast(Long4, v) & lanes);
}
HWY_INLINE Double4 lanes(const std::array<double, 4>& from) { return _mm256_load_pd(from.data()); }

/// A placement by rows: those of the matrix with what follows them in the fourth lane, and its last entry
/// with the translation. Read in pairs, as it was likely written just before: to read other pieces than were
/// written waits until they are in the cache.
struct Rows {
  Double4 row[3], last;

  HWY_INLINE explicit Rows(const Transform& f) {
    static_assert(offsetof(Transform, m) == 0 && sizeof(Transform) == 12 * sizeof(double));
    const double* from = f.m[0].data();
    const auto four = [&](std::size_t i) HWY_ATTR __attribute__((always_inline)) {
      return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + 4 * i)),
                                  _mm_loadu_pd(from + 4 * i + 2), 1);
    };
    const __m256d first = four(0), second = four(1), third = four(2);
    row[0] = first;
    row[1] = _mm256_shuffle_pd(_mm256_permute2f128_pd(first, second, 0x21), second, 0b0101);
    row[2] = _mm256_permute2f128_pd(second, third, 0x21);
    last = third;
  }
  /// By how much columns are off orthonormal: what squares are off one and products of neighbours off zero.
  /// The fourth lane does not count.
  [[nodiscard]] HWY_INLINE Double4 offOrthonormal() const {
    const auto next = [](Double4 v) HWY_ATTR __attribute__((always_inline)) -> Double4 {
      return _mm256_permute4x64_pd(v, 0b11001001);
    };
    const Double4 squares = mulAdd(row[0], row[0], mulAdd(row[1], row[1], mulAdd(row[2], row[2], all(-1))));
    const Double4 products =
        mulAdd(row[0], next(row[0]), mulAdd(row[1], next(row[1]), row[2] * next(row[2])));
    return magnitude(squares) + magnitude(products);
  }
  [[nodiscard]] HWY_INLINE Double4 along(Double4 x, Double4 y, Double4 z) const {
    return mulAdd(x, row[0], mulAdd(y, row[1], z * row[2]));
  }
};

/// What most questions of a drag ask. *Bound* as for `TwoPlacedBoxes::apartAlong`, with half extents in
/// double precision, fused or not.
bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  const PartBox &boxA = first.model.box(), &boxB = second.model.box();
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 x = all(d.x), y = all(d.y), z = all(d.z);
  const Double4 alongA = a.along(x, y, z), alongB = b.along(x, y, z);
  const Double4 shifts = chosen(magnitude(a.last) + magnitude(b.last), Long4{0, -1, -1, -1});
  const Double4 turned = alongB * lanes(boxB.centreLanes) - alongA * lanes(boxA.centreLanes);
  const Double4 between = mulAdd(Double4{0, d.x, d.y, d.z}, b.last - a.last, turned);
  const Double4 taken = mulAdd(magnitude(alongA), lanes(boxA.halfLanes),
                               mulAdd(magnitude(alongB), lanes(boxB.halfLanes), shifts * 0x1p-40));
  // Sums of two lanes each: of the one, of the other.
  const __m256d sums = _mm256_hadd_pd(between, taken);
  const __m128d both = _mm_add_pd(_mm256_castpd256_pd128(sums), _mm256_extractf128_pd(sums, 1));
  const double distance = std::abs(both[0]), reach = both[1] + (boxA.slack + boxB.slack);
  if (!(distance > reach)) return false;
  const Double4 off = chosen(a.offOrthonormal() + b.offOrthonormal(), Long4{-1, -1, -1, 0});
  const Long4 fits = (off < all(0x1p-20)) & (shifts < all(0x1p58));
  return _mm256_movemask_pd(__builtin_bit_cast(Double4, fits)) == 15 && reach < 0x1p60;
}

#else

bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  return TwoPlacedBoxes(first, second).apartAlong(d);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(apartAlong);
}  // namespace

bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& direction) noexcept {
  return HWY_DYNAMIC_DISPATCH(apartAlong)(first, second, direction);
}

}  // namespace fitup::detail
#endif

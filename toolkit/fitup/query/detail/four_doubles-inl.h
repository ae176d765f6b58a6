// Placements in vectors of four doubles, where the target has them: FITUP_FOUR_DOUBLES says so. (In pieces of
// two they are slower than plain code.) Included once for each target of Highway (hwy/foreach_target.h), so
// no include guard of the usual kind.

#if defined(FITUP_FOUR_DOUBLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_FOUR_DOUBLES_INL
#undef FITUP_FOUR_DOUBLES_INL
#else
#define FITUP_FOUR_DOUBLES_INL
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

#include <fitup/geometry/transform.h>

#undef FITUP_FOUR_DOUBLES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define FITUP_FOUR_DOUBLES 1
#else
#define FITUP_FOUR_DOUBLES 0
#endif

#if FITUP_FOUR_DOUBLES
HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

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
/// Whether a comparison holds in all lanes.
HWY_INLINE bool inAll(Long4 comparison) {
  return _mm256_movemask_pd(__builtin_bit_cast(Double4, comparison)) == 15;
}
HWY_INLINE Double4 lanes(const std::array<double, 4>& from) {
  Double4 r;
  std::memcpy(&r, from.data(), sizeof r);
  return r;
}
/// Lanes y, z, x and z, x, y.
HWY_INLINE Double4 yzx(Double4 v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
HWY_INLINE Double4 zxy(Double4 v) { return __builtin_shufflevector(v, v, 2, 0, 1, 3); }

/// A placement by rows: those of the matrix with what follows them in the fourth lane, and its last entry
/// with the translation. Read in pairs, as it was likely written just before: to read other pieces than were
/// written waits until they are in the cache.
struct Rows {
  Double4 row[3], last;

  HWY_INLINE explicit Rows(const Transform& f) {
    const Double4 first = four(f, 0), second = four(f, 1);
    last = four(f, 2);
    row[0] = first;
    row[1] = __builtin_shufflevector(first, second, 3, 4, 5, 6);
    row[2] = __builtin_shufflevector(second, last, 2, 3, 4, 5);
  }
  /// By how much columns are off orthonormal: what squares are off one and products of neighbours off zero.
  /// The fourth lane does not count.
  [[nodiscard]] HWY_INLINE Double4 offOrthonormal() const {
    const Double4 squares = mulAdd(row[0], row[0], mulAdd(row[1], row[1], mulAdd(row[2], row[2], all(-1))));
    const Double4 products = mulAdd(row[0], yzx(row[0]), mulAdd(row[1], yzx(row[1]), row[2] * yzx(row[2])));
    return magnitude(squares) + magnitude(products);
  }
  [[nodiscard]] HWY_INLINE Double4 along(Double4 x, Double4 y, Double4 z) const {
    return mulAdd(x, row[0], mulAdd(y, row[1], z * row[2]));
  }

 private:
  static HWY_INLINE Double4 four(const Transform& f, std::size_t i) {
    using Double2 = double __attribute__((vector_size(16)));
    static_assert(sizeof(Transform) == 3 * sizeof(Double4));
    const auto* from = reinterpret_cast<const unsigned char*>(&f) + i * sizeof(Double4);
    Double2 low, high;
    std::memcpy(&low, from, sizeof low);
    std::memcpy(&high, from + sizeof low, sizeof high);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();
#endif

#endif

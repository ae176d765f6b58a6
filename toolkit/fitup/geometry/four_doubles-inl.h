// Placements and boxes in vectors of four doubles, for targets that have them; FITUP_FOUR_DOUBLES says so.
// (Split into vectors of two, they are slower than plain code.) Included once for each target of Highway
// (hwy/foreach_target.h), so there is no include guard of the usual kind.

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
#include <fitup/geometry/vectors-inl.h>

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
/// Keeps the chosen lanes and clears the others.
HWY_INLINE Double4 chosen(Double4 v, Long4 lanes) {
  return __builtin_bit_cast(Double4, __builtin_bit_cast(Long4, v) & lanes);
}
/// Returns true if a comparison holds in all lanes.
HWY_INLINE bool inAll(Long4 comparison) {
  return _mm256_movemask_pd(__builtin_bit_cast(Double4, comparison)) == 15;
}
/// Returns true if a comparison holds in any of the first three lanes.
HWY_INLINE bool inAnyOfThree(Long4 comparison) {
  return (_mm256_movemask_pd(__builtin_bit_cast(Double4, comparison)) & 7) != 0;
}
HWY_INLINE Double4 lanes(const std::array<double, 4>& from) {
  Double4 r;
  std::memcpy(&r, from.data(), sizeof r);
  return r;
}
/// Clears the fourth lane.
HWY_INLINE Double4 firstThree(Double4 v) { return chosen(v, Long4{-1, -1, -1, 0}); }
/// Rotates the first three lanes to y, z, x and to z, x, y.
HWY_INLINE Double4 yzx(Double4 v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
HWY_INLINE Double4 zxy(Double4 v) { return __builtin_shufflevector(v, v, 2, 0, 1, 3); }

/// Sums of the lanes of two vectors. Pairs are added first, so each sum is (x + y) + z if the fourth lane is
/// zero.
struct TwoSums {
  double ofFirst, ofSecond;
};
HWY_INLINE TwoSums sumsOf(Double4 first, Double4 second) {
  const Double4 pairs =
      __builtin_shufflevector(first, second, 0, 4, 2, 6) + __builtin_shufflevector(first, second, 1, 5, 3, 7);
  return {pairs[0] + pairs[2], pairs[1] + pairs[3]};
}

/// Measures how far a matrix is off orthonormal: how far squares are off one and products of neighbours off
/// zero. Given the columns, it measures the rows, and the other way round. Ignore the fourth lane.
HWY_INLINE Double4 orthonormalError(Double4 x, Double4 y, Double4 z) {
  const Double4 squares = mulAdd(x, x, mulAdd(y, y, mulAdd(z, z, all(-1))));
  const Double4 products = mulAdd(x, yzx(x), mulAdd(y, yzx(y), z * yzx(z)));
  return magnitude(squares) + magnitude(products);
}

/// The columns of a placement that is applied to points, with a lane for each coordinate.
struct Columns {
  Double4 x, y, z;
  /// Multiplies unfused and in the order of `Transform::apply`, without the translation.
  [[nodiscard]] HWY_INLINE Double4 times(double px, double py, double pz) const {
    return (x * px + y * py) + z * pz;
  }
  [[nodiscard]] HWY_INLINE Double4 times(const Vec3& p) const { return times(p.x, p.y, p.z); }
};

/// The rows of a placement. The fourth lane of a matrix row holds the number that follows it in memory;
/// `last` holds the last entry of the matrix and the translation. Memory is read in pairs, because it was
/// probably written so just before: a read that spans several recent writes waits until they are in the
/// cache.
struct Rows {
  Double4 row[3], last;

  HWY_INLINE explicit Rows(const Transform& f) {
    const Double4 first = four(f, 0), second = four(f, 1);
    last = four(f, 2);
    row[0] = first;
    row[1] = __builtin_shufflevector(first, second, 3, 4, 5, 6);
    row[2] = __builtin_shufflevector(second, last, 2, 3, 4, 5);
  }
  /// Measures how far the columns are off orthonormal.
  [[nodiscard]] HWY_INLINE Double4 orthonormalError() const {
    return HWY_NAMESPACE::orthonormalError(row[0], row[1], row[2]);
  }
  /// Returns the translation in the first three lanes.
  [[nodiscard]] HWY_INLINE Double4 translation() const {
    return __builtin_shufflevector(last, last, 1, 2, 3, 0);
  }
  [[nodiscard]] HWY_INLINE Double4 along(Double4 x, Double4 y, Double4 z) const {
    return mulAdd(x, row[0], mulAdd(y, row[1], z * row[2]));
  }

 private:
  static HWY_INLINE Double4 four(const Transform& f, std::size_t i) {
    static_assert(sizeof(Transform) == 3 * sizeof(Double4));
    const auto* from = reinterpret_cast<const unsigned char*>(&f) + i * sizeof(Double4);
    Double2 low, high;
    std::memcpy(&low, from, sizeof low);
    std::memcpy(&high, from + sizeof low, sizeof high);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
  }
};

/// Stores a placement in pairs, as `Rows` reads it.
HWY_INLINE void storeColumns(const Columns& m, Double4 t, Transform& to) {
  const auto lowOf = [](Double4 v) HWY_ATTR __attribute__((always_inline)) {
    return __builtin_shufflevector(v, v, 0, 1);
  };
  const auto highOf = [](Double4 v) HWY_ATTR __attribute__((always_inline)) {
    return __builtin_shufflevector(v, v, 2, 3);
  };
  const Double4 firstAndThird = __builtin_shufflevector(m.x, m.y, 0, 4, 2, 6),
                second = __builtin_shufflevector(m.x, m.y, 1, 5, 3, 7);
  const auto put = [&](std::size_t i, Double2 pair) HWY_ATTR __attribute__((always_inline)) {
    std::memcpy(reinterpret_cast<unsigned char*>(&to) + i * sizeof pair, &pair, sizeof pair);
  };
  static_assert(sizeof(Transform) == 6 * sizeof(Double2));
  put(0, __builtin_shufflevector(firstAndThird, firstAndThird, 0, 1));
  put(1, __builtin_shufflevector(lowOf(m.z), lowOf(second), 0, 2));
  put(2, __builtin_shufflevector(lowOf(second), lowOf(m.z), 1, 3));
  put(3, __builtin_shufflevector(firstAndThird, firstAndThird, 2, 3));
  put(4, __builtin_shufflevector(highOf(m.z), lowOf(t), 0, 2));
  put(5, __builtin_shufflevector(lowOf(t), highOf(t), 1, 2));
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();
#endif

#endif

#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstdint>

namespace fitup::detail {

/// Four floats in one register of the baseline instruction set; a vector extension of GCC and Clang, so that
/// no target is named.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

inline Float4 smaller(Float4 a, Float4 b) noexcept { return a < b ? a : b; }
inline Float4 larger(Float4 a, Float4 b) noexcept { return a > b ? a : b; }
inline Float4 magnitude(Float4 v) noexcept {
  return __builtin_bit_cast(Float4, __builtin_bit_cast(Int4, v) & 0x7fffffff);
}
inline Float4 broadcast(float v) noexcept { return Float4{v, v, v, v}; }
/// Bit i: lane i of a comparison holds, of the first three lanes.
inline unsigned threeBits(Int4 comparison) noexcept {
#ifdef __SSE2__
  return static_cast<unsigned>(_mm_movemask_ps(__builtin_bit_cast(__m128, comparison))) & 7U;
#else
  return (comparison[0] & 1U) | (comparison[1] & 2U) | (comparison[2] & 4U);
#endif
}
/// Lanes y, z, x and z, x, y.
inline Float4 yzx(Float4 v) noexcept { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
inline Float4 zxy(Float4 v) noexcept { return __builtin_shufflevector(v, v, 2, 0, 1, 3); }

/// A box whose fourth lanes are free.
struct Box4 {
  Float4 min{3e38F, 3e38F, 3e38F, 3e38F}, max{-3e38F, -3e38F, -3e38F, -3e38F};

  void extend(Float4 low, Float4 high) noexcept {
    min = smaller(min, low);
    max = larger(max, high);
  }
  void extend(const Box4& b) noexcept { extend(b.min, b.max); }
  /// The first of the longest.
  [[nodiscard]] int longestAxis() const noexcept {
    const Float4 e = max - min;
    return e[0] >= e[1] && e[0] >= e[2] ? 0 : e[1] >= e[2] ? 1 : 2;
  }
  /// Half the surface area of the box in units of 2^-e, where `unit` is 2^-e: products of coordinates up to
  /// 2^100 would overflow.
  [[nodiscard]] float halfArea(float unit) const noexcept {
    const Float4 e = (max - min) * unit;
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
};

}  // namespace fitup::detail

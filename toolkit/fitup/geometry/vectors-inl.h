#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>

namespace fitup::detail {

// Vectors of the baseline instruction set, for all layers. They use a vector extension of GCC and Clang, so
// no target is named. Vectors of four doubles are in four_doubles-inl.h, those of the kernels' instruction
// sets in hierarchy/detail/lanes-inl.h.

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));
using Long2 = std::int64_t __attribute__((vector_size(16)));
using Float2 = float __attribute__((vector_size(8)));

/// Loads from memory of any alignment. Always inlined, because kernels of other instruction sets use it too.
[[gnu::always_inline]] inline Float4 load4(const float* from) noexcept {
  Float4 r;
  std::memcpy(&r, from, sizeof r);
  return r;
}
inline Float4 smaller(Float4 a, Float4 b) noexcept { return a < b ? a : b; }
inline Float4 larger(Float4 a, Float4 b) noexcept { return a > b ? a : b; }
inline Float4 magnitude(Float4 v) noexcept {
  return __builtin_bit_cast(Float4, __builtin_bit_cast(Int4, v) & 0x7fffffff);
}
inline Double2 magnitude(Double2 v) noexcept {
  return __builtin_bit_cast(Double2, __builtin_bit_cast(Long2, v) & 0x7fffffffffffffff);
}
inline constexpr Int4 threeLanes{-1, -1, -1, 0};
/// Clears the fourth lane.
inline Float4 firstThree(Float4 v) noexcept {
  return __builtin_bit_cast(Float4, __builtin_bit_cast(Int4, v) & threeLanes);
}
/// Sums the first three lanes.
inline float sumOf(Float4 v) noexcept { return v[0] + v[1] + v[2]; }
inline Float4 broadcast(float v) noexcept { return Float4{v, v, v, v}; }
/// Returns a mask of the first three lanes: bit i is set if a comparison holds in lane i.
inline unsigned threeBits(Int4 comparison) noexcept {
#ifdef __SSE2__
  return static_cast<unsigned>(_mm_movemask_ps(__builtin_bit_cast(__m128, comparison))) & 7U;
#else
  return (comparison[0] & 1U) | (comparison[1] & 2U) | (comparison[2] & 4U);
#endif
}
/// Rotates the first three lanes to y, z, x and to z, x, y.
inline Float4 yzx(Float4 v) noexcept { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
inline Float4 zxy(Float4 v) noexcept { return __builtin_shufflevector(v, v, 2, 0, 1, 3); }

/// Returns a row of the matrix of a placement, rounded to nearest. The fourth lane holds the number that
/// follows the row in memory.
inline Float4 rowOf(const Transform& placement, std::size_t k) noexcept {
  static_assert(offsetof(Transform, m) == 0 && sizeof(Transform) == 12 * sizeof(double));
  const auto* row = reinterpret_cast<const unsigned char*>(&placement) + 3 * k * sizeof(double);
  Double2 xy, zAndNext;
  std::memcpy(&xy, row, sizeof xy);
  std::memcpy(&zAndNext, row + sizeof xy, sizeof zAndNext);
  const Float2 low = __builtin_convertvector(xy, Float2), high = __builtin_convertvector(zAndNext, Float2);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}
/// Returns the columns of three rows.
inline std::array<Float4, 3> transposed(const std::array<Float4, 3>& a) noexcept {
  return {Float4{a[0][0], a[1][0], a[2][0], 0}, Float4{a[0][1], a[1][1], a[2][1], 0},
          Float4{a[0][2], a[1][2], a[2][2], 0}};
}
/// Rounds to nearest. The fourth lane is zero.
inline Float4 floats(const Vec3& v) noexcept {
  return Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
}

/// Largest magnitudes of the coordinates of a box. The fourth lane is zero.
inline Float4 largestMagnitudes(const Aabb& box) noexcept {
  static_assert(sizeof(Aabb) == 6 * sizeof(float));
  const Float4 min = load4(&box.min.x), andMax = load4(&box.min.z);
  return firstThree(larger(magnitude(min), magnitude(__builtin_shufflevector(andMax, andMax, 1, 2, 3, 0))));
}
/// Distance from the origin of the farthest corner of a box.
inline double reach(const Aabb& box) noexcept {
  const Float4 most = largestMagnitudes(box);
  return norm({double{most[0]}, double{most[1]}, double{most[2]}});
}
/// Returns `floatAbove` of four numbers that are not negative.
inline Float4 floatsAbove(Double2 low, Double2 high) noexcept {
  const Float2 x = __builtin_convertvector(low, Float2), y = __builtin_convertvector(high, Float2);
  const auto belowLow = __builtin_bit_cast(Int4, __builtin_convertvector(x, Double2) < low),
             belowHigh = __builtin_bit_cast(Int4, __builtin_convertvector(y, Double2) < high);
  const auto nearest = __builtin_bit_cast(Int4, __builtin_shufflevector(x, y, 0, 1, 2, 3));
  return __builtin_bit_cast(Float4, nearest - __builtin_shufflevector(belowLow, belowHigh, 0, 2, 4, 6));
}

/// A bounding box whose fourth lanes are free for other use.
struct Box4 {
  Float4 min{3e38F, 3e38F, 3e38F, 3e38F}, max{-3e38F, -3e38F, -3e38F, -3e38F};

  void extend(Float4 low, Float4 high) noexcept {
    min = smaller(min, low);
    max = larger(max, high);
  }
  void extend(const Box4& b) noexcept { extend(b.min, b.max); }
  /// Returns the longest axis, the first one of several.
  [[nodiscard]] int longestAxis() const noexcept {
    const Float4 e = max - min;
    return e[0] >= e[1] && e[0] >= e[2] ? 0 : e[1] >= e[2] ? 1 : 2;
  }
  /// Half the surface area of the box scaled by `unit`, a power of two that keeps products of coordinates of
  /// up to 2^100 from overflowing. The fourth lane is cleared because a number stored there is a denormal
  /// float, which is slow to multiply (wide_bvh.h, `encodeTriangleId`).
  [[nodiscard]] float halfArea(float unit) const noexcept {
    const Float4 e = firstThree(max - min) * unit;
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
  /// The volume of the box scaled in the same way.
  [[nodiscard]] float volume(float unit) const noexcept {
    const Float4 e = firstThree(max - min) * unit;
    return e[0] * e[1] * e[2];
  }
};

}  // namespace fitup::detail

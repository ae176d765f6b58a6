#pragma once

#include <cstdint>

namespace fitup::detail {

/// Four floats in one register of the baseline instruction set, for builders; a vector extension of GCC and
/// Clang, so that no target is named.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

inline Float4 smaller(Float4 a, Float4 b) noexcept { return a < b ? a : b; }
inline Float4 larger(Float4 a, Float4 b) noexcept { return a > b ? a : b; }

/// A box whose fourth lanes are free.
struct Box4 {
  Float4 min{3e38F, 3e38F, 3e38F, 3e38F}, max{-3e38F, -3e38F, -3e38F, -3e38F};

  void extend(Float4 low, Float4 high) noexcept {
    min = smaller(min, low);
    max = larger(max, high);
  }
  void extend(const Box4& b) noexcept { extend(b.min, b.max); }
  /// Half the surface area of the box in units of 2^-e, where `unit` is 2^-e: products of coordinates up to
  /// 2^100 would overflow.
  [[nodiscard]] float halfArea(float unit) const noexcept {
    const Float4 e = (max - min) * unit;
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
};

}  // namespace fitup::detail

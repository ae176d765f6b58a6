#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// The common part of two triangles.
struct TriangleIntersection {
  enum class Kind : std::uint8_t { none, point, segment, polygon };
  Kind kind = Kind::none;
  std::uint8_t count = 0;        ///< corners used: 1, 2 or 3 to 6 (in order around the polygon)
  std::array<Vec3, 6> points{};  ///< in the triangles' frame
  /// Bound on the error of each coordinate of a corner: 2^-46 times the largest magnitude of a coordinate of
  /// the two triangles.
  double errorBound = 0;

  [[nodiscard]] std::span<const Vec3> corners() const noexcept { return {points.data(), count}; }
};

/// Computes the common part of two triangles in one frame. Its kind is `none` if and only if
/// `intersectTriangleTriangle` with `Touching::include` is false. The combinatorial part (which edge meets
/// which face) is exact; only coordinates of corners are rounded.
TriangleIntersection triangleIntersection(const Triangle& a, const Triangle& b);

}  // namespace fitup

#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <fitup/geometry/vec3.h>

namespace fitup {

/// Whether triangles that only touch count as intersecting.
enum class Touching {
  include,  ///< triangles are closed sets (the default everywhere)
  exclude,  ///< only if their relative interiors meet; a crossing along mesh edges vanishes, so this is no clash filter
};

/// Exact for coordinates within limits.h. Both triangles in one frame; symmetric in its arguments and independent of the
/// order of corners. A degenerate triangle is the segment or the point it is.
///
/// Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates, 2003, for the
/// general case; coplanar and degenerate cases by separating lines on exact orientations in a projection.
bool intersectTriangleTriangle(const Triangle& a, const Triangle& b, Touching touching = Touching::include) noexcept;

/// The common part of two triangles.
struct TriangleIntersection {
  enum class Kind : std::uint8_t { none, point, segment, polygon };
  Kind kind = Kind::none;
  std::uint8_t count = 0;         ///< corners used: 1, 2 or 3 to 6 (in order around the polygon)
  std::array<Vec3, 6> points{};   ///< in the triangles' frame
  /// Bound on the distance of each coordinate of a corner from the exact one: 2^-46 times the largest magnitude of
  /// a coordinate of the two triangles.
  double errorBound = 0;

  [[nodiscard]] std::span<const Vec3> corners() const noexcept { return {points.data(), count}; }
};

/// Kind `none` exactly when `intersectTriangleTriangle` with `Touching::include` is false. The combinatorial part (which
/// edge meets which face) is exact, only corner coordinates are rounded.
TriangleIntersection triangleIntersection(const Triangle& a, const Triangle& b);

}  // namespace fitup

#pragma once

#include <cstdint>

#include <fitup/geometry/filter_plane.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Whether triangles that only touch count as intersecting.
enum class Touching {
  include,  ///< triangles are closed sets (the default everywhere)
  exclude,  ///< only if their relative interiors meet; a crossing along mesh edges vanishes, so this is no
            ///< clash filter
};

/// Exact for coordinates within limits.h. Both triangles in one frame; symmetric in its arguments and
/// independent of the order of corners. A degenerate triangle is the segment or the point it is.
///
/// Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates, 2003,
/// for the general case; coplanar and degenerate cases by separating lines on exact orientations in a
/// projection.
bool intersectTriangleTriangle(const Triangle& a, const Triangle& b,
                               Touching touching = Touching::include) noexcept;

/// The same test for one triangle against many, in one frame.
class TriangleTester {
 public:
  explicit TriangleTester(const Triangle& fixed, Touching touching = Touching::include) noexcept
      : fixed_(fixed), plane_(fixed), touching_(touching) {}

  [[nodiscard]] bool intersects(const Triangle& other) noexcept;
  /// How many calls needed exact arithmetic because a floating-point filter left a sign open.
  [[nodiscard]] std::uint64_t exactTests() const noexcept { return exactTests_; }

 private:
  Triangle fixed_;
  FilterPlane plane_;
  Touching touching_;
  std::uint64_t exactTests_ = 0;
};

}  // namespace fitup

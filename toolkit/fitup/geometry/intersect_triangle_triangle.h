#pragma once

#include <cstdint>

#include <fitup/geometry/filter_plane.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Says whether triangles that only touch count as intersecting.
enum class Touching {
  include,  ///< triangles are closed sets (the default everywhere)
  exclude,  ///< only triangles whose relative interiors intersect; a crossing along mesh edges vanishes,
            ///< so this does not separate clashes from contacts
};

/// Returns true if two triangles in one frame intersect. Exact for coordinates within limits.h, symmetric in
/// its arguments, and independent of the order of corners. A degenerate triangle counts as the segment or
/// point to which it collapses. Thread-safe.
///
/// Uses Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates,
/// 2003, for the general case. Coplanar and degenerate cases use separating lines, found by exact
/// orientations in a projection.
bool intersectTriangleTriangle(const Triangle& a, const Triangle& b,
                               Touching touching = Touching::include) noexcept;

/// Tests one triangle against many, in one frame. Each thread needs its own tester.
class TriangleTester {
 public:
  explicit TriangleTester(const Triangle& fixed, Touching touching = Touching::include) noexcept
      : fixed_(fixed), plane_(fixed), touching_(touching) {}

  /// Returns true if the triangles intersect, exactly as `intersectTriangleTriangle`.
  [[nodiscard]] bool intersects(const Triangle& other) noexcept;
  /// Number of calls that needed exact arithmetic because a floating-point filter left a sign open.
  [[nodiscard]] std::uint64_t exactTests() const noexcept { return exactTests_; }

 private:
  Triangle fixed_;
  FilterPlane plane_;
  Touching touching_;
  std::uint64_t exactTests_ = 0;
};

}  // namespace fitup

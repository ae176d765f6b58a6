#pragma once

#include <array>
#include <span>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Lexicographic order of points. For collinear points it is the order along the line.
inline bool lexicographicallyLess(const Vec3& a, const Vec3& b) noexcept {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// A triangle reduced, exactly, to its true shape: a triangle, the segment of its two extreme corners, or a
/// point.
struct Simplex {
  std::array<Vec3, 3> v;
  int corners = 0;   ///< 3, 2 or 1
  int dropAxis = 0;  ///< for triangles: the projection along this axis keeps points of the plane distinct
  int winding = 0;   ///< for triangles: orientation in that projection, +1 or -1

  explicit Simplex(const Triangle& t) noexcept;
  [[nodiscard]] std::span<const Vec3> points() const noexcept {
    return {v.data(), static_cast<std::size_t>(corners)};
  }
};

/// Returns false if a line along an edge of either simplex separates the two. Precondition: both lie in one
/// plane that `dropAxis` projects one to one, and at least one is a triangle. With `Touching::exclude` their
/// relative interiors must meet.
bool meetInPlane(const Simplex& a, const Simplex& b, int dropAxis, Touching touching) noexcept;

/// Returns an axis along which the projection keeps points of the plane of four coplanar points distinct, or
/// -1 if the points are collinear.
int projectionOfCoplanar(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) noexcept;

/// Tests two simplices of which at least one is not a triangle, or two coplanar triangles.
bool intersectSpecial(const Simplex& a, const Simplex& b, Touching touching) noexcept;

}  // namespace fitup::detail

#pragma once

#include <array>
#include <span>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Lexicographic order. On collinear points it is the order along the line.
inline bool lexicographicallyLess(const Vec3& a, const Vec3& b) noexcept {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// What a triangle is: a triangle, the segment of its two extreme corners, or a point. Exact.
struct Simplex {
  std::array<Vec3, 3> v;
  int corners = 0;   ///< 3, 2 or 1
  int dropAxis = 0;  ///< triangles: the coordinate plane without this axis keeps the plane's points apart
  int winding = 0;   ///< triangles: orientation in that projection, +1 or -1

  explicit Simplex(const Triangle& t) noexcept;
  [[nodiscard]] std::span<const Vec3> points() const noexcept {
    return {v.data(), static_cast<std::size_t>(corners)};
  }
};

/// For simplices in one plane that `dropAxis` projects one to one, at least one of them a triangle: false if
/// a line along an edge of either separates them. With `Touching::exclude` it is their relative interiors
/// that must meet.
bool meetInPlane(const Simplex& a, const Simplex& b, int dropAxis, Touching touching) noexcept;

/// An axis whose omission keeps the plane of four coplanar points apart, or -1 if the points are collinear.
int projectionOfCoplanar(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) noexcept;

/// Any two simplices of which at least one is no triangle, or two coplanar triangles.
bool intersectSpecial(const Simplex& a, const Simplex& b, Touching touching) noexcept;

}  // namespace fitup::detail

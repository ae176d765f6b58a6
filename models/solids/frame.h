#pragma once

#include <fitup/geometry/transform.h>
#include <fitup/geometry/vec3.h>

namespace fitup::models {

/// A right-handed orthonormal frame in the part's frame, millimetres.
struct Frame {
  Vec3 origin;
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  /// The point with coordinates (a, b, c) in this frame.
  [[nodiscard]] Vec3 at(double a, double b, double c) const { return origin + x * a + y * b + z * c; }
  [[nodiscard]] Frame movedTo(double a, double b, double c) const { return {at(a, b, c), x, y, z}; }
  /// Half a turn about x: z points back.
  [[nodiscard]] Frame flipped() const { return {origin, x, -y, -z}; }
  /// The same axes with roles exchanged cyclically: the new z is the old x / the old y.
  [[nodiscard]] Frame alongX() const { return {origin, y, z, x}; }
  [[nodiscard]] Frame alongY() const { return {origin, z, x, y}; }
};

/// Frame with the given z and x directions (x is made orthogonal to z).
inline Frame frameOf(const Vec3& origin, const Vec3& zDirection, const Vec3& xHint) {
  const Vec3 z = normalized(zDirection);
  const Vec3 x = normalized(xHint - z * dot(xHint, z));
  return {origin, x, cross(z, x), z};
}

}  // namespace fitup::models

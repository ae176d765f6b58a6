#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Moves axis `up` to z and keeps the orientation.
inline Vec3 turnedUp(const Vec3& p, int up) noexcept { return {p[(up + 1) % 3], p[(up + 2) % 3], p[up]}; }

/// A half plane of the (x, y) plane. Values are distances, positive inside.
struct HalfPlane {
  double nx = 0, ny = 0, c = 0;
  [[nodiscard]] double at(const Vec3& p) const noexcept { return nx * p.x + ny * p.y + c; }
  /// To the left of a directed edge. Precondition: the ends differ in x or y.
  static HalfPlane leftOf(const Vec3& from, const Vec3& to) noexcept {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    return {-dy / length, dx / length, (dy * from.x - dx * from.y) / length};
  }
};

/// A triangle over the (x, y) plane, in which columns stand.
struct ColumnFace {
  Vec3 v[3];  ///< counter-clockwise from above, unless vertical
  HalfPlane edge[3];
  double gx = 0, gy = 0, at0 = 0;  ///< height at0 + gx x + gy y
  double low = 0, high = 0;        ///< heights of the corners
  double error = 0;                ///< of a height from the plane, within the triangle
  int winding = 0;  ///< by how much the winding number of its body grows on the way down through it
  int side = 0;     ///< 0: of A

  /// The triangle with axis `up` (0, 1, 2) turned to z. `reach` bounds the coordinates. A vertical triangle
  /// has the two half planes of its line as edges. Returns nothing for one that projects to a point.
  static std::optional<ColumnFace> of(const Triangle& t, int up, double reach) noexcept;

  /// Height at a point of the triangle.
  [[nodiscard]] double height(const Vec3& p) const noexcept {
    return std::clamp(at0 + gx * p.x + gy * p.y, low, high);
  }
};

}  // namespace fitup::detail

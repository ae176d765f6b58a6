#pragma once

#include <cmath>

#include <fitup/geometry/filter_plane.h>

namespace fitup::detail {

/// Returns the sign of `orient3d` if the filter decides it, and `uncertain` otherwise. By Shewchuk 1997,
/// section 4, (7 + 56 u) u bounds the error of the determinant, computed in this order, relative to its
/// permanent. No term underflows (limits.h).
inline int filteredOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  const double adx = a.x - d.x, ady = a.y - d.y, adz = a.z - d.z;
  const double bdx = b.x - d.x, bdy = b.y - d.y, bdz = b.z - d.z;
  const double cdx = c.x - d.x, cdy = c.y - d.y, cdz = c.z - d.z;
  const double bdxcdy = bdx * cdy, cdxbdy = cdx * bdy;
  const double cdxady = cdx * ady, adxcdy = adx * cdy;
  const double adxbdy = adx * bdy, bdxady = bdx * ady;
  const double det = adz * (bdxcdy - cdxbdy) + bdz * (cdxady - adxcdy) + cdz * (adxbdy - bdxady);
  const double permanent = (std::abs(bdxcdy) + std::abs(cdxbdy)) * std::abs(adz) +
                           (std::abs(cdxady) + std::abs(adxcdy)) * std::abs(bdz) +
                           (std::abs(adxbdy) + std::abs(bdxady)) * std::abs(cdz);
  return signBeyond(det, (7 + 56 * unitRoundoff) * unitRoundoff * permanent);
}

/// Returns true if two of four points are equal, as where triangles share a corner.
inline bool twoAreEqual(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return d == a || d == b || d == c || a == b || b == c || c == a;
}
/// Returns true if four points lie in one plane perpendicular to an axis, which is common in CAD parts.
inline bool inPlaneAcrossAxis(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return (a.x == d.x && b.x == d.x && c.x == d.x) || (a.y == d.y && b.y == d.y && c.y == d.y) ||
         (a.z == d.z && b.z == d.z && c.z == d.z);
}

/// Returns the sign of `orient3d` if it takes no exact arithmetic, and `uncertain` otherwise.
inline int quickOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  const int sign = filteredOrient3d(a, b, c, d);
  if (sign != uncertain) return sign;
  return inPlaneAcrossAxis(a, b, c, d) || twoAreEqual(a, b, c, d) ? 0 : uncertain;
}

}  // namespace fitup::detail

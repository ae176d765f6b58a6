#pragma once

#include <cmath>

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Largest relative error of an operation in double precision.
inline constexpr double unitRoundoff = 0x1p-53;
/// The value that a filter returns if rounding leaves the sign open.
inline constexpr int uncertain = 2;

/// Returns the sign of `value` if its magnitude exceeds `bound`, and `uncertain` otherwise.
inline int signBeyond(double value, double bound) noexcept {
  if (value > bound) return 1;
  if (-value > bound) return -1;
  return uncertain;
}

/// The plane of a triangle, prepared for classifying many points by side.
struct FilterPlane {
  Vec3 point, normal;
  Vec3 normalPermanent;  ///< for each component of the normal, the sum of the magnitudes of its two products

  FilterPlane() = default;
  explicit FilterPlane(const Triangle& t) noexcept : point(t.v[0]) {
    const Vec3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[0];
    const double ab = product(e.y, f.z), ba = product(e.z, f.y), cd = product(e.z, f.x),
                 dc = product(e.x, f.z), gh = product(e.x, f.y), hg = product(e.y, f.x);
    normal = {ab - ba, cd - dc, gh - hg};
    normalPermanent = {std::abs(ab) + std::abs(ba), std::abs(cd) + std::abs(dc), std::abs(gh) + std::abs(hg)};
  }

  /// Returns the sign of (p - v0) . ((v1 - v0) x (v2 - v0)) if it is certain, and `uncertain` otherwise. It
  /// is +1 on the side to which the normal points.
  ///
  /// Each of the six triple products of the determinant goes through three rounded differences, the rounding
  /// of two products, of the subtraction in the normal and of at most two additions: eight factors (1 + d),
  /// |d| <= u. The error is therefore below 8.01 u times the exact permanent. The permanent computed here
  /// loses at most the same eight roundings, so 9 u times it is a bound. 10 u leaves room for the products of
  /// the bound itself.
  [[nodiscard]] int side(const Vec3& p) const noexcept {
    const Vec3 d = p - point;
    const double det = dot(normal, d);
    const double permanent = dot(normalPermanent, {std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    return signBeyond(det, 10 * unitRoundoff * permanent);
  }
};

}  // namespace fitup

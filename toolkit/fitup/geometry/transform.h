#pragma once

#ifdef __FAST_MATH__
#error "Fitup's results are exact only for IEEE arithmetic: compile without -ffast-math"
#endif

#include <array>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Unit quaternion (x, y, z, w) of a rotation.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;
  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

Quaternion axisAngle(const Vec3& axis, double radians);
Quaternion normalized(const Quaternion& q);
Quaternion operator*(const Quaternion& a, const Quaternion& b);
/// Spherical linear interpolation along the shorter arc, s in [0, 1].
Quaternion slerp(const Quaternion& a, const Quaternion& b, double s);

/// Maps count as rigid or mirrored up to so large entries of transpose(m) * m - 1.
inline constexpr double orthonormalTolerance = 1e-9;

enum class TransformKind {
  rigid,     ///< rotation and translation
  mirrored,  ///< rigid with a reflection: determinant -1
  affine,    ///< anything else that can be inverted
};

/// An affine map x -> m x + t in double precision. A name `aFromB` says that it takes B's coordinates to A's.
struct Transform {
  std::array<std::array<double, 3>, 3> m{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3 t;

  static Transform translation(const Vec3& t);
  static Transform rotation(const Quaternion& q);
  static Transform rotation(const Vec3& axis, double radians);
  static Transform scaling(double x, double y, double z);
  /// Rotation first, then translation.
  static Transform rigid(const Quaternion& q, const Vec3& t);

  /// ((m0*x + m1*y) + m2*z) + t a row, unfused, round to nearest: the placement of the contract
  /// (architecture, section 4.2), the same bits on every target.
  [[nodiscard]] Vec3 apply(const Vec3& p) const noexcept { return applyToVector(p) + t; }
  /// Without the translation.
  [[nodiscard]] Vec3 applyToVector(const Vec3& v) const noexcept {
    const auto row = [&](int i) {
      return product(m[i][0], v.x) + product(m[i][1], v.y) + product(m[i][2], v.z);
    };
    return {row(0), row(1), row(2)};
  }
  [[nodiscard]] double determinant() const noexcept;
  [[nodiscard]] bool isFinite() const noexcept;
  /// Largest magnitude of an entry of transpose(m) * m - 1; not a number where m has one that is not finite.
  [[nodiscard]] double offOrthonormal() const noexcept;
  /// To `orthonormalTolerance`.
  [[nodiscard]] TransformKind kind() const noexcept;
  /// Throws PlacementError where the map is singular or not finite.
  [[nodiscard]] Transform inverse() const;

  friend bool operator==(const Transform&, const Transform&) = default;
};

/// aFromC = aFromB * bFromC.
Transform operator*(const Transform& aFromB, const Transform& bFromC);

/// Rotation part as a quaternion. Precondition: kind() == rigid.
Quaternion rotationOf(const Transform& rigid);

/// Box of the placed box, grown by a bound on the rounding of the eight corners.
Box placedBox(const Transform& aFromB, const Box& boxInB) noexcept;

}  // namespace fitup

#pragma once

#ifdef __FAST_MATH__
#error "Fitup's results are exact only for IEEE arithmetic: compile without -ffast-math"
#endif

#include <array>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// A unit quaternion (x, y, z, w), which represents a rotation.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;
  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

/// Quaternion of a rotation about an axis of any length other than zero.
Quaternion axisAngle(const Vec3& axis, double radians);
Quaternion normalized(const Quaternion& q);
Quaternion operator*(const Quaternion& a, const Quaternion& b);
/// Interpolates two rotations spherically along the shorter arc; s is in [0, 1].
Quaternion slerp(const Quaternion& a, const Quaternion& b, double s);

/// The largest magnitude of an entry of transpose(m) * m - 1 up to which a map counts as rigid or mirrored.
inline constexpr double orthonormalTolerance = 1e-9;

/// Kind of an affine map, which decides which methods a query can use.
enum class TransformKind {
  rigid,     ///< rotation and translation
  mirrored,  ///< rigid with a reflection: determinant -1
  affine,    ///< any other map that can be inverted
};

/// An affine map x -> m x + t in double precision. A transform named `aFromB` maps points from frame B to
/// frame A.
struct Transform {
  std::array<std::array<double, 3>, 3> m{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3 t;

  static Transform translation(const Vec3& t);
  static Transform rotation(const Quaternion& q);
  /// Rotates about an axis of any length other than zero.
  static Transform rotation(const Vec3& axis, double radians);
  static Transform scaling(double x, double y, double z);
  /// Rotates first and then translates.
  static Transform rigid(const Quaternion& q, const Vec3& t);

  /// Maps a point. Each coordinate is ((m0*x + m1*y) + m2*z) + t, unfused and rounded to nearest. This is the
  /// placement for which answers are exact, with the same bits on every target.
  [[nodiscard]] Vec3 apply(const Vec3& p) const noexcept { return applyToVector(p) + t; }
  /// Maps a vector, that is, without the translation.
  [[nodiscard]] Vec3 applyToVector(const Vec3& v) const noexcept {
    const auto row = [&](int i) {
      return product(m[i][0], v.x) + product(m[i][1], v.y) + product(m[i][2], v.z);
    };
    return {row(0), row(1), row(2)};
  }
  [[nodiscard]] double determinant() const noexcept;
  [[nodiscard]] bool isFinite() const noexcept;
  /// Returns the largest magnitude of an entry of transpose(m) * m - 1, or NaN if m has an entry that is not
  /// finite.
  [[nodiscard]] double orthonormalError() const noexcept;
  /// Classifies the map to within `orthonormalTolerance`.
  [[nodiscard]] TransformKind kind() const noexcept;
  /// Throws PlacementError if the map is singular or not finite.
  [[nodiscard]] Transform inverse() const;

  friend bool operator==(const Transform&, const Transform&) = default;
};

/// Composes two maps: aFromC = aFromB * bFromC.
Transform operator*(const Transform& aFromB, const Transform& bFromC);

/// Returns the rotation part as a quaternion. Precondition: kind() == TransformKind::rigid.
Quaternion rotationOf(const Transform& rigid);

/// Returns an axis-aligned box, in frame A, of a box placed by `aFromB`. It is grown by a bound on the
/// rounding of the eight corners.
Box placedBox(const Transform& aFromB, const Box& boxInB) noexcept;

}  // namespace fitup

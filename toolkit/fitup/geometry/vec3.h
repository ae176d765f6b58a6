#pragma once

#include <cmath>
#include <utility>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A point or vector in double precision. Its name or its owner says in which frame.
struct Vec3 {
  double x = 0, y = 0, z = 0;

  [[nodiscard]] double& operator[](int i) noexcept { return i == 0 ? x : i == 1 ? y : z; }
  [[nodiscard]] double operator[](int i) const noexcept { return i == 0 ? x : i == 1 ? y : z; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// A point in the 32-bit local coordinates of a mesh.
struct Point3f {
  float x = 0, y = 0, z = 0;
  friend bool operator==(const Point3f&, const Point3f&) = default;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) noexcept { return {-a.x, -a.y, -a.z}; }
/// A product that is rounded on its own, even in users' code. By default g++ fuses products and sums if the
/// target can (-march=native; -ffp-contract=fast is its default), but results are exact only for unfused
/// arithmetic. The barrier costs no instruction. Define FITUP_NO_CONTRACTION if the code is compiled with
/// -ffp-contract=off, as this project is; the barrier is then left out.
inline double product(double a, double b) noexcept {
  double result = a * b;
#if !defined(FITUP_NO_CONTRACTION) && (defined(__FMA__) || defined(__FMA4__))
  asm("" : "+x"(result));
#elif !defined(FITUP_NO_CONTRACTION) && defined(__aarch64__)
  asm("" : "+w"(result));
#elif !defined(FITUP_NO_CONTRACTION) && !defined(__x86_64__) && !defined(__i386__)
  asm("" : "+m"(result));
#endif
  return result;
}

inline Vec3 operator*(const Vec3& a, double s) noexcept {
  return {product(a.x, s), product(a.y, s), product(a.z, s)};
}
inline Vec3 operator*(double s, const Vec3& a) noexcept { return a * s; }
inline double dot(const Vec3& a, const Vec3& b) noexcept {
  return product(a.x, b.x) + product(a.y, b.y) + product(a.z, b.z);
}
inline Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {product(a.y, b.z) - product(a.z, b.y), product(a.z, b.x) - product(a.x, b.z),
          product(a.x, b.y) - product(a.y, b.x)};
}
inline double norm(const Vec3& a) noexcept { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) noexcept { return a * (1.0 / norm(a)); }
/// Returns two unit vectors that complete `unit` to a right-handed frame. They follow the coordinate axes as
/// closely as possible.
inline std::pair<Vec3, Vec3> orthonormalBasis(const Vec3& unit) noexcept {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(unit[i]) < std::abs(unit[least])) least = i;
  Vec3 axis;
  axis[least] = 1;
  const Vec3 u = normalized(axis - unit * dot(axis, unit));
  return {u, cross(unit, u)};
}
inline bool isFinite(const Vec3& a) noexcept {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// Converts a point exactly, because every float is a double.
inline Vec3 toVec3(const Point3f& p) noexcept { return {p.x, p.y, p.z}; }

/// A triangle given by its corners. It may be degenerate (a segment or a point); the predicates handle that.
struct Triangle {
  Vec3 v[3];
};

}  // namespace fitup

#pragma once

#include <cmath>
#include <utility>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A point or vector in double precision. The frame is the one its name or its owner says.
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
/// A product that is rounded by itself in users' code too: g++ fuses products and sums where the target can
/// (-march=native; -ffp-contract=fast is its default), and results are exact for unfused numbers
/// (architecture, section 4.2). Costs no instruction. FITUP_NO_CONTRACTION says that the code is compiled
/// with -ffp-contract=off, as this project is: then nothing has to be kept apart.
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
/// Two unit vectors that make a right-handed frame with a unit vector: along axes as far as they can be.
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

/// Exact: every float is a double.
inline Vec3 toVec3(const Point3f& p) noexcept { return {p.x, p.y, p.z}; }

/// Three corners; may be degenerate (a segment or a point), which the predicates handle.
struct Triangle {
  Vec3 v[3];
};

}  // namespace fitup

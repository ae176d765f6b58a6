#pragma once

#include <cmath>
#include <utility>

namespace fitup {

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
inline Vec3 operator*(const Vec3& a, double s) noexcept { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3 operator*(double s, const Vec3& a) noexcept { return a * s; }
inline double dot(const Vec3& a, const Vec3& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(const Vec3& a) noexcept { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) noexcept { return a * (1.0 / norm(a)); }
/// Two unit vectors that make a right-handed frame with a unit vector: along axes as far as they can be.
inline std::pair<Vec3, Vec3> across(const Vec3& unit) noexcept {
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

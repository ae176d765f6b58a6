#pragma once

#include <array>
#include <cstddef>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// A matrix in double precision.
struct Matrix3 {
  std::array<std::array<double, 3>, 3> m;

  [[nodiscard]] Vec3 row(std::size_t i) const noexcept { return {m[i][0], m[i][1], m[i][2]}; }
  [[nodiscard]] Vec3 column(std::size_t j) const noexcept { return {m[0][j], m[1][j], m[2][j]}; }
  friend Vec3 operator*(const Matrix3& a, const Vec3& v) noexcept {
    return {dot(a.row(0), v), dot(a.row(1), v), dot(a.row(2), v)};
  }
  friend Matrix3 operator*(const Matrix3& a, const Matrix3& b) noexcept {
    Matrix3 r;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) r.m[i][j] = dot(a.row(i), b.column(j));
    return r;
  }
};

inline Matrix3 matrixOf(const Transform& f) noexcept { return {f.m}; }
/// The axes of a node as they are stored: coordinates of the model become F p.
inline Matrix3 matrixOf(const WideFrame& f) noexcept {
  Matrix3 r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r.m[i][j] = f.columns[j][i];
  return r;
}
/// Returns the cofactors: column j is the cross product of the next two columns.
inline Matrix3 cofactorsOf(const Matrix3& k) noexcept {
  Matrix3 r;
  for (std::size_t j = 0; j < 3; ++j) {
    const Vec3 c = cross(k.column((j + 1) % 3), k.column((j + 2) % 3));
    for (std::size_t i = 0; i < 3; ++i) r.m[i][j] = c[static_cast<int>(i)];
  }
  return r;
}
/// Returns the inverse, from the cofactors.
inline Matrix3 inverseOf(const Matrix3& k, const Matrix3& cofactors) noexcept {
  const double determinant = dot(k.column(0), cofactors.column(0));
  Matrix3 r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r.m[i][j] = cofactors.m[j][i] / determinant;
  return r;
}
/// Returns the inverse of the stored axes, which are orthonormal up to 2^-22 only.
inline Matrix3 inverseOf(const WideFrame& f) noexcept {
  const Matrix3 m = matrixOf(f);
  return inverseOf(m, cofactorsOf(m));
}

}  // namespace fitup::detail

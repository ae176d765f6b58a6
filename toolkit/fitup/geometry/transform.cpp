#include <fitup/geometry/transform.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>

namespace fitup {

Quaternion axisAngle(const Vec3& axis, double radians) {
  const Vec3 u = normalized(axis) * std::sin(0.5 * radians);
  return {u.x, u.y, u.z, std::cos(0.5 * radians)};
}

Quaternion normalized(const Quaternion& q) {
  const double s = 1.0 / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

Quaternion slerp(const Quaternion& a, const Quaternion& b, double s) {
  double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  const double sign = cosine < 0 ? -1.0 : 1.0;
  cosine *= sign;
  double wa = 1.0 - s;
  double wb = s;
  // Below this angle the sines cancel. Linear weights differ from the arc by less than rounding.
  if (cosine < 1.0 - 1e-12) {
    const double angle = std::acos(cosine);
    wa = std::sin(wa * angle) / std::sin(angle);
    wb = std::sin(wb * angle) / std::sin(angle);
  }
  wb *= sign;
  return normalized(
      Quaternion{wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w});
}

Transform Transform::translation(const Vec3& t) {
  Transform r;
  r.t = t;
  return r;
}

Transform Transform::rotation(const Quaternion& unnormalized) {
  const Quaternion q = normalized(unnormalized);
  Transform r;
  r.m = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w), 2 * (q.x * q.z + q.y * q.w)},
          {2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * q.w)},
          {2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
  return r;
}

Transform Transform::rotation(const Vec3& axis, double radians) { return rotation(axisAngle(axis, radians)); }

Transform Transform::scaling(double x, double y, double z) {
  Transform r;
  r.m[0][0] = x;
  r.m[1][1] = y;
  r.m[2][2] = z;
  return r;
}

Transform Transform::rigid(const Quaternion& q, const Vec3& t) {
  Transform r = rotation(q);
  r.t = t;
  return r;
}

double Transform::determinant() const noexcept {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool Transform::isFinite() const noexcept {
  for (const auto& row : m)
    for (double v : row)
      if (!std::isfinite(v)) return false;
  return fitup::isFinite(t);
}

double Transform::orthonormalError() const noexcept {
  const auto product = [&](std::size_t i, std::size_t j) {
    return m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
  };
  const double x = product(0, 0), y = product(1, 1), z = product(2, 2);
  const double squares = std::max({std::abs(x - 1), std::abs(y - 1), std::abs(z - 1)});
  const double others = std::max({std::abs(product(0, 1)), std::abs(product(0, 2)), std::abs(product(1, 2))});
  // Maxima drop NaN, but an entry that is not finite shows at least in the squares.
  return std::max(squares, others) + 0 * (x + y + z);
}

TransformKind Transform::kind() const noexcept {
  if (!(orthonormalError() <= orthonormalTolerance)) return TransformKind::affine;
  return determinant() < 0 ? TransformKind::mirrored : TransformKind::rigid;
}

namespace {

double squareOfRow(const std::array<double, 3>& row) {
  return row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
}

/// Throws PlacementError for the maps that `Transform::inverse` rejects.
void requireInvertible(const Transform& f, double determinant) {
  if (!f.isFinite()) throw PlacementError("placement has a number that is not finite");
  double scale = 1;
  for (const auto& row : f.m) scale *= std::sqrt(squareOfRow(row));
  // det| divided by the product of the row norms is the volume of the unit parallelepiped. It is 1 for
  // orthogonal rows.
  if (!(std::abs(determinant) > 1e-12 * scale) || !std::isfinite(1.0 / determinant))
    throw PlacementError("placement is singular (it flattens the part)");
}

}  // namespace

Transform Transform::inverse() const {
  const double det = determinant();
  // Accepts maps far from singular and far from overflow without computing roots.
  const double scales = squareOfRow(m[0]) * squareOfRow(m[1]) * squareOfRow(m[2]);
  const bool isPlain = scales > 0x1p-800 && scales < 0x1p800 && det * det > 1e-20 * scales &&
                       (t.x - t.x) + (t.y - t.y) + (t.z - t.z) == 0;
  if (!isPlain) requireInvertible(*this, det);
  Transform r;
  const auto minor = [&](std::size_t i, std::size_t j) {
    const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
  };
  for (std::size_t i = 0; i < 3; ++i) r.m[i] = {minor(i, 0) / det, minor(i, 1) / det, minor(i, 2) / det};
  r.t = -r.applyToVector(t);
  return r;
}

Transform operator*(const Transform& aFromB, const Transform& bFromC) {
  Transform r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r.m[i][j] =
          aFromB.m[i][0] * bFromC.m[0][j] + aFromB.m[i][1] * bFromC.m[1][j] + aFromB.m[i][2] * bFromC.m[2][j];
  r.t = aFromB.apply(bFromC.t);
  return r;
}

Quaternion rotationOf(const Transform& rigid) {
  const auto& m = rigid.m;
  // The largest of the four components is computed first, so that the divisions are well conditioned.
  const double trace = m[0][0] + m[1][1] + m[2][2];
  Quaternion q;
  if (trace > 0) {
    const double s = 2 * std::sqrt(1 + trace);
    q = {(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s, 0.25 * s};
  } else if (m[0][0] > m[1][1] && m[0][0] > m[2][2]) {
    const double s = 2 * std::sqrt(1 + m[0][0] - m[1][1] - m[2][2]);
    q = {0.25 * s, (m[0][1] + m[1][0]) / s, (m[0][2] + m[2][0]) / s, (m[2][1] - m[1][2]) / s};
  } else if (m[1][1] > m[2][2]) {
    const double s = 2 * std::sqrt(1 + m[1][1] - m[0][0] - m[2][2]);
    q = {(m[0][1] + m[1][0]) / s, 0.25 * s, (m[1][2] + m[2][1]) / s, (m[0][2] - m[2][0]) / s};
  } else {
    const double s = 2 * std::sqrt(1 + m[2][2] - m[0][0] - m[1][1]);
    q = {(m[0][2] + m[2][0]) / s, (m[1][2] + m[2][1]) / s, 0.25 * s, (m[1][0] - m[0][1]) / s};
  }
  return normalized(q);
}

Box placedBox(const Transform& aFromB, const Box& boxInB) noexcept {
  if (boxInB.empty()) return {};
  const Vec3 c = boxInB.centre();
  const Vec3 h = boxInB.halfExtent();
  const Vec3 centre = aFromB.apply(c);
  Box r;
  for (int i = 0; i < 3; ++i) {
    const auto& row = aFromB.m[static_cast<std::size_t>(i)];
    const double reach = std::abs(row[0]) * h.x + std::abs(row[1]) * h.y + std::abs(row[2]) * h.z;
    const double size = std::abs(row[0]) * (std::abs(c.x) + h.x) + std::abs(row[1]) * (std::abs(c.y) + h.y) +
                        std::abs(row[2]) * (std::abs(c.z) + h.z) + std::abs(aFromB.t[i]);
    // Centre, half extent and their images take fewer than 16 roundings of terms that `size` bounds.
    const double slack = size * 0x1p-48;
    r.min[i] = centre[i] - reach - slack;
    r.max[i] = centre[i] + reach + slack;
  }
  return r;
}

}  // namespace fitup

#include <fitup/geometry/predicates.h>

#include <cmath>

#include <fitup/geometry/detail/expansion.h>
#include <fitup/geometry/detail/filters.h>

namespace fitup {
namespace {

using detail::Expansion;

/// Relative to a: the differences of the three points of a plane, most often corners of one triangle, have few
/// bits, and so have their products. Relative to d, which is a corner of another triangle, placed by rounding,
/// terms are twice as long.
Expansion<192> orient3dExact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  using detail::difference;
  const Expansion<2> ux = difference(b.x, a.x), uy = difference(b.y, a.y), uz = difference(b.z, a.z);
  const Expansion<2> vx = difference(c.x, a.x), vy = difference(c.y, a.y), vz = difference(c.z, a.z);
  // a - d, so that the sign is that of the usual determinant.
  const Expansion<2> wx = difference(a.x, d.x), wy = difference(a.y, d.y), wz = difference(a.z, d.z);
  const auto minor = [](const Expansion<2>& px, const Expansion<2>& py, const Expansion<2>& qx,
                        const Expansion<2>& qy) { return sum(product(px, qy), product(qx, py), -1); };
  const Expansion<64> first = product(minor(ux, uy, vx, vy), wz);
  const Expansion<64> second = product(minor(uy, uz, vy, vz), wx);
  const Expansion<64> third = product(minor(uz, ux, vz, vx), wy);
  return sum(sum(first, second), third);
}

Expansion<16> orient2dExact(const Vec3& a, const Vec3& b, const Vec3& c, int u, int v) noexcept {
  using detail::difference;
  return sum(product(difference(a[u], c[u]), difference(b[v], c[v])),
             product(difference(a[v], c[v]), difference(b[u], c[u])), -1);
}

/// Returns true if two of four points are equal, as where triangles share a corner.
bool twoAreEqual(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return d == a || d == b || d == c || a == b || b == c || c == a;
}
/// Returns true if four points lie in one plane perpendicular to an axis, which is common in CAD parts.
bool inPlaneAcrossAxis(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return (a.x == d.x && b.x == d.x && c.x == d.x) || (a.y == d.y && b.y == d.y && c.y == d.y) ||
         (a.z == d.z && b.z == d.z && c.z == d.z);
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  const int sign = detail::filteredOrient3d(a, b, c, d);
  if (sign != uncertain) return sign;
  if (inPlaneAcrossAxis(a, b, c, d) || twoAreEqual(a, b, c, d)) return 0;
  return orient3dExact(a, b, c, d).sign();
}

double orient3dValue(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return orient3dExact(a, b, c, d).estimate();
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept {
  const int u = (dropAxis + 1) % 3, v = (dropAxis + 2) % 3;
  const double left = (a[u] - c[u]) * (b[v] - c[v]);
  const double right = (a[v] - c[v]) * (b[u] - c[u]);
  // A product is zero only if a difference is, and a difference only if two coordinates are equal (limits.h).
  if (left == 0 && right == 0) return 0;
  const double det = left - right;
  // Shewchuk 1997, section 4: (3 + 16 u) u bounds the error relative to the permanent.
  const double bound = (3 + 16 * unitRoundoff) * unitRoundoff * (std::abs(left) + std::abs(right));
  const int sign = signBeyond(det, bound);
  return sign != uncertain ? sign : orient2dExact(a, b, c, u, v).sign();
}

double orient2dValue(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept {
  return orient2dExact(a, b, c, (dropAxis + 1) % 3, (dropAxis + 2) % 3).estimate();
}

bool isDegenerate(const Triangle& t) noexcept {
  // Parallel edges have a zero cross product, whose components are the three projected orientations.
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(t.v[0], t.v[1], t.v[2], axis) != 0) return false;
  return true;
}

}  // namespace fitup

#include <fitup/geometry/predicates.h>

#include <cmath>

#include <fitup/geometry/detail/expansion.h>
#include <fitup/geometry/detail/filters.h>

namespace fitup {
namespace {

using detail::Expansion;

Expansion<192> orient3dExact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  using detail::difference;
  const Expansion<2> adx = difference(a.x, d.x), ady = difference(a.y, d.y), adz = difference(a.z, d.z);
  const Expansion<2> bdx = difference(b.x, d.x), bdy = difference(b.y, d.y), bdz = difference(b.z, d.z);
  const Expansion<2> cdx = difference(c.x, d.x), cdy = difference(c.y, d.y), cdz = difference(c.z, d.z);
  const auto minor = [](const Expansion<2>& px, const Expansion<2>& py, const Expansion<2>& qx,
                        const Expansion<2>& qy) { return sum(product(px, qy), product(qx, py), -1); };
  const Expansion<64> first = product(minor(bdx, bdy, cdx, cdy), adz);
  const Expansion<64> second = product(minor(cdx, cdy, adx, ady), bdz);
  const Expansion<64> third = product(minor(adx, ady, bdx, bdy), cdz);
  return sum(sum(first, second), third);
}

Expansion<16> orient2dExact(const Vec3& a, const Vec3& b, const Vec3& c, int u, int v) noexcept {
  using detail::difference;
  return sum(product(difference(a[u], c[u]), difference(b[v], c[v])),
             product(difference(a[v], c[v]), difference(b[u], c[u])), -1);
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
  return inPlaneAcrossAxis(a, b, c, d) ? 0 : orient3dExact(a, b, c, d).sign();
}

double orient3dValue(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return orient3dExact(a, b, c, d).estimate();
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept {
  const int u = (dropAxis + 1) % 3, v = (dropAxis + 2) % 3;
  const double left = (a[u] - c[u]) * (b[v] - c[v]);
  const double right = (a[v] - c[v]) * (b[u] - c[u]);
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

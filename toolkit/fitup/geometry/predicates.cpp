#include <fitup/geometry/predicates.h>

#include <cmath>

#include <fitup/geometry/detail/expansion.h>

namespace fitup {
namespace {

using detail::Expansion;

constexpr double unitRoundoff = 0x1p-53;
// Shewchuk 1997, section 4: (7 + 56 u) u bounds the relative error of the determinant against its permanent, computed
// in the order of `orient3dFiltered`; (3 + 16 u) u that of the 2x2 one. No term underflows (limits.h).
constexpr double bound3d = (7 + 56 * unitRoundoff) * unitRoundoff;
constexpr double bound2d = (3 + 16 * unitRoundoff) * unitRoundoff;

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

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  const double adx = a.x - d.x, ady = a.y - d.y, adz = a.z - d.z;
  const double bdx = b.x - d.x, bdy = b.y - d.y, bdz = b.z - d.z;
  const double cdx = c.x - d.x, cdy = c.y - d.y, cdz = c.z - d.z;
  const double bdxcdy = bdx * cdy, cdxbdy = cdx * bdy;
  const double cdxady = cdx * ady, adxcdy = adx * cdy;
  const double adxbdy = adx * bdy, bdxady = bdx * ady;
  const double det = adz * (bdxcdy - cdxbdy) + bdz * (cdxady - adxcdy) + cdz * (adxbdy - bdxady);
  const double permanent = (std::abs(bdxcdy) + std::abs(cdxbdy)) * std::abs(adz) +
                           (std::abs(cdxady) + std::abs(adxcdy)) * std::abs(bdz) +
                           (std::abs(adxbdy) + std::abs(bdxady)) * std::abs(cdz);
  const double bound = bound3d * permanent;
  if (det > bound) return 1;
  if (-det > bound) return -1;
  return orient3dExact(a, b, c, d).sign();
}

double orient3dValue(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return orient3dExact(a, b, c, d).estimate();
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept {
  const int u = (dropAxis + 1) % 3, v = (dropAxis + 2) % 3;
  const double left = (a[u] - c[u]) * (b[v] - c[v]);
  const double right = (a[v] - c[v]) * (b[u] - c[u]);
  const double det = left - right;
  const double bound = bound2d * (std::abs(left) + std::abs(right));
  if (det > bound) return 1;
  if (-det > bound) return -1;
  using detail::difference;
  return sum(product(difference(a[u], c[u]), difference(b[v], c[v])),
             product(difference(a[v], c[v]), difference(b[u], c[u])), -1)
      .sign();
}

bool isDegenerate(const Triangle& t) noexcept {
  // Parallel edges have a zero cross product, whose components are the three projected orientations.
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(t.v[0], t.v[1], t.v[2], axis) != 0) return false;
  return true;
}

}  // namespace fitup

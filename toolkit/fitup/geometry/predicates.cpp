#include <fitup/geometry/predicates.h>

#include <cmath>

#include <fitup/geometry/detail/exact_plane.h>
#include <fitup/geometry/detail/filters.h>

namespace fitup {
namespace {

using detail::Expansion;

Expansion<16> orient2dExact(const Vec3& a, const Vec3& b, const Vec3& c, int u, int v) noexcept {
  using detail::difference;
  return sum(product(difference(a[u], c[u]), difference(b[v], c[v])),
             product(difference(a[v], c[v]), difference(b[u], c[u])), -1);
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  const int sign = detail::quickOrient3d(a, b, c, d);
  return sign != uncertain ? sign : detail::ExactPlane(a, b, c).sign(d);
}

double orient3dValue(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  return detail::ExactPlane(a, b, c).value(d);
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

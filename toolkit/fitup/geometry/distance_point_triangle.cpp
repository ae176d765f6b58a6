#include <fitup/geometry/distance_point_triangle.h>

#include <algorithm>

namespace fitup {

std::optional<Vec3> footInTriangle(const Vec3& p, const Triangle& t, const Vec3& n) noexcept {
  const double nn = dot(n, n);
  if (!(nn > 0)) return std::nullopt;
  const Vec3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[0];
  double beta = 0, gamma = 0;
  const auto add = [&](const Vec3& w) {
    beta += dot(cross(w, f), n) / nn;
    gamma += dot(cross(e, w), n) / nn;
  };
  const auto point = [&] { return t.v[0] + e * beta + f * gamma; };
  const auto clamp = [&] {
    beta = std::clamp(beta, 0.0, 1.0);
    gamma = std::clamp(gamma, 0.0, 1 - beta);
  };
  add(p - t.v[0]);
  constexpr double beside = -0x1p-10;
  if (beta < beside || gamma < beside || 1 - beta - gamma < beside) return std::nullopt;
  clamp();
  add(p - point());
  clamp();
  return point();
}

ClosestPoints distancePointTriangle(const Vec3& p, const Triangle& t) noexcept {
  ClosestPoints best{p, t.v[0], norm(t.v[0] - p)};
  const auto consider = [&](const Vec3& onB) {
    if (const double d = norm(onB - p); d < best.distance) best = {p, onB, d};
  };
  for (int i = 0; i < 3; ++i) consider(closestPointOnSegment(p, t.v[i], t.v[(i + 1) % 3]));
  if (const auto foot = footInTriangle(p, t, cross(t.v[1] - t.v[0], t.v[2] - t.v[0]))) consider(*foot);
  return best;
}

}  // namespace fitup

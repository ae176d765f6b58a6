#include <fitup/geometry/closest_point_triangle.h>

#include <algorithm>

namespace fitup {

Vec3 closestPointOnSegment(const Vec3& p, const Vec3& from, const Vec3& to) noexcept {
  const Vec3 d = to - from;
  const double length2 = dot(d, d);
  if (!(length2 > 0)) return from;
  const double s = dot(p - from, d) / length2;
  if (s <= 0) return from;
  if (s >= 1) return to;
  // From the nearer end, so that a point near an end keeps that end's accuracy.
  return s <= 0.5 ? from + d * s : to - d * (dot(to - p, d) / length2);
}

Vec3 closestPointOnTriangle(const Vec3& p, const Triangle& t) noexcept {
  const Vec3 &a = t.v[0], &b = t.v[1], &c = t.v[2];
  const Vec3 n = cross(b - a, c - a);
  const double n2 = dot(n, n);
  // Signs of the three edges' sides of the foot of p: all inside means that the foot is the nearest point.
  if (n2 > 0) {
    const bool insideAb = dot(cross(b - a, p - a), n) >= 0, insideBc = dot(cross(c - b, p - b), n) >= 0,
               insideCa = dot(cross(a - c, p - c), n) >= 0;
    if (insideAb && insideBc && insideCa) return p - n * (dot(p - a, n) / n2);
  }
  Vec3 best = closestPointOnSegment(p, a, b);
  double least = dot(p - best, p - best);
  for (const auto& [from, to] : {std::pair{&b, &c}, std::pair{&c, &a}}) {
    const Vec3 q = closestPointOnSegment(p, *from, *to);
    const double d2 = dot(p - q, p - q);
    if (d2 < least) {
      least = d2;
      best = q;
    }
  }
  return best;
}

}  // namespace fitup

#include <fitup/geometry/distance_segment_segment.h>

namespace fitup {
namespace {

ClosestPoints distanceFromOrigin(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) noexcept {
  ClosestPoints best{a0, b0, norm(b0 - a0)};
  const auto consider = [&](const Vec3& onA, const Vec3& onB) {
    if (const double d = norm(onB - onA); d < best.distance) best = {onA, onB, d};
  };
  consider(a0, closestPointOnSegment(a0, b0, b1));
  consider(a1, closestPointOnSegment(a1, b0, b1));
  consider(closestPointOnSegment(b0, a0, a1), b0);
  consider(closestPointOnSegment(b1, a0, a1), b1);
  if (const auto inside = closestInsideSegments(a0, a1, b0, b1, cross(a1 - a0, b1 - b0)))
    consider(inside->onA, inside->onB);
  return best;
}

}  // namespace

std::optional<ClosestPoints> closestInsideSegments(const Vec3& a0, const Vec3& a1, const Vec3& b0,
                                                   const Vec3& b1, const Vec3& n) noexcept {
  const double nn = dot(n, n);
  if (!(nn > 0)) return std::nullopt;
  const Vec3 u = a1 - a0, v = b1 - b0, w = b0 - a0;
  const double s = dot(cross(w, v), n), t = dot(cross(w, u), n);
  if (!(s >= 0 && s <= nn && t >= 0 && t <= nn)) return std::nullopt;
  const Vec3 onA = a0 + u * (s / nn);
  const Vec3 onB = closestPointOnSegment(onA, b0, b1);
  return ClosestPoints{onA, onB, norm(onB - onA)};
}

ClosestPoints distanceSegmentSegment(const Vec3& a0, const Vec3& a1, const Vec3& b0,
                                     const Vec3& b1) noexcept {
  // Coordinates are relative to the first point, so that only differences of coordinates count.
  ClosestPoints found = distanceFromOrigin({}, a1 - a0, b0 - a0, b1 - a0);
  found.onA = a0 + found.onA;
  found.onB = a0 + found.onB;
  return found;
}

}  // namespace fitup

#include <fitup/geometry/distance_segment_triangle.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_segment_segment.h>
#include <fitup/geometry/segment_crossing.h>

namespace fitup {
namespace {

/// The point of a segment in the plane of a triangle that it crosses, within the triangle up to rounding.
Vec3 crossingPoint(const Vec3& from, const Vec3& to, const Triangle& t) noexcept {
  const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const double a = dot(n, from - t.v[0]), b = dot(n, to - t.v[0]);
  const double share = a == b ? 0.5 : a / (a - b);
  return from + (to - from) * std::min(std::max(share, 0.0), 1.0);
}

/// The nearest points if the segment is on one side of the plane, and the foot of its nearer end certainly
/// lies in the triangle: nothing is nearer than the plane is. The usual case of a short segment near to a
/// large triangle.
std::optional<ClosestPoints> nearestAbove(const Vec3& from, const Vec3& to, const Triangle& t,
                                          const Vec3& n) noexcept {
  const double a = dot(n, from - t.v[0]), b = dot(n, to - t.v[0]), nn = dot(n, n);
  if (!((a > 0 && b > 0) || (a < 0 && b < 0))) return std::nullopt;
  // The normal of a sliver has fewer digits than a distance.
  const Vec3 u = t.v[1] - t.v[0], v = t.v[2] - t.v[0];
  if (!(nn > 0x1p-10 * dot(u, u) * dot(v, v))) return std::nullopt;
  const Vec3& end = std::abs(a) <= std::abs(b) ? from : to;
  const auto foot = footInTriangle(end, t, n);
  if (!foot) return std::nullopt;
  const double distance = norm(end - *foot), least = std::min(std::abs(a), std::abs(b));
  if (!(distance * distance * nn <= least * least * (1 + 0x1p-48))) return std::nullopt;
  return ClosestPoints{end, *foot, distance};
}

}  // namespace

ClosestPoints distanceSegmentTriangle(const Vec3& from, const Vec3& to, const Triangle& t) noexcept {
  if (from == to) return distancePointTriangle(from, t);
  const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  if (const auto above = nearestAbove(from, to, t, n)) return *above;
  // Without a crossing, the least distance is at an edge of the triangle, or at an end of the segment whose
  // foot lies in the triangle.
  ClosestPoints best = distanceSegmentSegment(from, to, t.v[0], t.v[1]);
  const auto consider = [&](const ClosestPoints& other) {
    if (other.distance < best.distance) best = other;
  };
  consider(distanceSegmentSegment(from, to, t.v[1], t.v[2]));
  consider(distanceSegmentSegment(from, to, t.v[2], t.v[0]));
  for (const Vec3& end : {from, to})
    if (const auto foot = footInTriangle(end, t, n)) consider({end, *foot, norm(end - *foot)});
  if (best.distance > 0) switch (crossSegmentTriangle(from, to, t)) {
      case SegmentCrossing::out:
      case SegmentCrossing::in: {
        const Vec3 p = crossingPoint(from, to, t);
        best = {p, p, 0};
        break;
      }
      case SegmentCrossing::startsOn:
        best = {from, from, 0};
        break;
      case SegmentCrossing::degenerate:  // the nearest point of an edge or an end is off by rounding only
        best.onB = best.onA;
        best.distance = 0;
        break;
      case SegmentCrossing::none:
        break;
    }
  return best;
}

}  // namespace fitup

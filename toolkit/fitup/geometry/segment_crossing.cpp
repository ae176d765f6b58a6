#include <fitup/geometry/segment_crossing.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/predicates.h>

namespace fitup {

namespace {

/// Returns true if a point in the plane of a triangle lies on the closed triangle. Precondition: the triangle
/// is not degenerate.
bool isOn(const Vec3& p, const Triangle& t) noexcept {
  const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  int axis = std::abs(normal.x) >= std::abs(normal.y) ? 0 : 1;
  if (std::abs(normal.z) > std::abs(normal[axis])) axis = 2;
  int sense = 0;  // orientation of the triangle along an axis that does not flatten it
  for (int k = 0; k < 3 && sense == 0; ++k) {
    if (k > 0) axis = (axis + 1) % 3;
    sense = orient2d(t.v[0], t.v[1], t.v[2], axis);
  }
  for (int k = 0; k < 3; ++k)
    if (sense * orient2d(t.v[k], t.v[(k + 1) % 3], p, axis) < 0) return false;
  return true;
}

}  // namespace

SegmentCrossing crossSegmentTriangle(const Vec3& from, const Vec3& to, const Triangle& t) noexcept {
  if (!Box::around(std::array{from, to}).overlaps(Box::around(t.v))) return SegmentCrossing::none;
  const Vec3 &a = t.v[0], &b = t.v[1], &c = t.v[2];
  // +1 is the side away from which the normal points.
  const int start = orient3d(a, b, c, from), end = orient3d(a, b, c, to);
  if (start != 0 && start == end) return SegmentCrossing::none;
  if (start == 0 && end == 0) {  // in the plane, or the triangle is degenerate
    if (intersectTriangleTriangle(t, {{from, from, from}})) return SegmentCrossing::startsOn;
    return intersectTriangleTriangle(t, {{from, to, to}}) ? SegmentCrossing::degenerate
                                                          : SegmentCrossing::none;
  }
  if (start == 0) return isOn(from, t) ? SegmentCrossing::startsOn : SegmentCrossing::none;
  if (end == 0) return isOn(to, t) ? SegmentCrossing::degenerate : SegmentCrossing::none;
  const int first = orient3d(from, to, a, b), second = orient3d(from, to, b, c),
            third = orient3d(from, to, c, a);
  if (first == 0 || second == 0 || third == 0) {
    const bool positive = first > 0 || second > 0 || third > 0,
               negative = first < 0 || second < 0 || third < 0;
    return positive && negative ? SegmentCrossing::none : SegmentCrossing::degenerate;
  }
  if (first != second || second != third) return SegmentCrossing::none;
  return start > 0 ? SegmentCrossing::out : SegmentCrossing::in;
}

Vec3 escapePoint(const Vec3& p, const Aabb& box, unsigned attempt) noexcept {
  const Vec3 centre = box.centre(), half = box.halfExtent();
  // The six axis directions by the distance to that side, then the same again with other slants.
  struct Way {
    double distance;
    int axis;
    double sign;
  };
  Way ways[6];
  for (int k = 0; k < 6; ++k) {
    const double sign = k % 2 == 0 ? 1 : -1;
    ways[k] = {half[k / 2] - sign * (p[k / 2] - centre[k / 2]), k / 2, sign};
  }
  std::sort(ways, ways + 6, [](const Way& u, const Way& v) { return u.distance < v.distance; });
  const Way& way = ways[attempt % 6];
  // Slants that do not occur in a lattice; the golden angle spreads them.
  const double turn = 2.399963229728653 * (attempt + 1), slant = 0.02 + 0.13 * (attempt / 6);
  Vec3 direction;
  direction[way.axis] = way.sign;
  direction[(way.axis + 1) % 3] = slant * std::cos(turn);
  direction[(way.axis + 2) % 3] = slant * std::sin(turn);
  const double size = norm(half) + 1e-30;
  const double length = std::max(way.distance, 0.0) + size * (0.5 + slant);
  return p + direction * length;
}

}  // namespace fitup

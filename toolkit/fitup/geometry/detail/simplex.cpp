#include <fitup/geometry/detail/simplex.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/predicates.h>

namespace fitup::detail {
namespace {

/// Returns true if all points lie strictly on the given side (-1, +1) of the line u v, or on that side or the
/// line if `closed`.
bool allOnSide(const Vec3& u, const Vec3& v, std::span<const Vec3> points, int dropAxis, int side,
               bool closed) noexcept {
  return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
    const int sign = orient2d(u, v, p, dropAxis) * side;
    return sign > 0 || (closed && sign == 0);
  });
}

/// Returns true if a line along an edge of `s` separates it from the other simplex.
bool edgeSeparates(const Simplex& s, const Simplex& other, int dropAxis, Touching touching) noexcept {
  // For closed sets, touching the line is not a separation. For relative interiors it is, even if the whole
  // other simplex lies on the line.
  const bool closed = touching == Touching::exclude;
  if (s.corners == 3) {
    const int inner = dropAxis == s.dropAxis ? s.winding : orient2d(s.v[0], s.v[1], s.v[2], dropAxis);
    for (std::size_t i = 0; i < 3; ++i)
      if (allOnSide(s.v[i], s.v[(i + 1) % 3], other.points(), dropAxis, -inner, closed)) return true;
    return false;
  }
  if (s.corners == 2)
    return allOnSide(s.v[0], s.v[1], other.points(), dropAxis, 1, closed) ||
           allOnSide(s.v[0], s.v[1], other.points(), dropAxis, -1, closed);
  return false;
}

/// Tests segments and points on one line.
bool overlapOnLine(const Simplex& a, const Simplex& b, Touching touching) noexcept {
  const Vec3 &aLow = a.v[0], &aHigh = a.v[static_cast<std::size_t>(a.corners - 1)];
  const Vec3 &bLow = b.v[0], &bHigh = b.v[static_cast<std::size_t>(b.corners - 1)];
  if (touching == Touching::include)
    return !lexicographicallyLess(aHigh, bLow) && !lexicographicallyLess(bHigh, aLow);
  // The relative interior of a point is the point itself.
  if (a.corners == 1 && b.corners == 1) return aLow == bLow;
  return lexicographicallyLess(aLow, bHigh) && lexicographicallyLess(bLow, aHigh);
}

bool intersectSegmentOrPointWithTriangle(const Simplex& s, const Simplex& t, Touching touching) noexcept {
  const Vec3 &p = s.v[0], &q = s.v[static_cast<std::size_t>(s.corners - 1)];
  const int sideP = orient3d(t.v[0], t.v[1], t.v[2], p);
  const int sideQ = s.corners == 1 ? sideP : orient3d(t.v[0], t.v[1], t.v[2], q);
  if (sideP == 0 && sideQ == 0) return meetInPlane(s, t, t.dropAxis, touching);
  if (sideP == sideQ) return false;
  if (touching == Touching::exclude && sideP * sideQ == 0) return false;  // only an end touches the plane
  int low = 1, high = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const int sign = orient3d(p, q, t.v[i], t.v[(i + 1) % 3]);
    low = std::min(low, sign);
    high = std::max(high, sign);
  }
  // The line passes all edges on one side. A zero means that it meets an edge.
  return touching == Touching::include ? !(low < 0 && high > 0) : low == high && low != 0;
}

bool intersectSegmentsOrPoints(const Simplex& a, const Simplex& b, Touching touching) noexcept {
  const Vec3 &p = a.v[0], &q = a.v[static_cast<std::size_t>(a.corners - 1)];
  const Vec3 &r = b.v[0], &s = b.v[static_cast<std::size_t>(b.corners - 1)];
  if (orient3d(p, q, r, s) != 0) return false;
  const int dropAxis = projectionOfCoplanar(p, q, r, s);
  if (dropAxis < 0) return overlapOnLine(a, b, touching);
  if (a.corners == 1 || b.corners == 1) return false;  // a point that is not on the line
  return meetInPlane(a, b, dropAxis, touching);
}

}  // namespace

Simplex::Simplex(const Triangle& t) noexcept : v{t.v[0], t.v[1], t.v[2]} {
  // The projection along the longest component of the normal is the one whose orientations the filters decide
  // most often.
  const Vec3 n = cross(v[1] - v[0], v[2] - v[0]);
  int first = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(n[axis]) > std::abs(n[first])) first = axis;
  for (int i = 0; i < 3; ++i) {
    dropAxis = (first + i) % 3;
    winding = orient2d(v[0], v[1], v[2], dropAxis);
    if (winding != 0) {
      corners = 3;
      return;
    }
  }
  const auto [low, high] = std::minmax({v[0], v[1], v[2]}, lexicographicallyLess);
  corners = low == high ? 1 : 2;
  v = {low, high, high};
}

bool meetInPlane(const Simplex& a, const Simplex& b, int dropAxis, Touching touching) noexcept {
  return !edgeSeparates(a, b, dropAxis, touching) && !edgeSeparates(b, a, dropAxis, touching);
}

int projectionOfCoplanar(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(p, q, r, axis) != 0 || orient2d(p, q, s, axis) != 0 || orient2d(r, s, p, axis) != 0 ||
        orient2d(r, s, q, axis) != 0)
      return axis;
  return -1;
}

bool intersectSpecial(const Simplex& a, const Simplex& b, Touching touching) noexcept {
  if (a.corners == 3 && b.corners == 3) return meetInPlane(a, b, a.dropAxis, touching);
  if (a.corners == 3) return intersectSegmentOrPointWithTriangle(b, a, touching);
  if (b.corners == 3) return intersectSegmentOrPointWithTriangle(a, b, touching);
  return intersectSegmentsOrPoints(a, b, touching);
}

}  // namespace fitup::detail

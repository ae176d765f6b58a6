#include <fitup/geometry/triangle_intersection.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fitup/geometry/detail/line_intervals.h>
#include <fitup/geometry/detail/simplex.h>
#include <fitup/geometry/predicates.h>

namespace fitup {
namespace {

using detail::Simplex;
using Kind = TriangleIntersection::Kind;

/// Returns the point at which u v crosses a plane or line. The signed distances have a common factor, are
/// within 2^-50 relative, and have opposite signs or one of them is zero. The computation starts from the
/// nearer end, so the error is at most 2^-48.3 times the largest coordinate: 2^-49.9 from the parameter (at
/// most 1/2, relative error 2^-48.9; |v - u| is at most twice that coordinate), the rest from four roundings.
Vec3 crossing(const Vec3& u, const Vec3& v, double distanceU, double distanceV) noexcept {
  if (distanceU == 0) return u;
  if (distanceV == 0) return v;
  if (std::abs(distanceU) > std::abs(distanceV)) return crossing(v, u, distanceV, distanceU);
  const double s = distanceU / (distanceU - distanceV);
  return u + (v - u) * s;
}

Triangle asTriangle(const Vec3& p, const Vec3& q, const Vec3& r) noexcept { return {{p, q, r}}; }

bool contains(const Triangle& t, const Vec3& p) noexcept {
  return intersectTriangleTriangle(t, asTriangle(p, p, p), Touching::include);
}

/// Returns true if the sign changes or is zero at an end, that is, if the closed segment reaches the zero
/// set.
bool straddles(int signU, int signV) noexcept { return signU * signV <= 0; }

void addIfNew(std::vector<Vec3>& points, const Vec3& p) {
  if (std::find(points.begin(), points.end(), p) == points.end()) points.push_back(p);
}

/// Returns the corners of each simplex that lie in the other one. They are exact points of the intersection.
std::vector<Vec3> sharedCorners(const Simplex& a, const Triangle& ta, const Simplex& b, const Triangle& tb) {
  std::vector<Vec3> points;
  for (const Vec3& p : a.points())
    if (contains(tb, p)) addIfNew(points, p);
  for (const Vec3& p : b.points())
    if (contains(ta, p)) addIfNew(points, p);
  return points;
}

/// Adds the points at which edges of coplanar simplices cross properly. Each crossing is a point of its own
/// and differs from all corners, so it is kept even if it rounds to the coordinates of another one.
void addEdgeCrossings(const Simplex& a, const Simplex& b, int dropAxis, std::vector<Vec3>& points) {
  const auto edges = [](const Simplex& s) { return s.corners == 3 ? 3U : s.corners == 2 ? 1U : 0U; };
  for (std::size_t i = 0; i < edges(a); ++i)
    for (std::size_t j = 0; j < edges(b); ++j) {
      const Vec3 &p = a.v[i], &q = a.v[(i + 1) % 3], &r = b.v[j], &s = b.v[(j + 1) % 3];
      if (orient2d(r, s, p, dropAxis) * orient2d(r, s, q, dropAxis) < 0 &&
          orient2d(p, q, r, dropAxis) * orient2d(p, q, s, dropAxis) < 0)
        points.push_back(crossing(p, q, orient2dValue(r, s, p, dropAxis), orient2dValue(r, s, q, dropAxis)));
    }
}

/// Adds the points at which edges of `a` meet triangle `b` without lying in its plane. The same point may
/// come from several edges.
void addPiercings(const Simplex& a, const Simplex& b, const Triangle& tb, std::vector<Vec3>& points) {
  if (b.corners != 3) return;
  const std::size_t edges = a.corners == 3 ? 3 : 1;
  for (std::size_t i = 0; i < edges; ++i) {
    const Vec3 &p = a.v[i], &q = a.v[(i + 1) % 3];
    const int sideP = orient3d(b.v[0], b.v[1], b.v[2], p), sideQ = orient3d(b.v[0], b.v[1], b.v[2], q);
    if (!straddles(sideP, sideQ) || (sideP == 0 && sideQ == 0)) continue;
    if (!intersectTriangleTriangle(asTriangle(p, q, q), tb, Touching::include)) continue;
    points.push_back(
        crossing(p, q, orient3dValue(b.v[0], b.v[1], b.v[2], p), orient3dValue(b.v[0], b.v[1], b.v[2], q)));
  }
}

void keepFarthestTwo(std::vector<Vec3>& points) {
  if (points.size() <= 2) return;
  std::size_t bestI = 0, bestJ = 1;
  double best = -1;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double d = norm(points[i] - points[j]);
      if (d > best) {
        best = d;
        bestI = i;
        bestJ = j;
      }
    }
  points = {points[bestI], points[bestJ]};
}

/// Sorts points around their mean, in the projection.
void sortAround(std::vector<Vec3>& points, int dropAxis) {
  const int u = (dropAxis + 1) % 3, v = (dropAxis + 2) % 3;
  Vec3 middle;
  for (const Vec3& p : points) middle = middle + p * (1.0 / static_cast<double>(points.size()));
  std::sort(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
    return std::atan2(a[v] - middle[v], a[u] - middle[u]) < std::atan2(b[v] - middle[v], b[u] - middle[u]);
  });
}

detail::Sides exactSides(const Triangle& plane, const Triangle& t) noexcept {
  detail::Sides sides{};
  for (int i = 0; i < 3; ++i) sides.s[i] = -orient3d(plane.v[0], plane.v[1], plane.v[2], t.v[i]);
  return sides;
}

/// Returns true if exactly one point is common to two intersecting triangles of different planes.
bool meetInOnePoint(const Triangle& a, const Triangle& b) noexcept {
  const detail::Sides aSides = exactSides(b, a), bSides = exactSides(a, b);
  const auto touchesByCorner = [](const detail::Sides& sides) {
    const int zeros = (sides.s[0] == 0) + (sides.s[1] == 0) + (sides.s[2] == 0);
    return zeros == 1 && !sides.strictlyMixed();
  };
  if (touchesByCorner(aSides) || touchesByCorner(bSides)) return true;
  const detail::IntervalOrder order = detail::compareIntervals(a, aSides, b, bSides);
  return order.first == 0 || order.second == 0;
}

}  // namespace

TriangleIntersection triangleIntersection(const Triangle& ta, const Triangle& tb) {
  TriangleIntersection result;
  double largest = 0;
  for (const Triangle* t : {&ta, &tb})
    for (const Vec3& p : t->v) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  result.errorBound = largest * 0x1p-46;
  if (!intersectTriangleTriangle(ta, tb, Touching::include)) return result;

  const Simplex a(ta), b(tb);
  const bool coplanar = (a.corners < 3 && b.corners < 3) || [&] {
    const Triangle& plane = a.corners == 3 ? ta : tb;
    const Triangle& other = a.corners == 3 ? tb : ta;
    for (const Vec3& p : other.v)
      if (orient3d(plane.v[0], plane.v[1], plane.v[2], p) != 0) return false;
    return true;
  }();

  std::vector<Vec3> points = sharedCorners(a, ta, b, tb);
  if (coplanar) {
    const bool interiors = intersectTriangleTriangle(ta, tb, Touching::exclude);
    const int dropAxis = a.corners == 3   ? a.dropAxis
                         : b.corners == 3 ? b.dropAxis
                                          : detail::projectionOfCoplanar(a.v[0], a.v[1], b.v[0], b.v[1]);
    // Without a common interior point, the common part ends at corners, which are exact.
    if (interiors && dropAxis >= 0) addEdgeCrossings(a, b, dropAxis, points);
    if (a.corners == 3 && b.corners == 3 && interiors) {
      result.kind = Kind::polygon;
      sortAround(points, dropAxis);
    } else {
      keepFarthestTwo(points);
      result.kind = points.size() == 1 ? Kind::point : Kind::segment;
    }
  } else if (a.corners < 3 || b.corners < 3) {
    if (points.empty()) {
      addPiercings(a, b, tb, points);
      addPiercings(b, a, ta, points);
    }
    points.resize(1);
    result.kind = Kind::point;
  } else {
    addPiercings(a, b, tb, points);
    addPiercings(b, a, ta, points);
    keepFarthestTwo(points);
    const bool one = meetInOnePoint(ta, tb);
    if (one) points.resize(1);
    result.kind = one ? Kind::point : Kind::segment;
  }
  result.count = static_cast<std::uint8_t>(std::min<std::size_t>(points.size(), result.points.size()));
  std::copy_n(points.begin(), result.count, result.points.begin());
  return result;
}

}  // namespace fitup

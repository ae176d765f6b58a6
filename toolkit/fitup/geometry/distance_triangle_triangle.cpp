#include <fitup/geometry/distance_triangle_triangle.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_segment_segment.h>
#include <fitup/geometry/filter_plane.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/triangle_intersection.h>

namespace fitup {
namespace {

/// Returns the closest points among pairs of edges and pairs of corner and face, as if the triangles were
/// disjoint.
ClosestPoints nearestFeatures(const Triangle& a, const Triangle& b) noexcept {
  Vec3 onA = a.v[0], onB = b.v[0];
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec3& p, const Vec3& q) {
    const Vec3 d = q - p;
    if (const double squared = dot(d, d); squared < least) {
      least = squared;
      onA = p;
      onB = q;
    }
  };
  const Vec3 edgeA[3] = {a.v[1] - a.v[0], a.v[2] - a.v[1], a.v[0] - a.v[2]};
  const Vec3 edgeB[3] = {b.v[1] - b.v[0], b.v[2] - b.v[1], b.v[0] - b.v[2]};
  for (int i = 0; i < 3; ++i) {
    const Vec3 &a0 = a.v[i], &a1 = a.v[(i + 1) % 3];
    for (int j = 0; j < 3; ++j) {
      const Vec3 &b0 = b.v[j], &b1 = b.v[(j + 1) % 3];
      consider(a0, closestPointOnSegment(a0, b0, b1));
      consider(closestPointOnSegment(b0, a0, a1), b0);
      if (const auto inside = closestInsideSegments(a0, a1, b0, b1, cross(edgeA[i], edgeB[j])))
        consider(inside->onA, inside->onB);
    }
  }
  const Vec3 normalA = cross(edgeA[2], edgeA[0]), normalB = cross(edgeB[2], edgeB[0]);
  for (int i = 0; i < 3; ++i) {
    if (const auto foot = footInTriangle(a.v[i], b, normalB)) consider(a.v[i], *foot);
    if (const auto foot = footInTriangle(b.v[i], a, normalA)) consider(*foot, b.v[i]);
  }
  return {onA, onB, std::sqrt(least)};
}

/// Returns true only if a plane perpendicular to the connection of the two points separates the triangles.
///
/// For any direction d, each d . p takes three products and two sums of coordinates that carry the relative
/// error u of a difference: 5 u sum |d_k| X_k, where X_k is the largest magnitude. Twice that and the last
/// difference stay below 12 u. 16 u leaves room for the rounding of the bound itself. Coordinates are normal
/// numbers of about the same scale as d (see below), so only numbers below 2^-1000 underflow.
bool separates(const ClosestPoints& across, const Triangle& a, const Triangle& b) noexcept {
  const Vec3 d = across.onB - across.onA;
  double high = -std::numeric_limits<double>::infinity(), low = -high, magnitude = 0;
  for (int i = 0; i < 3; ++i) {
    high = std::max(high, dot(d, a.v[i]));
    low = std::min(low, dot(d, b.v[i]));
  }
  for (int k = 0; k < 3; ++k) {
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(a.v[i][k]), std::abs(b.v[i][k])});
    magnitude += std::abs(d[k]) * largest;
  }
  return low - high > 16 * unitRoundoff * magnitude;
}

Vec3 commonPoint(const Triangle& a, const Triangle& b) noexcept {
  const TriangleIntersection common = triangleIntersection(a, b);
  Vec3 sum;
  for (const Vec3& p : common.corners()) sum = sum + p;
  return common.count == 0 ? a.v[0] : sum * (1.0 / common.count);
}

}  // namespace

ClosestPoints distanceTriangleTriangle(const Triangle& a, const Triangle& b) noexcept {
  // Coordinates are relative to a corner, because differences keep the precision of triangles far from the
  // origin.
  const Vec3 origin = a.v[0];
  Triangle nearA, nearB;
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    nearA.v[i] = a.v[i] - origin;
    nearB.v[i] = b.v[i] - origin;
    for (int k = 0; k < 3; ++k) size = std::max({size, std::abs(nearA.v[i][k]), std::abs(nearB.v[i][k])});
  }
  // Products of four lengths must not underflow; coordinates of up to 2^204 (limits.h) do not overflow.
  double unit = 1;
  if (size < 0x1p-120) {
    unit = 0x1p-120;
    for (int i = 0; i < 3; ++i) {
      nearA.v[i] = nearA.v[i] * 0x1p120;
      nearB.v[i] = nearB.v[i] * 0x1p120;
    }
  }
  ClosestPoints best = nearestFeatures(nearA, nearB);
  if (!separates(best, nearA, nearB) && intersectTriangleTriangle(a, b)) {
    const Vec3 p = commonPoint(a, b);
    return {p, p, 0};
  }
  best.onA = origin + best.onA * unit;
  best.onB = origin + best.onB * unit;
  // A distance above zero must not round to zero.
  best.distance = std::max(best.distance * unit, std::numeric_limits<double>::denorm_min());
  return best;
}

}  // namespace fitup

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// A point, and a point of the swept set, to within `sag`.
struct PointAndNearest {
  Vec3 point, nearest;
  double sag = 0;
  double low = 0;  ///< lower bound on the distance of `point`
};

/// A bound on the distance of the points of a triangle from the swept set. The triangle is the union of the
/// three hulls of a corner, the middles of its two edges, and the centre. The distance from a point is
/// convex, and so is largest at a corner of the hull.
inline double largestDistance(const std::array<PointAndNearest, 3>& corners) {
  const Vec3 centre = (corners[0].point + corners[1].point + corners[2].point) * (1 / 3.0);
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& q = corners[i].nearest;
    const Vec3 next = 0.5 * (corners[i].point + corners[(i + 1) % 3].point),
               previous = 0.5 * (corners[i].point + corners[(i + 2) % 3].point);
    for (const Vec3& p : {corners[i].point, next, previous, centre})
      largest = std::max(largest, norm(p - q) + corners[i].sag);
  }
  return largest;
}

/// A smaller bound, if that above is larger than `e`: by the nearest points of the middles of the edges,
/// which `nearest` finds, and so on.
template <typename Nearest>
double refinedDistance(const std::array<PointAndNearest, 3>& corners, double e, int depth,
                       const Nearest& nearest) {
  const double bound = largestDistance(corners);
  if (bound <= e || depth == 0) return bound;
  std::array<PointAndNearest, 3> middles;
  for (std::size_t i = 0; i < 3; ++i) {
    const PointAndNearest &a = corners[(i + 1) % 3], &b = corners[(i + 2) % 3];
    middles[i] = nearest(0.5 * (a.point + b.point));
  }
  double largest = refinedDistance(middles, e, depth - 1, nearest);
  for (std::size_t i = 0; i < 3; ++i)
    largest = std::max(largest, refinedDistance({corners[i], middles[(i + 2) % 3], middles[(i + 1) % 3]}, e,
                                                depth - 1, nearest));
  return std::min(bound, largest);
}

/// A lower bound on the distance of the points of a triangle from the surfaces that are swept. Tries to make
/// it larger than `wanted`. In the hulls above, no point is farther from the corner than another corner of
/// the hull.
template <typename Nearest>
double refinedLeast(const std::array<PointAndNearest, 3>& corners, double wanted, int depth,
                    const Nearest& nearest) {
  const Vec3 centre = (corners[0].point + corners[1].point + corners[2].point) * (1 / 3.0);
  double bound = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& p = corners[i].point;
    const double farthest = std::max({norm(p - centre), 0.5 * norm(p - corners[(i + 1) % 3].point),
                                      0.5 * norm(p - corners[(i + 2) % 3].point)});
    bound = std::min(bound, corners[i].low - farthest);
  }
  if (bound > wanted || depth == 0) return bound;
  std::array<PointAndNearest, 3> middles;
  for (std::size_t i = 0; i < 3; ++i) {
    middles[i] = nearest(0.5 * (corners[(i + 1) % 3].point + corners[(i + 2) % 3].point));
    if (middles[i].low <= wanted) return middles[i].low;
  }
  double least = refinedLeast(middles, wanted, depth - 1, nearest);
  for (std::size_t i = 0; i < 3 && least > wanted; ++i)
    least = std::min(least, refinedLeast({corners[i], middles[(i + 2) % 3], middles[(i + 1) % 3]}, wanted,
                                         depth - 1, nearest));
  return std::max(bound, least);
}

}  // namespace fitup::detail

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Computes convex hulls by Qhull (Barber, Dobkin and Huhdanpaa 1996). Each thread needs its own object;
/// hulls reuse its memory.
class FITUP_EXPORT ConvexHull {
 public:
  ConvexHull();
  ~ConvexHull();
  ConvexHull(const ConvexHull&) = delete;
  ConvexHull& operator=(const ConvexHull&) = delete;

  /// Limit on the number of points. Qhull cannot be interrupted; with this many points a hull takes a
  /// fraction of a second.
  static constexpr std::size_t mostPoints = 3U << 14;
  /// Returns the triangles of the hull's surface; empty if the points do not span three dimensions or Qhull
  /// fails. Points should be of about unit size. Throws RangeError for more than `mostPoints` points
  /// (`extremePoints` leaves fewer).
  const std::vector<Triangle>& of(std::span<const Vec3> points);
  /// Returns the indices of the points that are corners of the last hull.
  [[nodiscard]] const std::vector<std::uint32_t>& corners() const noexcept;
  /// Bounds the distance by which points lie beyond the last hull along a direction of unit length. Qhull's
  /// planes contain all points, and all corners touch them, only up to some thickness e, which Qhull keeps
  /// for facets that it merges (`max_outside`, `min_vertex`). Normals of the planes around corners cover all
  /// directions. Any direction d is therefore a sum of normals n at some corner w, d = sum(k n) with k >= 0,
  /// and points reach beyond w by at most sum(k) e. If a point c is inside all planes by at least r, then d .
  /// (w - c) = sum(k n . (w - c)) >= sum(k) (r - e), so sum(k) is at most |w - c| / (r - e). Infinite if no
  /// such point is found.
  [[nodiscard]] double slack() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup::detail

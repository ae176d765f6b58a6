#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Convex hulls by Qhull (Barber, Dobkin and Huhdanpaa 1996). One object a thread; hulls reuse its memory.
class FITUP_EXPORT ConvexHull {
 public:
  ConvexHull();
  ~ConvexHull();
  ConvexHull(const ConvexHull&) = delete;
  ConvexHull& operator=(const ConvexHull&) = delete;

  /// Nothing ends Qhull once it is at work: of so many points a hull takes a fraction of a second.
  static constexpr std::size_t mostPoints = 3U << 14;
  /// The triangles of the hull's surface, as corners; empty where the points do not span three dimensions or
  /// the hull cannot be had. Points should be of about unit size. Throws RangeError for more than
  /// `mostPoints` (`extremePoints` leaves fewer).
  const std::vector<Triangle>& of(std::span<const Vec3> points);
  /// The points that are corners of the last hull, by their numbers.
  [[nodiscard]] const std::vector<std::uint32_t>& corners() const noexcept;
  /// By how much points may lie beyond the last hull along a direction of unit length. Qhull's planes hold
  /// all points and are held by all corners only up to some thickness e, which it keeps for facets that it
  /// merges (`max_outside`, `min_vertex`). Normals of the planes around corners cover all directions, so any
  /// direction d is a sum of normals n at some corner w, d = sum(k n) with k >= 0, and points reach beyond w
  /// by no more than sum(k) e. With a point c inside all planes by r at least, d . (w - c) = sum(k n . (w -
  /// c)) >= sum(k) (r - e): sum(k) is at most |w - c| / (r - e). Infinite where no such point is found.
  [[nodiscard]] double slack() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup::detail

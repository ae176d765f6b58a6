#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Convex hulls by Qhull (Barber, Dobkin and Huhdanpaa 1996). One object a thread; hulls reuse its memory.
class ConvexHull {
 public:
  ConvexHull();
  ~ConvexHull();
  ConvexHull(const ConvexHull&) = delete;
  ConvexHull& operator=(const ConvexHull&) = delete;

  /// The triangles of the hull's surface, as corners; empty where the points do not span three dimensions or
  /// the hull cannot be had. Points should be of about unit size.
  const std::vector<Triangle>& of(std::span<const Vec3> points);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup::detail

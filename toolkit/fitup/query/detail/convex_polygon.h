#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// A flat convex polygon of few corners, such as a triangle that was cut along some lines.
struct ConvexPolygon {
  static constexpr std::size_t most = 12;  ///< who cuts more often halves it from corner to corner
  std::array<Vec3, most> p;
  std::size_t count = 0;

  static ConvexPolygon of(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    ConvexPolygon triangle;
    for (const Vec3& q : {a, b, c}) triangle.add(q);
    return triangle;
  }
  void add(const Vec3& q) noexcept {
    assert(count < most);
    p[count++] = q;
  }
  /// The mean of its corners.
  [[nodiscard]] Vec3 middle() const noexcept;
  /// Across it, twice as long as its area.
  [[nodiscard]] Vec3 normal() const noexcept;
  [[nodiscard]] double area() const noexcept { return 0.5 * norm(normal()); }
  [[nodiscard]] double longestEdge() const noexcept;
  /// The corner whose diagonals are shortest: a fan of triangles from there has the fewest needles.
  [[nodiscard]] std::size_t fanCorner() const noexcept;
  /// The parts with f >= 0 and f <= 0, f linear with these values at the corners; the second is empty if f is
  /// nowhere below 0. Points on the line are the same in both.
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> cut(const std::array<double, most>& f) const noexcept;
  /// By the plane through a point: what lies on the side to which `normal` points, and the rest.
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> cut(const Vec3& at,
                                                            const Vec3& normal) const noexcept;
};

}  // namespace fitup::detail

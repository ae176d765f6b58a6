#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// A flat convex polygon with few corners, such as a triangle after some cuts.
struct ConvexPolygon {
  static constexpr std::size_t most = 12;  ///< callers that need more cuts first split the polygon from
                                           ///< corner to corner
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
  /// Mean of the corners.
  [[nodiscard]] Vec3 middle() const noexcept;
  /// Of a polygon that lives on: the span does not own its corners.
  [[nodiscard]] std::span<const Vec3> corners() const& noexcept { return std::span(p).first(count); }
  std::span<const Vec3> corners() const&& = delete;
  /// Normal vector whose length is twice the area.
  [[nodiscard]] Vec3 normal() const noexcept;
  [[nodiscard]] double area() const noexcept { return 0.5 * norm(normal()); }
  [[nodiscard]] double longestEdge() const noexcept;
  /// Returns the corner with the shortest diagonals. A fan of triangles from there has the fewest needles.
  [[nodiscard]] std::size_t fanCorner() const noexcept;
  /// The plane across the middle of the longest way between two corners.
  struct HalvingPlane {
    Vec3 point, normal;
  };
  [[nodiscard]] HalvingPlane halvingPlane() const noexcept;
  /// Returns the two parts on either side of it.
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> halved() const noexcept;
  /// Returns the two parts on either side of a diagonal, of nearly as many corners each: fewer than before
  /// from five corners on, also where all of them are one point.
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> halvedAtCorners() const noexcept;
  /// The polygon with each corner moved by `by` towards a point of it; nothing if a corner is not farther
  /// away than that. No point of the polygon moves by more.
  [[nodiscard]] std::optional<ConvexPolygon> drawnTo(const Vec3& middle, double by) const noexcept;
  /// Calls `visit` with the triangles of the fan from `fanCorner`.
  template <class Visit>
  void visitFan(const Visit& visit) const {
    const std::size_t corner = fanCorner();
    for (std::size_t i = 1; i + 1 < count; ++i)
      visit(of(p[corner], p[(corner + i) % count], p[(corner + i + 1) % count]));
  }
  /// Returns the parts with f >= 0 and f <= 0, where f is linear with these values at the corners. The second
  /// part is empty if f is nowhere below 0. Points on the line are the same in both.
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> cut(const std::array<double, most>& f) const noexcept;
  /// Cuts by the plane through a point. Returns the part on the side to which `normal` points, and the rest.
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> cut(const Vec3& at,
                                                            const Vec3& normal) const noexcept;
};

}  // namespace fitup::detail

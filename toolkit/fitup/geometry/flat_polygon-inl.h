#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace fitup::detail {

/// A point of a plane, in a frame of the plane; or of an unrolled cylinder: round it, and along its axis.
struct Flat {
  double x = 0, y = 0;
};

/// Above 0 if `p` is on the left of the way from one point to another.
constexpr double across(const Flat& from, const Flat& to, const Flat& p) noexcept {
  return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
}

/// A convex polygon with few corners.
struct FlatPolygon {
  static constexpr std::size_t most = 12;
  std::array<Flat, most> p;
  std::size_t count = 0;

  void add(const Flat& corner) noexcept { p[count++] = corner; }
  /// Of a polygon that lives on: the span does not own its corners.
  [[nodiscard]] std::span<const Flat> corners() const& noexcept { return std::span(p).first(count); }
  std::span<const Flat> corners() const&& = delete;
  [[nodiscard]] const Flat& after(std::size_t i) const noexcept { return p[i + 1 < count ? i + 1 : 0]; }

  /// The hull of at most `most` points, counterclockwise (A. M. Andrew, 1979). Fewer than three corners if
  /// they are on one line.
  static FlatPolygon hullOf(std::span<const Flat> points) noexcept {
    std::array<Flat, most> sorted;
    std::copy(points.begin(), points.end(), sorted.begin());
    const std::span<Flat> all = std::span(sorted).first(points.size());
    std::sort(all.begin(), all.end(),
              [](const Flat& a, const Flat& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::array<Flat, 2 * most> chain;
    std::size_t size = 0;
    for (int side = 0; side < 2; ++side) {
      const std::size_t begin = size;
      for (const Flat& next : all) {
        while (size >= begin + 2 && across(chain[size - 2], chain[size - 1], next) <= 0) --size;
        chain[size++] = next;
      }
      --size;  // begins the other side
      std::reverse(all.begin(), all.end());
    }
    FlatPolygon hull;
    for (std::size_t i = 0; i < size; ++i) hull.add(chain[i]);
    return hull;
  }
};

}  // namespace fitup::detail

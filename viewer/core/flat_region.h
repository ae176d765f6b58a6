#pragma once

#include <limits>
#include <span>
#include <vector>

namespace fitup::viewer {

/// A point of a plane, in the coordinates of a frame in it.
struct FlatPoint {
  double x = 0, y = 0;
  friend bool operator==(const FlatPoint&, const FlatPoint&) = default;
};

/// A closed polygon; its last point is joined to the first.
using FlatLoop = std::vector<FlatPoint>;

/// An axis-aligned box in a plane. Empty if min > max.
struct FlatBox {
  FlatPoint min{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  FlatPoint max{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

  [[nodiscard]] bool empty() const noexcept { return !(min.x <= max.x && min.y <= max.y); }
  void extend(const FlatPoint& p) noexcept;
  [[nodiscard]] FlatBox intersection(const FlatBox& other) const noexcept;
  friend bool operator==(const FlatBox&, const FlatBox&) = default;
};

/// The points with a.x * x + a.y * y <= offset.
struct FlatHalf {
  FlatPoint a;
  double offset = 0;
  [[nodiscard]] double beyond(const FlatPoint& p) const noexcept { return a.x * p.x + a.y * p.y - offset; }
  friend bool operator==(const FlatHalf&, const FlatHalf&) = default;
};

/// An area of a plane: polygons with holes that do not overlap. Borders run counter-clockwise, holes
/// clockwise.
struct FlatRegion {
  struct Piece {
    FlatLoop border;
    std::vector<FlatLoop> holes;
  };
  std::vector<Piece> pieces;
};

/// Returns the points that the loops wind around more often counter-clockwise than clockwise. Loops may cross
/// themselves and each other. Coordinates are rounded to about 2^-27 of the extent, so that the result is
/// valid whatever the input is (Boost.Polygon); pieces thinner than that vanish.
FlatRegion coveredBy(std::span<const FlatLoop> loops);
/// Returns what two regions have in common, computed within `box` alone, which must contain it.
FlatRegion common(const FlatRegion& a, const FlatRegion& b, const FlatBox& box);

/// Cuts a loop off at a half-plane. Winding numbers inside the half-plane stay (Sutherland, Hodgman 1974);
/// outside they are 0. An empty loop results if nothing remains.
FlatLoop clipped(const FlatLoop& loop, const FlatHalf& half);

double area(const FlatLoop& loop) noexcept;  ///< negative if it runs clockwise
double area(const FlatRegion& region) noexcept;
/// Returns twice the area divided by the perimeter: the width of a long strip.
double meanWidth(const FlatRegion::Piece& piece) noexcept;
bool contains(const FlatRegion& region, const FlatPoint& point) noexcept;
FlatBox boxOf(std::span<const FlatLoop> loops) noexcept;
FlatBox boxOf(const FlatRegion& region) noexcept;

}  // namespace fitup::viewer

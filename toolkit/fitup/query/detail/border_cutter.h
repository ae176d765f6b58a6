#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/geometry/vec3.h>
#include <fitup/query/detail/convex_polygon.h>

namespace fitup::detail {

/// A straight stretch in which two surfaces meet.
using BorderStretch = std::array<Vec3, 2>;

/// Which stretches of a border run through a flat convex polygon.
struct BorderCrossings {
  std::vector<std::uint32_t> stretches;  ///< by their places in the border
  std::uint32_t longest = 0;  ///< of those: it is most of its line there, so that least lies beyond its ends

  [[nodiscard]] bool none() const noexcept { return stretches.empty(); }
  [[nodiscard]] std::size_t count() const noexcept { return stretches.size(); }
};

/// Polygons and the border that lies in their plane: where what is inside another body ends.
class BorderCutter {
 public:
  /// `rounding`: of coordinates. The border must outlive it.
  BorderCutter(std::span<const BorderStretch> border, double rounding) noexcept
      : border_(border), rounding_(rounding) {}

  /// Of some stretches those that run through a polygon. What lies along an edge, as where the polygon was
  /// cut, or just reaches a corner, cuts off nothing but rounding and does not. Nothing if that cannot be
  /// known: everything is along an edge of a needle.
  [[nodiscard]] std::optional<BorderCrossings> crossings(const ConvexPolygon& polygon,
                                                         std::span<const std::uint32_t> some) const;

  /// A part of a polygon that was cut along the border.
  struct Cell {
    ConvexPolygon polygon;
    /// No stretch runs through it, so that it is on one side of the border as a whole. Otherwise that is not
    /// known.
    bool uncrossed = false;
  };
  /// Cuts a polygon along the stretches through it until none crosses a cell. Cells that reach less than
  /// `leastArea` for each stretch in them stay as they are, as do needles and all that is left once there are
  /// `most` cells (one more at most).
  [[nodiscard]] std::vector<Cell> cells(const ConvexPolygon& polygon, BorderCrossings crossings,
                                        double leastArea, std::size_t most) const;

 private:
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> halves(
      const ConvexPolygon& polygon, const BorderCrossings& crossings) const noexcept;

  std::span<const BorderStretch> border_;
  double rounding_;
};

}  // namespace fitup::detail

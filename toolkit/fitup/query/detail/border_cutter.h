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

/// A straight piece of the intersection of two surfaces.
using BorderStretch = std::array<Vec3, 2>;

/// The stretches of a border that run through a flat convex polygon.
struct BorderCrossings {
  std::vector<std::uint32_t> stretches;  ///< indices of the stretches in the border
  std::uint32_t longest = 0;  ///< the one that covers most of its line in the polygon, so that the least lies
                              ///< beyond its ends

  [[nodiscard]] bool none() const noexcept { return stretches.empty(); }
  [[nodiscard]] std::size_t count() const noexcept { return stretches.size(); }
};

/// Cuts polygons along a border in their plane, at which the part inside another body ends.
class BorderCutter {
 public:
  /// `rounding` is that of the coordinates. The border must outlive the cutter.
  BorderCutter(std::span<const BorderStretch> border, double rounding) noexcept
      : border_(border), rounding_(rounding) {}

  /// Returns those of some stretches that run through a polygon. A stretch that lies along an edge, as where
  /// the polygon was cut, or that just reaches a corner does not count, because it cuts off only rounding.
  /// Returns nothing for a needle, in which every stretch lies along an edge.
  [[nodiscard]] std::optional<BorderCrossings> crossings(const ConvexPolygon& polygon,
                                                         std::span<const std::uint32_t> some) const;

  /// A part of a polygon that was cut along the border.
  struct Cell {
    ConvexPolygon polygon;
    /// True if no stretch runs through the cell, so that all of it lies on one side of the border. Otherwise
    /// that is not known.
    bool uncrossed = false;
  };
  /// Cuts a polygon along the stretches through it until no stretch crosses a cell. Cells whose area is below
  /// `leastArea` for each stretch in them are not cut further. Neither are needles, nor anything once there
  /// are `most` cells (one more at most).
  [[nodiscard]] std::vector<Cell> cells(const ConvexPolygon& polygon, BorderCrossings crossings,
                                        double leastArea, std::size_t most) const;

 private:
  [[nodiscard]] std::pair<ConvexPolygon, ConvexPolygon> halves(
      const ConvexPolygon& polygon, const BorderCrossings& crossings) const noexcept;

  std::span<const BorderStretch> border_;
  double rounding_;
};

}  // namespace fitup::detail

#include <fitup_field/detail/extreme_points.h>

#include <algorithm>
#include <array>

namespace fitup::detail {
namespace {

/// The first and the last point along an axis in one cell.
struct Cell {
  std::size_t first = 0, last = 0;
  bool any = false;
};

/// Maps coordinates from `low` on to cells, each 1 / `scale` wide.
struct Cells {
  double low, scale;
  [[nodiscard]] std::size_t of(double coordinate) const noexcept {
    const double at = (coordinate - low) * scale;
    // Coordinates that are not finite go to the first cell.
    return at > 0 ? std::min(static_cast<std::size_t>(std::min(at, double(extremeCells))), extremeCells - 1)
                  : 0;
  }
};

}  // namespace

std::vector<Vec3> extremePoints(std::span<const Vec3> points, const WorkMeter& meter) {
  if (points.empty()) return {};
  Vec3 low = points[0], high = points[0];
  polledLoop(points.size(), meter, [&](std::size_t i) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], points[i][axis]);
      high[axis] = std::max(high[axis], points[i][axis]);
    }
  });
  std::array<Cells, 3> cells{};
  for (int axis = 0; axis < 3; ++axis) {
    const double extent = high[axis] - low[axis];
    cells[static_cast<std::size_t>(axis)] = {low[axis], extent > 0 ? extremeCells / extent : 0};
  }
  std::vector<Cell> grid(3 * extremeCells * extremeCells);
  polledLoop(points.size(), meter, [&](std::size_t i) {
    std::array<std::size_t, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis) at[axis] = cells[axis].of(points[i][static_cast<int>(axis)]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Cell& cell = grid[(axis * extremeCells + at[(axis + 1) % 3]) * extremeCells + at[(axis + 2) % 3]];
      const int along = static_cast<int>(axis);
      if (!cell.any || points[i][along] < points[cell.first][along]) cell.first = i;
      if (!cell.any || points[i][along] > points[cell.last][along]) cell.last = i;
      cell.any = true;
    }
  });
  std::vector<std::size_t> chosen;
  for (const Cell& cell : grid)
    if (cell.any) chosen.insert(chosen.end(), {cell.first, cell.last});
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<Vec3> result;
  result.reserve(chosen.size());
  for (const std::size_t i : chosen) result.push_back(points[i]);
  return result;
}

}  // namespace fitup::detail

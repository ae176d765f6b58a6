#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fitup/hierarchy/level_box.h>

namespace fitup::detail {

/// Descends from `root`, which is level 0, to level `deepest`. `visit(place, level, below)` calls
/// `below(child)` for each place to continue with.
template <typename Place, typename Visit>
void descend(Place root, std::size_t deepest, const Visit& visit) {
  std::vector<std::pair<Place, std::size_t>> waiting{{std::move(root), 0}};
  while (!waiting.empty()) {
    const auto [place, level] = waiting.back();
    waiting.pop_back();
    visit(place, level, [&](Place child) {
      if (level < deepest) waiting.emplace_back(std::move(child), level + 1);
    });
  }
}

/// Returns an axis-aligned box.
template <typename Centre, typename Half>
LevelBox alignedBox(const Centre& centre, const Half& half) {
  return {Transform::translation({centre[0], centre[1], centre[2]}), {half[0], half[1], half[2]}};
}

/// Returns the points p with |F (p - centre)| <= half on each axis, for the orthonormal F with these columns.
template <typename Columns, typename Centre, typename Half>
LevelBox turnedBox(const Columns& columns, const Centre& centre, const Half& half) {
  Transform partFromBox;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) partFromBox.m[row][column] = columns[row][column];
  partFromBox.t = {centre[0], centre[1], centre[2]};
  return {partFromBox, {half[0], half[1], half[2]}};
}

/// Half the surface area of a box with these side lengths.
constexpr double halfArea(double x, double y, double z) noexcept { return x * y + y * z + z * x; }

inline LevelBox alignedBoxBetween(const Vec3& min, const Vec3& max) {
  return {Transform::translation((min + max) * 0.5), (max - min) * 0.5};
}

}  // namespace fitup::detail

#include <viewer/core/coarse_triangles.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace fitup::viewer {

std::vector<std::uint32_t> coarseTriangles(std::span<const std::array<float, 3>> vertices,
                                           std::span<const std::uint32_t> corners, float cell) {
  constexpr std::uint64_t cellsPerAxis = 1U << 21;
  std::array<float, 3> low;
  low.fill(std::numeric_limits<float>::max());
  for (const std::uint32_t corner : corners)
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], vertices[corner][k]);
  const auto cellOf = [&](std::uint32_t vertex) {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = (static_cast<double>(vertices[vertex][k]) - low[k]) / cell;
      key = key * cellsPerAxis + std::min(static_cast<std::uint64_t>(at), cellsPerAxis - 1);
    }
    return key;
  };
  std::unordered_map<std::uint64_t, std::uint32_t> vertexOf;
  constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> replaced(vertices.size(), none), coarse;
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    std::array<std::uint32_t, 3> t;
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& by = replaced[corners[i + k]];
      if (by == none) by = vertexOf.try_emplace(cellOf(corners[i + k]), corners[i + k]).first->second;
      t[k] = by;
    }
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) coarse.insert(coarse.end(), t.begin(), t.end());
  }
  return coarse;
}

}  // namespace fitup::viewer

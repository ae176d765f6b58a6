#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/mesh/ids.h>
#include <fitup/mesh/surface.h>

namespace FITUP_EXPORT fitup {

/// Finds the surface of a triangle among consecutive surfaces. Takes four bytes for each surface and a
/// quarter of a byte for each triangle.
///
/// The surface of each 16th triangle is stored; between two of them, a binary search runs over the ends of
/// the surfaces. Most blocks of 16 lie within one surface and need no search. The worst case is logarithmic,
/// even among many surfaces that are empty or have one triangle. Immutable.
class SurfaceLookup {
 public:
  SurfaceLookup() = default;
  /// Surface i covers [firstTriangle, firstTriangle + triangleCount), starting where surface i - 1 ends;
  /// together they cover [0, n).
  explicit SurfaceLookup(std::span<const Surface> surfaces);

  /// Precondition: the triangle is in [0, n).
  [[nodiscard]] SurfaceId surfaceOf(TriangleId triangle) const noexcept {
    const auto t = static_cast<std::uint32_t>(triangle);
    const std::uint32_t first = surfaceAt_[t / stride], last = surfaceAt_[t / stride + 1];
    // The first surface that ends after t. Most blocks have one or two surfaces, so this needs no branch.
    std::uint32_t low = first + (ends_[first] <= t ? 1 : 0);
    if (last - first > 1) low = searched(t, low, last);
    return SurfaceId{low};
  }

 private:
  [[nodiscard]] std::uint32_t searched(std::uint32_t t, std::uint32_t low,
                                       std::uint32_t high) const noexcept {
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (ends_[middle] <= t)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  static constexpr std::uint32_t stride = 16;
  std::vector<std::uint32_t> ends_;       ///< by surface: one past its last triangle
  std::vector<std::uint32_t> surfaceAt_;  ///< of triangles 0, 16, 32, ...; then of the last triangle
};

}  // namespace fitup

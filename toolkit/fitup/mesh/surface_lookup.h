#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/mesh/ids.h>
#include <fitup/mesh/surface.h>

namespace FITUP_EXPORT fitup {

/// Finds the surface of a triangle among surfaces that follow each other: four bytes a surface and a
/// quarter of a byte a triangle.
///
/// The surface of each 16th triangle is kept; between two of them the ends of the surfaces are searched by
/// halving. Most blocks of 16 lie within one surface and need no search; the worst case is logarithmic, also
/// among many surfaces that are empty or have one triangle. Immutable.
class SurfaceLookup {
 public:
  SurfaceLookup() = default;
  /// Surface i covers [firstTriangle, firstTriangle + triangleCount), where surface i - 1 ended; together
  /// they cover [0, n).
  explicit SurfaceLookup(std::span<const Surface> surfaces);

  /// Precondition: the triangle is in [0, n).
  [[nodiscard]] SurfaceId surfaceOf(TriangleId triangle) const noexcept {
    const auto t = static_cast<std::uint32_t>(triangle);
    const std::uint32_t first = surfaceAt_[t / stride], last = surfaceAt_[t / stride + 1];
    // The first surface that ends behind t. Most blocks have one or two: no branch decides which.
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
  std::vector<std::uint32_t> ends_;       ///< of each surface: one behind its last triangle
  std::vector<std::uint32_t> surfaceAt_;  ///< of triangles 0, 16, 32, ...; then of the last triangle
};

}  // namespace fitup

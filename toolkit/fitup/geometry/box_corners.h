#pragma once

#include <array>
#include <cstddef>

#include <fitup/geometry/aabb.h>

namespace FITUP_EXPORT fitup {

/// The eight corners of a box.
inline std::array<Vec3, 8> cornersOf(const Box& box) noexcept {
  std::array<Vec3, 8> corners;
  for (std::size_t k = 0; k < corners.size(); ++k)
    corners[k] = {(k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                  (k & 4) != 0 ? box.max.z : box.min.z};
  return corners;
}

}  // namespace fitup

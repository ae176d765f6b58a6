#pragma once

#include <array>
#include <cmath>
#include <limits>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The bounding box of a part in the part's frame and unit, in the form that box tests of two parts use.
struct PartBox {
  /// Centre and half extents in double precision, in four lanes. The fourth lane is zero.
  alignas(32) std::array<double, 4> centreLanes{}, halfLanes{};
  double halfSum = 0;    ///< sum of the half extents
  double magnitude = 0;  ///< twice the sum of the magnitudes of the centre's coordinates
  /// Bound on rounding, for pair_vectors-inl.h of query; infinite if the box is empty.
  double slack = std::numeric_limits<double>::infinity();
  bool empty = true;
  Vec3 centre;
  /// Half extents, rounded to nearest. The fourth is zero.
  alignas(16) std::array<float, 4> half{};

  PartBox() = default;
  explicit PartBox(const TriangleMesh& mesh) : empty(mesh.bounds().empty()) {
    if (empty) return;
    centre = mesh.origin() + mesh.bounds().centre();
    const Vec3 extent = mesh.bounds().halfExtent();
    half = {static_cast<float>(extent.x), static_cast<float>(extent.y), static_cast<float>(extent.z), 0};
    centreLanes = {centre.x, centre.y, centre.z, 0};
    halfLanes = {extent.x, extent.y, extent.z, 0};
    halfSum = extent.x + extent.y + extent.z;
    magnitude = 2 * (std::abs(centre.x) + std::abs(centre.y) + std::abs(centre.z));
    slack = 0x1p-20 * halfSum + 0x1p-40 * (magnitude + halfSum);
  }
};

}  // namespace fitup

#pragma once

#include <cstdint>
#include <optional>

#include <fitup/mesh/ids.h>

namespace FITUP_EXPORT fitup {

/// An edge of the CAD shape from which a mesh was made: a polyline along sides of triangles, with points
/// (`TriangleMesh::edgePoints`) that both faces share. The first and last point of a closed edge are the
/// same.
struct FeatureEdge {
  static constexpr std::uint32_t none = 0xffffffffU;

  std::uint32_t firstPoint = 0;  ///< index into the mesh's list of edge points
  std::uint32_t pointCount = 0;  ///< at least 2
  /// Ordinals of the faces on both sides, the smaller one first; equal for a seam. The second is `none` where
  /// the shape is open. An edge of more than two faces has several entries, so that each face is named.
  std::uint32_t first = 0, second = none;

  [[nodiscard]] SurfaceId face() const noexcept { return SurfaceId(first); }
  [[nodiscard]] std::optional<SurfaceId> otherFace() const noexcept {
    return second == none ? std::nullopt : std::optional(SurfaceId(second));
  }
  friend bool operator==(const FeatureEdge&, const FeatureEdge&) = default;
};

}  // namespace fitup

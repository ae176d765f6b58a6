#pragma once

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// Parallel rods along x, in rows (y) and layers (z) about the origin. Each is a closed prism whose sides are
/// not cut along it, so their triangles are needles; its sides are one surface, and so is each end.
struct RodBundleOptions {
  int perLayer = 16, layers = 8;
  int sides = 12;          ///< of a rod
  double length = 1000;    ///< mm
  double radius = 4;       ///< of the circle through a rod's edges
  double pitch = 20;       ///< between the axes of a layer
  double layerPitch = 20;  ///< between the layers

  [[nodiscard]] std::size_t triangleCount() const {
    return static_cast<std::size_t>(perLayer) * layers * (4 * sides - 4);
  }
};

TriangleMesh makeRodBundle(const RodBundleOptions& options = {});

}  // namespace fitup::models

#pragma once

#include <string>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// A wrinkled sheet of constant thickness about the plane z = 0, closed: a pressed panel, millimetres.
struct PanelOptions {
  double length = 1000, width = 500, thickness = 4;  ///< along x, y, z
  int along = 40, across = 20;                       ///< quads of each side
  double wrinkleDepth = 20;                          ///< height of the waves above and below the middle plane
  int wavesAlong = 5, wavesAcross = 3;
  int patchesAlong = 2, patchesAcross = 2;  ///< surfaces of each side; the four rims are one surface each

  [[nodiscard]] std::size_t triangleCount() const {
    return static_cast<std::size_t>(4) * static_cast<std::size_t>(along * across + along + across);
  }
};

TriangleMesh makePanel(const std::string& name, const PanelOptions& options);

}  // namespace fitup::models

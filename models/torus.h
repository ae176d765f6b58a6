#pragma once

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// A torus about z around the origin, cut into around x across quads of two triangles each, optionally with
/// wrinkles.
struct TorusOptions {
  int around = 50;  ///< quads along the ring
  int across = 50;  ///< quads around the tube
  double ringRadius = 1;
  double tubeRadius = 0.4;
  /// Surfaces: a grid of patches in the same two directions. 1 x 1 is one surface.
  int patchesAround = 1, patchesAcross = 1;
  /// Wrinkles: the tube's radius is multiplied by 1 + depth sin(waves along the ring) sin(waves around the
  /// tube).
  double wrinkleDepth = 0;
  int wavesAround = 0, wavesAcross = 0;

  [[nodiscard]] std::size_t triangleCount() const { return static_cast<std::size_t>(2) * around * across; }
};

/// 5,000 and 100,000 triangles.
inline TorusOptions smallTorus() { return {}; }
inline TorusOptions largeTorus() {
  TorusOptions options;
  options.around = 250;
  options.across = 200;
  return options;
}

TriangleMesh makeTorus(const TorusOptions& options = {});

}  // namespace fitup::models

#pragma once

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// A cone of slivers that meet at its apex, which is the origin, exactly; the base lies below, at z =
/// -height, and is a fan of slivers too. Two surfaces.
struct FanOptions {
  int slivers = 500;
  double radius = 100, height = 200;  ///< mm

  [[nodiscard]] std::size_t triangleCount() const { return static_cast<std::size_t>(2) * slivers; }
};

TriangleMesh makeFan(const FanOptions& options = {});

}  // namespace fitup::models

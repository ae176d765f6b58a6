#pragma once

#include <cstdint>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// A flat box whose two large faces are grids of quads, two triangles each, cut along alternating diagonals;
/// its four sides are cut to fit them. Each face is a surface. The lower face lies at z = 0. Coordinates are
/// multiples of 5/64 mm, so that both faces are exactly flat, also if they are inclined.
struct PlateOptions {
  int along = 100, across = 100;  ///< quads of a large face in x and y
  Vec3 size{1000, 1000, 20};      ///< mm; the box is centred in x and y
  /// Inner points of the large faces are shifted in their plane by up to this part of a quad; below a half.
  double jitter = 0;
  std::uint64_t seed = 1;
  bool sheet = false;     ///< the lower face alone, open
  bool inclined = false;  ///< turned about x by the angle of the triangle 3-4-5, 36.9 degrees, exactly

  [[nodiscard]] std::size_t triangleCount() const {
    const std::size_t face = static_cast<std::size_t>(2) * along * across;
    return sheet ? face : 2 * face + static_cast<std::size_t>(4) * (along + across);
  }
};

/// Turns a point, whose coordinates are multiples of 5/1024, as `PlateOptions::inclined` does, exactly.
Vec3 inclinedPoint(const Vec3& p);

TriangleMesh makePlate(const PlateOptions& options = {});

}  // namespace fitup::models

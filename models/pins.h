#pragma once

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// Pins on a small base: cylinders with conical tips, along -z. The tips lie in the plane z = 0.
struct PinsOptions {
  int perRow = 4;              ///< pins in x and in y
  int sides = 16;              ///< of a pin
  double pitch = 6;            ///< mm, between the axes of pins
  double radius = 0.5;         ///< of a pin
  double tip = 2, shaft = 20;  ///< lengths

  /// The side of the base, a square plate of the thickness `pitch` / 2.
  [[nodiscard]] double size() const { return perRow * pitch; }
  [[nodiscard]] std::size_t triangleCount() const {
    return 12 + static_cast<std::size_t>(perRow) * perRow * (4 * sides - 2);
  }
};

/// The base and each pin are closed solids of their own that touch. Surfaces: the base, and for each pin its
/// tip, its side and its foot.
TriangleMesh makePins(const PinsOptions& options = {});

/// A round plate whose upper face, z = 0, is cut into triangles of nearly one shape, whose sizes grow with
/// the distance from the centre, by the same factor from ring to ring; the upper face is slightly wavy. Its
/// lower face and its side are coarse.
struct GradedPlateOptions {
  double radius = 480;     ///< mm
  double innerRadius = 2;  ///< within which there is one fan
  int sectors = 96;
  double thickness = 40;
  double wave = 0;  ///< amplitude of the waves, as part of the distance from the centre

  [[nodiscard]] int rings() const;
  [[nodiscard]] std::size_t triangleCount() const {
    return static_cast<std::size_t>(sectors) * (2 * rings() + 4);
  }
};

TriangleMesh makeGradedPlate(const GradedPlateOptions& options = {});

}  // namespace fitup::models

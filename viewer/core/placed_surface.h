#pragma once

#include <optional>

#include <fitup/mesh/recognise.h>

namespace fitup::viewer {

/// The shape of a face in its placement: world coordinates, in the assembly's unit.
struct PlacedSurface {
  double area = 0;
  Vec3 centroid;
  /// The normal of a plane agrees with its triangles: it points out of the material of parts that are
  /// watertight and not inside out. Empty for freeform faces and those that a placement has made elliptical.
  std::optional<SurfaceDescription> shape;
  ShapeAccuracy accuracy;   ///< how well `shape` is known, in the world
  bool recognised = false;  ///< from the triangles, because the file does not contain it
};

/// Linear in the surface's triangles. Throws InputError for a surface that does not exist.
PlacedSurface placedSurface(const TriangleMesh& mesh, SurfaceId surface, const Transform& worldFromPart);

}  // namespace fitup::viewer

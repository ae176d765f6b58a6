#pragma once

#include <optional>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::viewer {

/// What a face is where it stands: in the world, in the assembly's unit.
struct PlacedSurface {
  double area = 0;
  Vec3 centroid;
  /// A plane's normal points as its triangles do: out of the material of parts that are closed and not inside
  /// out. Nothing for freeform faces and those that a placement has made oval.
  std::optional<SurfaceDescription> shape;
  bool recognised = false;  ///< from the triangles: the file does not say it
};

/// Linear in the surface's triangles. Throws InputError for a surface that is not there.
PlacedSurface placedSurface(const TriangleMesh& mesh, SurfaceId surface, const Transform& worldFromPart);

}  // namespace fitup::viewer

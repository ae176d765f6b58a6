#pragma once

#include <fitup/mesh/triangle_mesh.h>
#include <models/solids/solid.h>

namespace fitup::models {

/// Coordinates are rounded to this fraction of a millimetre, which a 32-bit float holds exactly within 16 m.
/// The content of a generated part is thereby the same on every machine.
inline constexpr double coordinateGrid = 1.0 / 1024;

/// Triangles of a part, one surface per face with its description. Points of one solid closer than the grid
/// are one point, so neighbouring surfaces share the points of their seam; solids share none.
TriangleMesh tessellate(const PartDescription& part);

}  // namespace fitup::models

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fitup/mesh/triangle_mesh.h>
#include <fitup/planning/detail/swept_field.h>

namespace fitup::detail {

/// The surface on which a field passes its level, between the points of its lattice.
///
/// Each quad belongs to an edge of the lattice whose ends are on different sides of the level, and has a
/// point in each of the four cells around this edge. Edges of quads are used equally often in both
/// directions.
struct LevelMesh {
  std::vector<Vec3> points;                         ///< by index of the lattice
  std::vector<std::array<std::uint32_t, 4>> quads;  ///< counterclockwise, seen from outside
};

/// The corners of a triangle, as indices of points.
using Corners = std::array<std::uint32_t, 3>;

/// Triangles of the quads of a level mesh, each divided along its shorter diagonal.
std::vector<Corners> trianglesOf(const LevelMesh& mesh);

/// The volume inside of a closed mesh that is oriented outward.
double volumeOf(const TriangleMesh& mesh);

/// Meshes a field. The points are off their cells by at most `latticeRounding` of the lattice, in units of
/// its indices. Throws Error if a quad does not lie in four such cells.
LevelMesh meshLevel(const SweptField& field, const FieldGrid& grid);

/// Bound on the rounding of points of a field in 32 bits, in units of the indices of its lattice.
double latticeRounding(const SweptField& field);

}  // namespace fitup::detail

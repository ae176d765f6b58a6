#pragma once

#include <cstdint>
#include <vector>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Splits a raw mesh into smooth patches: triangles that share an edge belong to one patch if the angle
/// between their normals is at most `angleDegrees`. The winding is taken from the edge, so flipped neighbours
/// are compared correctly.
///
/// Edges are matched by coordinates, not by index (STL repeats every corner). Edges of more than two
/// triangles separate patches, and so do degenerate triangles; a degenerate triangle joins its first
/// neighbour. Returns the patch of each triangle; patches are numbered by their first triangle. O(n log n).
std::vector<std::uint32_t> segmentByDihedralAngle(const TriangleMesh& mesh, double angleDegrees = 30.0);

}  // namespace fitup

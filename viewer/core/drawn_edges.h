#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::viewer {

/// A straight piece of an edge: two points of a mesh.
using EdgeSegment = std::pair<std::uint32_t, std::uint32_t>;

/// Returns the edges by which people see the shape of a part. Of a CAD part, these are the edges of its faces
/// except for seams. Other meshes have none, so these are the borders of open meshes and the edges whose
/// triangles differ by more than 30 degrees. O(n log n).
std::vector<EdgeSegment> drawnEdges(const TriangleMesh& mesh);

/// Returns the edges whose triangles differ by more than 30 degrees, and those with one or more than two
/// triangles; the lower point comes first. O(n log n).
std::vector<EdgeSegment> creasesOf(const TriangleMesh& mesh);

/// Returns the border of a face: the edges of its triangles that no other one of them has, in either
/// direction. Seams are no border. O(n log n) in its triangles.
std::vector<EdgeSegment> borderOf(const TriangleMesh& mesh, SurfaceId surface);

}  // namespace fitup::viewer

#pragma once

#include <span>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Returns the mesh with only the triangles `kept` (ascending, each once). Coordinates are equal to the last
/// bit; source indices and the ordinals of surfaces do not change, and some surfaces may be empty. Validation
/// and fingerprints are those of the whole mesh. Throws InputError for a triangle that does not exist or is
/// out of order.
TriangleMesh triangleSubset(const TriangleMesh& mesh, std::span<const TriangleId> kept);

}  // namespace fitup

#pragma once

#include <span>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The mesh with some of its triangles only (ascending, each once): the same coordinates to the last bit, the
/// same source indices, the same surfaces by ordinal, some of which may then be empty; what validation found
/// and the fingerprints are those of the whole. Throws InputError for
/// a triangle that is not there or out of order.
TriangleMesh triangleSubset(const TriangleMesh& mesh, std::span<const TriangleId> kept);

}  // namespace fitup

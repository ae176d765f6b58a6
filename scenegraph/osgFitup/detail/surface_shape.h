#pragma once

#include <osg/ref_ptr>

#include <fitup/mesh/triangle_mesh.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {

/// Makes the drawable of a surface in the mesh's local coordinates (a transform above it adds the origin):
/// its triangles in their order as one primitive set. Normals are smooth within the surface, except at edges
/// sharper than 40 degrees. Empty for a surface without triangles. O(n log n); thread-safe.
osg::ref_ptr<SurfaceGeometry> makeSurfaceGeometry(const fitup::TriangleMesh& mesh, fitup::SurfaceId surface);

}  // namespace osgFitup::detail

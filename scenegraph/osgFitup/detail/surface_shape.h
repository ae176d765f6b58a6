#pragma once

#include <osg/ref_ptr>

#include <fitup/mesh/triangle_mesh.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {

/// The drawable of a surface, in the mesh's local coordinates (the origin is for a transform above it): its
/// triangles in their order as one primitive set, with normals that are smooth within the surface but for
/// edges sharper than 40 degrees. Empty for a surface without triangles. O(n log n); thread-safe.
osg::ref_ptr<SurfaceGeometry> makeSurfaceGeometry(const fitup::TriangleMesh& mesh, fitup::SurfaceId surface);

}  // namespace osgFitup::detail

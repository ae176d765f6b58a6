#pragma once

#include <span>
#include <vector>

#include <osg/Array>
#include <osg/PrimitiveSet>
#include <osg/ref_ptr>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT osgFitup {

/// Vertices and indices for drawing triangles of a mesh, in its local coordinates (a transform above the
/// drawable adds the origin).
struct SmoothTriangles {
  osg::ref_ptr<osg::Vec3Array> points, normals;   ///< by vertex
  osg::ref_ptr<osg::DrawElementsUInt> triangles;  ///< in the order in which they were appended

  SmoothTriangles();
  /// Appends triangles. Normals are smooth among those of one call, except at edges sharper than 40 degrees.
  /// O(n log n). Throws fitup::InputError for a triangle that does not exist.
  void append(const fitup::TriangleMesh& mesh, std::span<const fitup::TriangleId> triangles);
};

/// Returns the triangles of a surface.
std::vector<fitup::TriangleId> trianglesOf(const fitup::TriangleMesh& mesh, fitup::SurfaceId surface);

}  // namespace osgFitup

#pragma once

#include <span>

#include <osg/Geometry>
#include <osg/ref_ptr>

#include <fitup/hierarchy/level_boxes.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/query/intersection_lines.h>

namespace osgFitup::detail {

/// Makes a geometry that draws the same as another one, from the same arrays and primitive sets, without its
/// colours and state. It follows, while culling, vertices that are changed in place or replaced by other
/// arrays.
osg::ref_ptr<osg::Geometry> sharingGeometry(const osg::Geometry& original);
/// Returns the geometry that such a geometry draws; null for other nodes, and if that one is deleted.
const osg::Geometry* originalOf(const osg::Node& sharing);

/// In the mesh's local coordinates, with the normals of `SmoothTriangles`.
osg::ref_ptr<osg::Geometry> triangleGeometry(const fitup::TriangleMesh& mesh,
                                             std::span<const fitup::TriangleId> triangles);

/// Flat triangles relative to `origin` (subtracted before rounding to floats).
osg::ref_ptr<osg::Geometry> pieceGeometry(std::span<const fitup::Triangle> pieces, const fitup::Vec3& origin);

/// Relative to `origin` as above. Where triangles have only a point in common,
/// draws a point.
osg::ref_ptr<osg::Geometry> lineGeometry(std::span<const fitup::IntersectionLine> lines,
                                         const fitup::Vec3& origin);

/// The twelve edges of each box, relative to `origin` as above.
osg::ref_ptr<osg::Geometry> boxGeometry(std::span<const fitup::LevelBox> boxes, const fitup::Vec3& origin);

}  // namespace osgFitup::detail

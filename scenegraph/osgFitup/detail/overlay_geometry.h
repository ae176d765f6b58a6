#pragma once

#include <span>

#include <osg/Geometry>
#include <osg/ref_ptr>

#include <fitup/hierarchy/level_boxes.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/query/intersection_lines.h>

namespace osgFitup::detail {

/// A geometry that draws what another does, from the same arrays and primitive sets, without its colours and
/// state. Vertices that are changed in place, or replaced by other arrays, are followed while culling.
osg::ref_ptr<osg::Geometry> sharingGeometry(const osg::Geometry& original);
/// What such a geometry draws; null for other nodes, and once that is gone.
const osg::Geometry* originalOf(const osg::Node& sharing);

/// In the mesh's local coordinates, with flat normals.
osg::ref_ptr<osg::Geometry> triangleGeometry(const fitup::TriangleMesh& mesh,
                                             std::span<const fitup::TriangleId> triangles);

/// About `origin` (subtracted before rounding to floats). Points, where that is all that triangles have in
/// common, are points.
osg::ref_ptr<osg::Geometry> lineGeometry(std::span<const fitup::IntersectionLine> lines,
                                         const fitup::Vec3& origin);

/// The twelve edges of each box, about `origin` as above.
osg::ref_ptr<osg::Geometry> boxGeometry(std::span<const fitup::LevelBox> boxes, const fitup::Vec3& origin);

}  // namespace osgFitup::detail

#pragma once

#include <span>

#include <osg/Geometry>
#include <osg/Group>

#include <fitup/geometry/vec3.h>

namespace fitup::viewer {

// Shapes that are drawn over the model, unlit, in world coordinates.

/// Widths of lines and points, in the widget's pixels.
inline constexpr float overlayLineWidth = 3, overlayPointSize = 7;

/// Makes lines or triangles of one colour from points.
osg::ref_ptr<osg::Geometry> makeShape(std::span<const Vec3> points, GLenum mode, const osg::Vec4& colour);
/// Makes dots of `overlayPointSize`.
osg::ref_ptr<osg::Geometry> makePoints(std::span<const Vec3> points, const osg::Vec4& colour);
/// Makes the cone of an arrow that begins at `from`; its point is slightly beyond `to`.
osg::ref_ptr<osg::Geometry> makeArrowTip(const Vec3& from, const Vec3& to, const osg::Vec4& colour);
/// Draws everything below a node over everything else.
void drawOverEverything(osg::Node& node);

}  // namespace fitup::viewer

#pragma once

#include <span>

#include <osg/Geometry>
#include <osg/Group>

#include <fitup/geometry/vec3.h>

namespace fitup::viewer {

// Shapes that are drawn over the model, unlit, in world coordinates.

/// Of lines and points, in pixels of the widget.
inline constexpr float overlayLineWidth = 3, overlayPointSize = 7;

/// Points as lines or triangles of one colour.
osg::ref_ptr<osg::Geometry> makeShape(std::span<const Vec3> points, GLenum mode, const osg::Vec4& colour);
/// The cone of an arrow that begins at `from`, its point a little beyond `to`.
osg::ref_ptr<osg::Geometry> makeArrowTip(const Vec3& from, const Vec3& to, const osg::Vec4& colour);
/// Draws what hangs below a node over everything else.
void drawOverEverything(osg::Node& node);

}  // namespace fitup::viewer

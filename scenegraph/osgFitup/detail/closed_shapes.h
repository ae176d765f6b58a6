#pragma once

#include <osg/ShapeDrawable>

#include <osgFitup/detail/drawable_triangles.h>

namespace osgFitup::detail {

/// Makes the shapes that OSG computes closed, each by itself: points that are one but for rounding become
/// one, and triangles that lose a corner by it go, of which OSG places one for each facet at a pole. Shapes
/// that hold somebody's points (osg::TriangleMesh, osg::HeightField) stay as they are, within an
/// osg::CompositeShape too. `drawn`: all of the drawable. Nothing is done where its vertices are not those
/// that OSG makes of its shape.
void closeShapes(const osg::ShapeDrawable& drawable, DrawableTriangles& drawn);

}  // namespace osgFitup::detail

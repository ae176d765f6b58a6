#pragma once

#include <osg/ShapeDrawable>

#include <osgFitup/detail/drawable_triangles.h>

namespace osgFitup::detail {

/// Makes the shapes that OSG computes watertight, each by itself. Points that differ only by rounding become
/// one, and triangles that lose a corner by this are removed (OSG puts one for each facet at a pole). Shapes
/// with given points (osg::TriangleMesh, osg::HeightField) stay as they are, also within an
/// osg::CompositeShape. `drawn`: all triangles of the drawable. Does nothing if its vertices are not those
/// that OSG computes for its shape.
void closeShapes(const osg::ShapeDrawable& drawable, DrawableTriangles& drawn);

}  // namespace osgFitup::detail

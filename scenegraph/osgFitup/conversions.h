#pragma once

#include <osg/Matrixd>
#include <osg/Transform>
#include <osg/Vec3d>
#include <osg/Vec4>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/surface.h>

namespace FITUP_EXPORT osgFitup {

/// Converts exactly, as does `toTransform`. OSG multiplies row vectors from the left (v * M), Fitup column
/// vectors from the right, so each matrix is the transpose of the other.
osg::Matrixd toMatrix(const fitup::Transform& transform);
/// Converts exactly. Throws fitup::PlacementError for a matrix with a projective part (a last column other
/// than 0, 0, 0, 1).
fitup::Transform toTransform(const osg::Matrixd& matrix);

/// Returns parentFromNode of an osg::Transform whose matrix does not depend on the view. Throws like
/// `toTransform`.
fitup::Transform parentFromNode(const osg::Transform& node);

inline osg::Vec3d toVec3d(const fitup::Vec3& v) { return {v.x, v.y, v.z}; }
inline fitup::Vec3 toVec3(const osg::Vec3d& v) { return {v.x(), v.y(), v.z()}; }
inline fitup::Colour toColour(const osg::Vec4& c) { return {c.r(), c.g(), c.b(), c.a()}; }
inline osg::Vec4 toVec4(const fitup::Colour& c) { return {c.red, c.green, c.blue, c.alpha}; }

}  // namespace osgFitup

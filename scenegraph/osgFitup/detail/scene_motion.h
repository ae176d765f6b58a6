#pragma once

#include <osg/Transform>
#include <osg/ref_ptr>

#include <fitup/motion/track.h>
#include <osgFitup/scene_assembly.h>

namespace osgFitup::detail {

/// Makes the assembly of a scene with every `PartNode` in its design placement, to which tracks refer. Other
/// transforms keep their placements.
SceneAssembly designAssembly(osg::Node& root);
/// Puts every `PartNode` of a scene into its design placement, in the assembly; the graph stays as it is.
void putInDesign(SceneAssembly& scene);

/// Returns the transform that moves a node of the graph: a MatrixTransform or a PositionAttitudeTransform.
/// Throws fitup::InputError, naming the node and its class, for any other.
osg::Transform& movable(osg::Node& node);
/// Returns parentFromNode of such a transform, for row vectors.
osg::Matrixd matrixOf(const osg::Transform& transform);
/// Throws fitup::InputError if position and attitude, with the present scale, do not give that matrix.
void setMatrix(osg::Transform& transform, const osg::Matrixd& matrix);
/// Returns the transform of a node of an assembly; throws like `movable`.
osg::Transform& transformOf(const SceneAssembly& scene, fitup::NodeId node);

/// Returns the id of a node of the graph (of its first place, if it has several). Throws fitup::InputError
/// for a node without parts at or below it.
fitup::NodeId nodeOf(const SceneAssembly& scene, const osg::Node& node);

/// Returns parentFromNode for which worldFromNode is that of the assembly, moved by D.
fitup::Transform placementAfter(const SceneAssembly& scene, fitup::NodeId node, const fitup::Transform& d);

/// Throws fitup::InputError for a map that is not rigid.
fitup::RigidMotion rigidMotion(const fitup::Transform& d);

}  // namespace osgFitup::detail

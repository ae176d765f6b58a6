#pragma once

#include <osg/Transform>
#include <osg/ref_ptr>

#include <fitup/motion/track.h>
#include <osgFitup/scene_assembly.h>

namespace osgFitup::detail {

/// The assembly of a scene with every `PartNode` where its design puts it: what tracks are about. Other
/// transforms are where they are.
SceneAssembly designAssembly(osg::Node& root);

/// The transform that a node of the graph moves by: a MatrixTransform or a PositionAttitudeTransform. Throws
/// fitup::InputError naming the node and its class for any other.
osg::Transform& movable(osg::Node& node);
/// parentFromNode of such a transform, for row vectors.
osg::Matrixd matrixOf(const osg::Transform& transform);
/// Throws fitup::InputError where position and attitude, with the scale as it is, do not make that matrix.
void setMatrix(osg::Transform& transform, const osg::Matrixd& matrix);
/// The transform of a node of an assembly; throws as `movable`.
osg::Transform& transformOf(const SceneAssembly& scene, fitup::NodeId node);

/// What the scene calls a node of the graph: of several places the first. Throws fitup::InputError for one
/// without parts at or below it.
fitup::NodeId nodeOf(const SceneAssembly& scene, const osg::Node& node);

/// parentFromNode with which worldFromNode is that of the assembly moved by D.
fitup::Transform placementAfter(const SceneAssembly& scene, fitup::NodeId node, const fitup::Transform& d);

/// Throws fitup::InputError for a map that is not rigid.
fitup::RigidMotion rigidMotion(const fitup::Transform& d);

}  // namespace osgFitup::detail

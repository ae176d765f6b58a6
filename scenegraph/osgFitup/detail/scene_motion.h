#pragma once

#include <cstdint>

#include <osg/MatrixTransform>
#include <osg/ref_ptr>

#include <fitup/motion/track.h>
#include <osgFitup/scene_assembly.h>

namespace osgFitup::detail {

/// The assembly of a scene with every `PartNode` where its design puts it: what tracks are about. Other
/// transforms are where they are.
SceneAssembly designAssembly(osg::Node& root);

/// Nodes of a scene may come in another order than those of the assembly that it was made of, by which the
/// hashes of the two differ. This keeps the assembly's, to be found by `modelHashOf` as long as the scene is
/// not edited but for placements.
void rememberModelHash(osg::Node& root, std::uint64_t modelHash);
/// What tracks of a scene name as their model: the remembered hash, else that of the design itself.
std::uint64_t modelHashOf(osg::Node& root, const SceneAssembly& design);

/// The transform that a node of an assembly moves by. Throws fitup::InputError naming it for a node of the
/// graph that is no MatrixTransform.
osg::MatrixTransform& transformOf(const SceneAssembly& scene, fitup::NodeId node);

/// What the scene calls a node of the graph: of several places the first. Throws fitup::InputError for one
/// without parts at or below it.
fitup::NodeId nodeOf(const SceneAssembly& scene, const osg::Node& node);

/// parentFromNode with which worldFromNode is that of the assembly moved by D.
fitup::Transform placementAfter(const SceneAssembly& scene, fitup::NodeId node, const fitup::Transform& d);

/// Throws fitup::InputError for a map that is not rigid.
fitup::RigidMotion rigidMotion(const fitup::Transform& d);

}  // namespace osgFitup::detail

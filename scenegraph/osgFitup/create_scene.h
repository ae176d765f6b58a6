#pragma once

#include <vector>

#include <osg/Group>
#include <osg/ref_ptr>

#include <fitup/base/progress.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/interference.h>
#include <osgFitup/part_node.h>

namespace FITUP_EXPORT osgFitup {

/// How a scene graph is made of an assembly.
struct SceneOptions {
  /// Of surfaces whose file gives no colour.
  fitup::Colour defaultColour{};
  unsigned int threads = 1;  ///< `fitup::allCores`: one for each
};

/// The scene graph of an assembly: below a group named after it a `PartNode` for each instance and a
/// MatrixTransform for each subassembly, with their names and placements; below each `PartNode` one
/// `SurfaceGeometry` for each surface. Instances share the models and drawables of their part.
///
/// Nothing is turned or scaled: world coordinates are the assembly's, in its unit (kept with the up axis as
/// user values of the group, see `createAssembly`). Vertices are the meshes' stored points, shifted by a
/// transform, so that what is drawn is what is checked. Materials carry the surfaces' colours, those of
/// instances go first; lighting is two-sided.
///
/// Collision models that the scene has not made yet are built. Throws fitup::CancelledError.
osg::ref_ptr<osg::Group> createScene(const fitup::Scene& scene, const SceneOptions& options = {},
                                     const fitup::Progress& progress = {});

/// The part nodes at or below a node, in the order of traversal, each once; masks and switches are not looked
/// at. For a scene of `createScene` they are in the order of `Assembly::instances()` if each subassembly's
/// nodes were added together.
std::vector<PartNode*> partNodesBelow(osg::Node& node);

/// The first part node with that instance path at or below a node, or null.
PartNode* findPartNode(osg::Node& root, const std::string& instancePath);

}  // namespace osgFitup

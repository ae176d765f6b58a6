#pragma once

#include <vector>

#include <osg/Group>
#include <osg/ref_ptr>

#include <fitup/base/progress.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/interference.h>
#include <osgFitup/part_node.h>

namespace FITUP_EXPORT osgFitup {

/// Options of `createScene`.
struct SceneOptions {
  /// The colour of surfaces to which the file gives none.
  fitup::Colour defaultColour{};
  unsigned int threads = 1;  ///< `fitup::allCores`: one for each core
  /// If off, part nodes have no `SurfaceGeometry`, for applications that draw parts by drawables of their own
  /// (below the first child of the part node, which has the mesh's origin). Highlights of surfaces and picks
  /// by osgUtil need drawables; highlights of triangles do not.
  bool drawables = true;
};

/// Makes the scene graph of an assembly. Below a group with the assembly's name are a `PartNode` for each
/// instance and a MatrixTransform for each subassembly, with their names and placements; below each
/// `PartNode` is one `SurfaceGeometry` for each surface. Instances share the models and drawables of their
/// part.
///
/// Nothing is rotated or scaled: world coordinates are those of the assembly, in its unit. The group keeps
/// the unit and the up axis as user values (see `createAssembly`). Vertices are the stored points of the
/// meshes, shifted by a transform, so that what is drawn is what is checked. Materials carry the colours of
/// the surfaces; the colour of an instance overrides them. Lighting is two-sided.
///
/// Collision models that the scene has not built yet are built. Throws fitup::CancelledError.
osg::ref_ptr<osg::Group> createScene(const fitup::Scene& scene, const SceneOptions& options = {},
                                     const fitup::Progress& progress = {});

/// Returns the part nodes at or below a node, each once, in the order of traversal, regardless of masks and
/// switches. In a scene of `createScene` this is the order of `Assembly::instances()` if the nodes of each
/// subassembly were added together.
std::vector<PartNode*> partNodesBelow(osg::Node& node);

/// Returns the first part node at or below `root` with that instance path, or null.
PartNode* findPartNode(osg::Node& root, const std::string& instancePath);

}  // namespace osgFitup

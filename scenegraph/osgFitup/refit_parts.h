#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include <fitup/hierarchy/refit.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// What `refitParts` did.
struct RefitResult {
  std::size_t refittedModels = 0;  ///< parts may share them
  std::size_t renewedParts = 0;    ///< nodes that were given another `PartModel`
  /// Parts that kept their former model, which is out of date, and why.
  std::vector<fitup::ImportWarning> warnings;
};

/// Whether a dynamic drawable (osg::Object::DYNAMIC) of a part has other vertices than its model knows:
/// another array, or one that was dirtied. True for a model that does not know, as one that was read from a
/// file, if the part has a dynamic drawable: after one refit it does (`PartModel::setVertexVersions`).
bool needsRefit(osg::Node& part);

/// Gives the parts of a scene whose vertices have been moved (`needsRefit`) refitted models
/// (`fitup::CollisionModel::refit`): the triangles stay, the points are where the drawables have them now.
/// Parts that shared a model share its successor; models in use elsewhere stay as they are, and so do those
/// whose points turn out to be where they were. Does not change `scene`. `also`: parts of it that are
/// refitted whether they need it or not. Where a drawable has other triangles than the model, or one point in
/// two places, the part keeps its model, with a warning: `CollisionModelVisitor::setRebuild` is for that.
/// Linear in those parts; for the update phase. Throws as `fitup::CollisionModel::refit`, naming the part.
RefitResult refitParts(const SceneAssembly& scene, const fitup::RefitOptions& options = {},
                       const std::set<const osg::Node*>& also = {});

}  // namespace osgFitup

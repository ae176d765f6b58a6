#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include <fitup/hierarchy/refit.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// The result of `refitParts`.
struct RefitResult {
  std::size_t refittedModels = 0;  ///< parts may share them
  std::size_t renewedParts = 0;    ///< nodes that were given another `PartModel`
  /// The parts that kept a model which is out of date, and the reason.
  std::vector<fitup::ImportWarning> warnings;
};

/// Returns whether a dynamic drawable (osg::Object::DYNAMIC) of a part has other vertices than its model
/// knows: another array, or a dirtied one. Returns true for a part with a dynamic drawable whose model has no
/// vertex versions, such as one read from a file; a refit adds them (`PartModel::setVertexVersions`).
bool needsRefit(osg::Node& part);

/// Refits the models of parts whose vertices have moved (`needsRefit`, `fitup::CollisionModel::refit`): the
/// triangles stay the same, and the points become those of the drawables. Parts that shared a model share the
/// new one. Models that are used elsewhere do not change, and parts whose points have not moved keep theirs.
/// Does not change `scene`. `also` names parts of `scene` that are always refitted.
///
/// If a drawable has other triangles than the model, or one point in two places, the part keeps its model,
/// with a warning; use `CollisionModelVisitor::setRebuild` then. Linear in the size of those parts. Call it
/// in the update phase. Throws like `fitup::CollisionModel::refit`, naming the part.
RefitResult refitParts(const SceneAssembly& scene, const fitup::RefitOptions& options = {},
                       const std::set<const osg::Node*>& also = {});

}  // namespace osgFitup

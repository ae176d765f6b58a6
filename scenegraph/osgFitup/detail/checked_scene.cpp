#include <osgFitup/detail/checked_scene.h>

#include <algorithm>
#include <string>

#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/detail/scene_walk.h>
#include <osgFitup/refit_parts.h>

namespace osgFitup::detail {
namespace {

void mark(const SceneAssembly& scene, const std::vector<osg::ref_ptr<osg::Node>>& nodes,
          std::vector<char>& marked) {
  for (std::size_t i = 0; i < scene.instances.size(); ++i)
    for (const auto& node : scene.instances[i].path)
      if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) marked[i] = 1;
}

}  // namespace

CheckedScene checkedScene(osg::Node& root, const SceneRequest& request) {
  CheckedScene result;
  result.scene = createAssembly(root, request.masks);
  result.warnings = result.scene.warnings;
  const std::size_t outside = result.scene.drawablesOutsideParts;
  if (outside > 0 && request.buildMissing) {
    osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
    if (request.masks != nullptr) {
      builder->setTraversalMask(request.masks->getTraversalMask());
      builder->setNodeMaskOverride(request.masks->getNodeMaskOverride());
    }
    builder->setBuildOptions(request.build);
    builder->setProgress(request.progress);
    root.accept(*builder);
    result.cancelled = builder->isCancelled();
    if (result.cancelled) return result;
    result.scene = createAssembly(root, request.masks);
    result.warnings = result.scene.warnings;
    addWarnings(builder->getWarnings(), result.warnings);
  } else if (outside > 0) {
    result.warnings.push_back({root.getName(),
                               std::to_string(outside) + (outside == 1 ? " drawable" : " drawables") +
                                   " of no part that carries a model: not checked",
                               true});
  }
  if (!request.refit) return result;
  const RefitResult refit = refitParts(result.scene);
  addWarnings(refit.warnings, result.warnings);
  if (refit.renewedParts > 0) {
    SceneAssembly now = createAssembly(root, request.masks);
    addWarnings(now.warnings, result.warnings);
    result.scene = std::move(now);
  }
  return result;
}

fitup::PairSelection selectionOf(const SceneAssembly& scene,
                                 const std::vector<osg::ref_ptr<osg::Node>>& first,
                                 const std::vector<osg::ref_ptr<osg::Node>>& second) {
  fitup::PairSelection selection;
  const auto given = [](const auto& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.valid(); });
  };
  const bool hasFirst = given(first), hasSecond = given(second);
  if (!hasFirst && !hasSecond) return selection;
  selection.first.assign(scene.instances.size(), 0);
  selection.second.assign(scene.instances.size(), 0);
  mark(scene, first, selection.first);
  mark(scene, second, selection.second);
  if (!hasSecond)
    for (std::size_t i = 0; i < selection.first.size(); ++i) selection.second[i] = selection.first[i] ? 0 : 1;
  if (!hasFirst)
    for (std::size_t i = 0; i < selection.first.size(); ++i) selection.first[i] = selection.second[i] ? 0 : 1;
  return selection;
}

}  // namespace osgFitup::detail

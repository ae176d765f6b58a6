#include <osgFitup/detail/checked_scene.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include <fitup/base/parallel.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/detail/model_review.h>
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

/// The work on the models of a scene that a check requires.
struct Todo {
  bool build = false;                ///< some models were built from other drawables than their parts show
  std::set<const osg::Node*> refit;  ///< models of the same drawables, which have moved
  std::size_t outside = 0;           ///< drawables that belong to no model
  std::vector<fitup::ImportWarning> warnings;  ///< parts whose model is wrong but stays
  bool hasRenewed = false;
};

Todo todoOf(const SceneAssembly& scene, const SceneRequest& request) {
  Todo todo;
  NodeMasks masks;
  if (request.masks != nullptr)
    masks = {request.masks->getTraversalMask(), request.masks->getNodeMaskOverride()};
  ModelReview review(masks);
  std::unordered_set<const osg::Node*> done;
  for (const SceneInstance& instance : scene.instances) {
    osg::Node& node = *instance.path.back();
    if (!done.insert(&node).second) continue;
    // Triangles of a CAD file keep their numbers; a model built from drawables would lose them.
    const bool isBuilt = instance.part->getPrimitiveNumbering() == PrimitiveNumbering::fromSource;
    std::string problem;
    const ModelFit fit = review.look(node, &problem);
    if (isBuilt && request.buildMissing && !isDividedBy(*partModelOf(node), request.division))
      todo.build = true;
    if (fit == ModelFit::fits) continue;
    if (isBuilt && request.buildMissing)
      todo.build = true;
    else if (fit == ModelFit::moved && request.refit)
      todo.refit.insert(&node);
    else
      todo.warnings.push_back({pathText({instance.path.begin(), instance.path.end()}),
                               "model is out of date, so results are for its former shape: " + problem,
                               true});
  }
  todo.outside = scene.drawablesOutsideParts + review.drawablesOfNewParts();
  todo.hasRenewed = review.hasRenewed();
  return todo;
}

/// Removes the models of parts that are drawn differently.
void dropForeignModels(const SceneAssembly& scene, double rounding,
                       std::vector<fitup::ImportWarning>& warnings) {
  std::unordered_set<const osg::Node*> done;
  for (const SceneInstance& instance : scene.instances) {
    osg::Node& node = *instance.path.back();
    if (!done.insert(&node).second) continue;
    const std::string problem = differenceFromDrawn(node, *instance.part, rounding);
    if (problem.empty()) continue;
    warnings.push_back({pathText({instance.path.begin(), instance.path.end()}),
                        "its stored model is replaced by one built from what is drawn: " + problem, false});
    setPartModel(node, nullptr);
  }
}

}  // namespace

CheckedScene checkedScene(osg::Node& root, const SceneRequest& request) {
  CheckedScene result;
  result.scene = createAssembly(root, request.masks);
  std::vector<fitup::ImportWarning> said;
  if (request.drawnRounding) {
    dropForeignModels(result.scene, *request.drawnRounding, said);
    if (!said.empty()) result.scene = createAssembly(root, request.masks);
  }
  result.warnings = result.scene.warnings;
  Todo todo = todoOf(result.scene, request);
  const bool builds = request.buildMissing && (todo.build || todo.outside > 0);
  if (builds) {
    osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
    builder->setThreads(fitup::allCores);
    if (request.masks != nullptr) {
      builder->setTraversalMask(request.masks->getTraversalMask());
      builder->setNodeMaskOverride(request.masks->getNodeMaskOverride());
    }
    builder->setBuildOptions(request.build);
    if (request.division) builder->setSurfaces(request.division->surfaces, request.division->angleDegrees);
    builder->setProgress(request.progress);
    root.accept(*builder);
    result.cancelled = builder->isCancelled();
    if (result.cancelled) return result;
    result.pointsAndLines = builder->getPointsAndLines();
    addWarnings(builder->getWarnings(), said);
  } else if (todo.outside > 0) {
    said.push_back({root.getName(),
                    std::to_string(todo.outside) + (todo.outside == 1 ? " drawable" : " drawables") +
                        " that belong to no part with a model: not checked",
                    true});
  }
  if (builds || todo.hasRenewed) result.scene = createAssembly(root, request.masks);
  if (builds) {
    // New parts may have taken drawables from others, whose models stay.
    todo = todoOf(result.scene, request);
    if (todo.hasRenewed) result.scene = createAssembly(root, request.masks);
  }
  result.warnings = result.scene.warnings;
  addWarnings(todo.warnings, result.warnings);
  addWarnings(said, result.warnings);
  if (!request.refit) return result;
  const RefitResult refit = refitParts(result.scene, {}, todo.refit);
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

bool selectsAny(const SceneAssembly& scene, const osg::Node& node) {
  return std::ranges::any_of(scene.instances, [&](const SceneInstance& instance) {
    return std::ranges::find(instance.path, &node) != instance.path.end();
  });
}

}  // namespace osgFitup::detail

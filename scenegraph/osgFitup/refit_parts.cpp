#include <osgFitup/refit_parts.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <fitup/base/error.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/moved_points.h>
#include <osgFitup/detail/part_contents.h>
#include <osgFitup/detail/scene_walk.h>

namespace osgFitup {
namespace {

/// Whether a refit would change nothing.
bool isUpToDate(const detail::MovedPoints& moved, const fitup::TriangleMesh& mesh) {
  const auto surfaces = mesh.surfaces();
  return std::all_of(surfaces.begin(), surfaces.end(),
                     [&](const fitup::Surface& surface) { return moved.areWhereTheyWere(surface); });
}

}  // namespace

bool needsRefit(osg::Node& part) {
  const PartModel* model = partModelOf(part);
  if (model == nullptr) return false;
  const auto& known = model->getVertexVersions();
  for (std::uint32_t s = 0; s < model->getSurfacePaths().size(); ++s) {
    const osg::Drawable* drawable = model->drawableOf(part, fitup::SurfaceId{s});
    if (drawable != nullptr && drawable->getDataVariance() == osg::Object::DYNAMIC &&
        (s >= known.size() || versionOf(*drawable) != known[s]))
      return true;
  }
  return false;
}

RefitResult refitParts(const SceneAssembly& scene, const fitup::RefitOptions& options,
                       const std::set<const osg::Node*>& also) {
  RefitResult result;
  // Parts that share a model and the drawables share the new model too; copies with drawables of their own
  // may be deformed differently.
  using Drawables = std::vector<const osg::Drawable*>;
  std::map<std::pair<const fitup::CollisionModel*, Drawables>, std::shared_ptr<const fitup::CollisionModel>>
      refitted;
  std::map<std::pair<const PartModel*, Drawables>, osg::ref_ptr<PartModel>> successors;
  std::set<osg::Node*> done;
  for (const SceneInstance& instance : scene.instances) {
    if (instance.path.empty())
      throw fitup::InputError("refitParts", "scene", "has an instance without a path");
    osg::Node& node = *detail::givenPath(instance.path, "refitParts", "scene").back();
    (void)detail::given(instance.part.get(), "refitParts", "scene");
    if (!done.insert(&node).second || (!also.contains(&node) && !needsRefit(node))) continue;
    const PartModel& part = *instance.part;
    Drawables drawables;
    for (std::uint32_t s = 0; s < part.getSurfacePaths().size(); ++s)
      drawables.push_back(part.drawableOf(node, fitup::SurfaceId{s}));
    osg::ref_ptr<PartModel>& successor = successors[{&part, drawables}];
    if (!successor.valid()) {
      auto& model = refitted[{part.getCollisionModel().get(), drawables}];
      if (!model) {
        const detail::MovedPoints moved(node, part);
        const auto named = [&](const std::string& problem) {
          return detail::pathText({instance.path.begin(), instance.path.end()}) + ": " + problem;
        };
        if (!moved.problem.empty()) {
          result.warnings.push_back(
              {detail::pathText({instance.path.begin(), instance.path.end()}),
               "model is out of date, so results are for its former shape: " + moved.problem, true});
          continue;
        }
        const bool isKept = isUpToDate(moved, part.getCollisionModel()->mesh());
        try {
          model = isKept ? part.getCollisionModel() : part.getCollisionModel()->refit(moved.points, options);
        } catch (const fitup::RangeError& error) {
          throw fitup::RangeError(named(error.what()));
        } catch (const fitup::InputError& error) {
          throw fitup::InputError(named(error.what()));
        }
        result.refittedModels += isKept ? 0 : 1;
      }
      successor =
          new PartModel(model, part.getSurfacePaths(), part.getPrimitiveNumbering(), part.getWarnings());
      successor->setSaved(part.isSaved());
      successor->setVertexVersions(vertexVersionsOf(node, part));
      if (part.getContents())
        successor->setContents(std::make_shared<const detail::PartContents>(
            detail::contentsAfterRefit(node, part, *part.getContents())));
    }
    setPartModel(node, successor);
    ++result.renewedParts;
  }
  return result;
}

}  // namespace osgFitup

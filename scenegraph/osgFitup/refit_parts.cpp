#include <osgFitup/refit_parts.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include <osg/Transform>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/scene_walk.h>

namespace osgFitup {
namespace {

using fitup::Vec3;

/// As `CollisionModelVisitor` puts it together.
fitup::Transform partFromDrawable(const osg::NodePath& fromPart) {
  fitup::Transform result;
  for (std::size_t i = 1; i < fromPart.size(); ++i)
    if (const osg::Transform* transform = fromPart[i]->asTransform())
      result = result * parentFromNode(*transform);
  return result;
}

/// Where the points of a part's mesh are, as its drawables show them.
class MovedPoints {
 public:
  MovedPoints(osg::Node& node, const PartModel& part)
      : mesh_(part.getCollisionModel()->mesh()), isSet_(mesh_.points().size(), 0) {
    for (std::uint32_t i = 0; i < mesh_.points().size(); ++i) points.push_back(mesh_.pointInPart(i));
    for (std::uint32_t s = 0; s < mesh_.surfaces().size() && problem.empty(); ++s)
      take(part.pathTo(node, fitup::SurfaceId{s}), mesh_.surfaces()[s]);
  }
  std::vector<Vec3> points;
  std::string problem;  ///< why they cannot be told; empty if they can

 private:
  void take(const osg::NodePath& path, const fitup::Surface& surface) {
    if (path.empty()) {
      problem = "a drawable is not there any more";
      return;
    }
    const detail::DrawableTriangles drawn = detail::trianglesOf(*path.back()->asDrawable());
    if (drawn.triangles.size() != surface.triangleCount) {
      problem = "a drawable has another number of triangles than its model";
      return;
    }
    const fitup::Transform place = partFromDrawable(path);
    for (std::size_t t = 0; t < drawn.triangles.size(); ++t)
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::uint32_t point = mesh_.triangles()[surface.firstTriangle + t][corner];
        const Vec3 now = place.apply(drawn.points[drawn.triangles[t][corner]]);
        if (isSet_[point] && points[point] != now) {
          problem = "triangles that shared a point do so no more";
          return;
        }
        points[point] = now;
        isSet_[point] = 1;
      }
  }

  const fitup::TriangleMesh& mesh_;
  std::vector<char> isSet_;
};

}  // namespace

bool needsRefit(osg::Node& part) {
  const PartModel* model = partModelOf(part);
  if (model == nullptr || model->getVertexVersions().empty()) return false;
  for (std::uint32_t s = 0; s < model->getVertexVersions().size(); ++s) {
    const osg::Drawable* drawable = model->drawableOf(part, fitup::SurfaceId{s});
    if (drawable != nullptr && drawable->getDataVariance() == osg::Object::DYNAMIC &&
        versionOf(*drawable) != model->getVertexVersions()[s])
      return true;
  }
  return false;
}

RefitResult refitParts(const SceneAssembly& scene, const fitup::RefitOptions& options) {
  RefitResult result;
  // Parts of one model with the same drawables share the next one too; copies with drawables of their own may
  // be deformed otherwise.
  using Drawables = std::vector<const osg::Drawable*>;
  std::map<std::pair<const fitup::CollisionModel*, Drawables>, std::shared_ptr<const fitup::CollisionModel>>
      refitted;
  std::map<std::pair<const PartModel*, Drawables>, osg::ref_ptr<PartModel>> successors;
  std::set<osg::Node*> done;
  for (const SceneInstance& instance : scene.instances) {
    osg::Node& node = *instance.path.back();
    if (!done.insert(&node).second || !needsRefit(node)) continue;
    const PartModel& part = *instance.part;
    Drawables drawables;
    for (std::uint32_t s = 0; s < part.getSurfacePaths().size(); ++s)
      drawables.push_back(part.drawableOf(node, fitup::SurfaceId{s}));
    osg::ref_ptr<PartModel>& successor = successors[{&part, drawables}];
    if (!successor.valid()) {
      auto& model = refitted[{part.getCollisionModel().get(), drawables}];
      if (!model) {
        const MovedPoints moved(node, part);
        const auto named = [&](const std::string& problem) {
          return detail::pathText({instance.path.begin(), instance.path.end()}) + ": " + problem;
        };
        if (!moved.problem.empty()) {
          result.warnings.push_back({detail::pathText({instance.path.begin(), instance.path.end()}),
                                     "model is out of date: " + moved.problem, true});
          continue;
        }
        try {
          model = part.getCollisionModel()->refit(moved.points, options);
        } catch (const fitup::RangeError& error) {
          throw fitup::RangeError(named(error.what()));
        } catch (const fitup::InputError& error) {
          throw fitup::InputError(named(error.what()));
        }
        ++result.refittedModels;
      }
      successor =
          new PartModel(model, part.getSurfacePaths(), part.getPrimitiveNumbering(), part.getWarnings());
      successor->setVertexVersions(vertexVersionsOf(node, part));
    }
    setPartModel(node, successor);
  }
  return result;
}

}  // namespace osgFitup

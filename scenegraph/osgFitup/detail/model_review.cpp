#include <osgFitup/detail/model_review.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/moved_points.h>
#include <osgFitup/detail/primitive_restart.h>

namespace osgFitup::detail {
namespace {

/// Returns the surfaces of the drawable at the end of a path.
std::span<const fitup::Surface> surfacesOf(const PartModel& model, const ChildPath& path) {
  const auto& paths = model.getSurfacePaths();
  const auto [begin, end] = std::equal_range(paths.begin(), paths.end(), path);
  return model.getCollisionModel()->mesh().surfaces().subspan(static_cast<std::size_t>(begin - paths.begin()),
                                                              static_cast<std::size_t>(end - begin));
}

/// Keeps what is known of dynamic drawables, so that a refit finds that they have moved.
void remember(osg::Node& node, std::shared_ptr<const PartContents> contents, PartModel& model) {
  std::vector<VertexVersion> versions = model.getVertexVersions();
  for (std::uint32_t s = 0; s < versions.size(); ++s)
    if (const osg::Drawable* drawable = model.drawableOf(node, fitup::SurfaceId{s});
        drawable != nullptr && drawable->getDataVariance() != osg::Object::DYNAMIC)
      versions[s] = versionOf(*drawable);
  model.setVertexVersions(std::move(versions));
  model.setContents(std::move(contents));
}

double largestOf(const fitup::Vec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

}  // namespace

std::string differenceFromDrawn(osg::Node& node, const PartModel& model, double rounding) {
  const PartContents contents = contentsOf(node, model);
  if (contents.drawables.empty()) return {};
  const fitup::TriangleMesh& mesh = model.getCollisionModel()->mesh();
  std::size_t surfaces = 0;
  double size = 0;
  for (const PartSource& source : contents.drawables) {
    const osg::Drawable& drawable = *source.drawable.get();
    const DrawableTriangles drawn = trianglesOf(drawable, restartAlong(nodesAlong(node, source.path)));
    // The builder warns about these; a stored model may not.
    if (drawn.outOfRange + drawn.notFinite + drawn.unknownPrimitives + copiesByShader(drawable) > 0 ||
        (drawn.points.empty() && drawsArea(drawable)))
      return "a drawable has primitives that cannot be read";
    if (source.isSurface)
      surfaces += surfacesOf(model, source.path).size();
    else if (!drawn.triangles.empty())
      return "a drawable has triangles that are not in the model";
    size = std::max(size, largestOf(source.partFromDrawable.t));
    for (const fitup::Vec3& point : drawn.points)
      size = std::max({size, largestOf(point), largestOf(source.partFromDrawable.apply(point))});
  }
  if (surfaces != mesh.surfaces().size()) return "the model has a surface that is not drawn";
  const MovedPoints moved(node, model);
  if (!moved.problem.empty()) return moved.problem;
  if (moved.isRenumbered) return "a drawable and its model have different primitives";
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    if (!(largestOf(moved.points[i] - mesh.pointInPart(i)) <= rounding * size))
      return "its vertices are elsewhere";
  return {};
}

bool isDividedBy(const PartModel& model, const std::optional<SurfaceDivision>& division) {
  return !division || (model.getContents() && model.getContents()->division == division);
}

ModelFit ModelReview::look(osg::Node& node, std::string* problem) {
  PartModel& model = *partModelOf(node);
  std::string unused;
  std::string& said = problem != nullptr ? *problem : unused;
  if (!model.getContents()) return lookAtUnknown(node, model, said);
  const ContentsComparison comparison = compareContents(node, *model.getContents(), asker_, toBe_);
  drawablesOfNewParts_ += comparison.drawablesOfNewParts;
  return comparison.isSame ? ModelFit::fits : lookCloser(node, model, said);
}

ModelFit ModelReview::lookAtUnknown(osg::Node& node, PartModel& model, std::string& problem) {
  auto contents = std::make_shared<const PartContents>(contentsOf(node, model, asker_, toBe_));
  drawablesOfNewParts_ += compareContents(node, *contents, asker_, toBe_).drawablesOfNewParts;
  // A part may have a model and draw nothing.
  if (!contents->drawables.empty())
    for (std::uint32_t s = 0; s < model.getSurfacePaths().size(); ++s)
      if (model.drawableOf(node, fitup::SurfaceId{s}) == nullptr) {
        problem = "a drawable no longer exists";
        return ModelFit::other;
      }
  model.setContents(std::move(contents));
  return ModelFit::fits;
}

ModelFit ModelReview::lookCloser(osg::Node& node, PartModel& model, std::string& problem) {
  const PartContents& before = *model.getContents();
  auto now = std::make_shared<const PartContents>(contentsOf(node, model, before.masks, toBe_));
  const auto say = [&](const std::string& what) {
    problem = what;
    return ModelFit::other;
  };
  if (!std::equal(now->drawables.begin(), now->drawables.end(), before.drawables.begin(),
                  before.drawables.end(),
                  [](const PartSource& is, const PartSource& was) { return is.path == was.path; }))
    return say("drawables were added, removed or moved");
  // Text files round what is drawn, but not the model. So copies are compared with their originals.
  const bool areCopies =
      std::equal(now->drawables.begin(), now->drawables.end(), before.drawables.begin(),
                 [](const PartSource& is, const PartSource& was) { return isCopyOf(is, was); });
  if (areCopies) {
    adopt(node, std::move(now), model);
    return ModelFit::fits;
  }
  const MovedPoints moved(node, model);
  if (!moved.problem.empty()) return say(moved.problem);
  if (moved.isRenumbered) return say("a drawable and its model have different primitives");
  bool areSameDrawables = true, areSamePoints = true;
  for (std::size_t i = 0; i < now->drawables.size(); ++i) {
    const PartSource &was = before.drawables[i], &is = now->drawables[i];
    const osg::Drawable& drawable = *is.drawable.get();
    const bool isSameDrawable = was.drawable == is.drawable;
    const bool hasSamePrimitives = was.primitives == is.primitives;
    areSameDrawables = areSameDrawables && isSameDrawable;
    if (!is.isSurface) {
      const bool isAsBefore = isSameDrawable && hasSamePrimitives && was.vertices == is.vertices;
      if (!isAsBefore && !trianglesOf(drawable).triangles.empty())
        return say("a drawable has triangles that are not in its model");
      continue;
    }
    // A refit decides about the vertices of dynamic drawables, also for a copy.
    const bool isRefitted = drawable.getDataVariance() == osg::Object::DYNAMIC &&
                            was.partFromDrawable == is.partFromDrawable &&
                            (hasSamePrimitives || !isSameDrawable);
    for (const fitup::Surface& surface : surfacesOf(model, is.path))
      if (!isRefitted && !moved.areWhereTheyWere(surface)) areSamePoints = false;
  }
  if (areSamePoints) {
    adopt(node, std::move(now), model);
    return ModelFit::fits;
  }
  if (!areSameDrawables) return say("a drawable was replaced by another one");
  problem = "vertices or transforms within the part have been moved";
  return ModelFit::moved;
}

void ModelReview::adopt(osg::Node& node, std::shared_ptr<const PartContents> contents, PartModel& model) {
  const auto& before = model.getContents()->drawables;
  const bool areSameDrawables =
      std::equal(contents->drawables.begin(), contents->drawables.end(), before.begin(),
                 [](const PartSource& is, const PartSource& was) { return is.drawable == was.drawable; });
  if (areSameDrawables)
    remember(node, std::move(contents), model);  // all nodes that share the model show these drawables
  else
    renew(node, model, std::move(contents));
}

void ModelReview::renew(osg::Node& node, const PartModel& model,
                        std::shared_ptr<const PartContents> contents) {
  std::vector<const osg::Drawable*> drawables;
  for (const PartSource& source : contents->drawables) drawables.push_back(source.drawable.get());
  osg::ref_ptr<PartModel>& successor = renewed_[{&model, std::move(drawables)}];
  if (!successor.valid() || !compareContents(node, *successor->getContents(), {}, toBe_).isSame) {
    successor = new PartModel(model);
    remember(node, std::move(contents), *successor);
  }
  setPartModel(node, successor);
  hasRenewed_ = true;
}

}  // namespace osgFitup::detail

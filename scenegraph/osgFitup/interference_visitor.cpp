#include <osgFitup/interference_visitor.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <osg/Transform>

#include <fitup/base/error.h>
#include <fitup/query/intersection_lines.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/given.h>

namespace osgFitup {
namespace {

using fitup::NodeId;

/// The drawables that hits refer to, each looked up once.
class Drawables {
 public:
  explicit Drawables(const SceneAssembly& scene) : scene_(scene) {}

  const std::shared_ptr<const InterferingDrawable>& of(NodeId instance, fitup::SurfaceId surface) {
    auto& found = found_[{instance, surface}];
    if (!found) found = lookUp(scene_.at(instance), surface);
    return found;
  }

 private:
  static std::shared_ptr<const InterferingDrawable> lookUp(const SceneInstance& instance,
                                                           fitup::SurfaceId surface) {
    auto result = std::make_shared<InterferingDrawable>();
    result->instance = instance.node;
    result->surface = surface;
    result->nodePath = instance.path;
    osg::NodePath plain(instance.path.begin(), instance.path.end());
    const osg::NodePath below = instance.part->pathTo(*instance.path.back(), surface);
    if (!below.empty()) {
      result->drawable = below.back()->asDrawable();
      result->nodePath.insert(result->nodePath.end(), below.begin() + 1, below.end());
      plain.insert(plain.end(), below.begin() + 1, below.end());
    }
    result->matrix = osg::computeLocalToWorld(plain);
    return result;
  }

  const SceneAssembly& scene_;
  std::map<std::pair<NodeId, fitup::SurfaceId>, std::shared_ptr<const InterferingDrawable>> found_;
};

}  // namespace

const InterferingDrawable& Interference::Side::place() const {
  return detail::given(where.get(), "Interference::Side", "where");
}

osg::Vec3d Interference::getWorldIntersectPoint(std::size_t point) const {
  return toVec3d(common.corners()[point]);
}

osg::Vec3d Interference::getLocalIntersectPoint(std::size_t side, std::size_t point) const {
  return getWorldIntersectPoint(point) * osg::Matrixd::inverse(sides[side].getMatrix());
}

InterferenceVisitor::InterferenceVisitor() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {}

void InterferenceVisitor::setIntersectionLimit(IntersectionLimit limit) {
  if (limit == osgUtil::Intersector::LIMIT_NEAREST)
    throw fitup::InputError("interference visitor", "limit",
                            "LIMIT_NEAREST is not supported, because interferences have no order");
  limit_ = limit;
}

void InterferenceVisitor::clearSets() {
  first_.clear();
  second_.clear();
}

void InterferenceVisitor::reset() {
  scene_ = SceneAssembly();
  report_ = fitup::InterferenceReport();
  interferences_.clear();
  warnings_.clear();
}

fitup::InterferenceOptions InterferenceVisitor::effectiveOptions() const {
  fitup::InterferenceOptions options = options_;
  options.selection = detail::selectionOf(scene_, first_, second_);
  options.stopAtFirstPair = limit_ == osgUtil::Intersector::LIMIT_ONE;
  options.request.mode = limit_ == osgUtil::Intersector::NO_LIMIT ? fitup::QueryMode::allTrianglePairs
                         : limit_ == osgUtil::Intersector::LIMIT_ONE_PER_DRAWABLE
                             ? fitup::QueryMode::allSurfacePairs
                             : fitup::QueryMode::firstSurfacePair;
  return options;
}

void InterferenceVisitor::apply(osg::Node& node) {
  reset();
  fitup::BuildOptions build = build_;
  build.add(options_.request.hierarchy);
  detail::CheckedScene checked = detail::checkedScene(node, {.masks = this,
                                                             .buildMissing = buildMissing_,
                                                             .refit = refit_,
                                                             .build = build,
                                                             .progress = progress_,
                                                             .division = division_});
  scene_ = std::move(checked.scene);
  warnings_ = std::move(checked.warnings);
  if (checked.cancelled) {
    report_.status = fitup::ReportStatus::cancelled;
    return;
  }
  report_ = fitup::checkAllPairs(scene_.scene, scene_.poses, effectiveOptions(), progress_);
  if (const std::string nothing = fitup::nothingCheckedText(report_); !nothing.empty())
    warnings_.push_back({node.getName(),
                         nothing + "; drawables of one part are not checked against each other (name the "
                                   "transform of each part, or call markAsPart)",
                         true});
  for (const auto* set : {&first_, &second_})
    for (const auto& selected : *set)
      if (selected.valid() && !detail::selectsAny(scene_, *selected))
        warnings_.push_back({selected->getName(),
                             "selects no part: it is inside a part, outside the visited scene, or hidden",
                             true});
  list();
}

void InterferenceVisitor::list() {
  Drawables drawables(scene_);
  using Place = std::array<std::pair<NodeId, fitup::SurfaceId>, 2>;
  std::set<Place> seen;  // pairs of drawables, by their first surfaces
  for (const fitup::PairInterference& pair : report_.pairs) {
    const std::array<NodeId, 2> nodes{pair.a, pair.b};
    const std::array<const PartModel*, 2> parts{scene_.at(pair.a).part.get(), scene_.at(pair.b).part.get()};
    const fitup::PosedModel first = scene_.scene.posed(pair.a, scene_.poses),
                            second = scene_.scene.posed(pair.b, scene_.poses);
    for (const fitup::IntersectionLine& line : fitup::intersectionLines(first, second, pair.report)) {
      const std::array<fitup::TriangleId, 2> triangles{line.triangles.a, line.triangles.b};
      Place place;
      for (std::size_t side = 0; side < 2; ++side)
        place[side] = {
            nodes[side],
            parts[side]
                ->surfacesBeside(parts[side]->getCollisionModel()->mesh().surfaceOf(triangles[side]))
                .first};
      if (limit_ == osgUtil::Intersector::LIMIT_ONE_PER_DRAWABLE && !seen.insert(place).second) continue;
      Interference& hit = interferences_.emplace_back();
      hit.common = line.common;
      for (std::size_t side = 0; side < 2; ++side) {
        const auto surface = parts[side]->getCollisionModel()->mesh().surfaceOf(triangles[side]);
        hit.sides[side] = {drawables.of(nodes[side], surface), parts[side]->primitiveIndexOf(triangles[side]),
                           triangles[side]};
      }
    }
  }
}

}  // namespace osgFitup

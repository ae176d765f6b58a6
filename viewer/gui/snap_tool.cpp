#include <viewer/gui/snap_tool.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include <osg/Geode>

#include <viewer/core/section_planes.h>
#include <viewer/gui/measure_text.h>
#include <viewer/gui/overlay_shapes.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

const osg::Vec4 lit(1.0F, 0.55F, 0.0F, 1);
/// A mouse move waits no longer for the edges of a part; those of most parts are found sooner.
constexpr std::chrono::milliseconds patience(15);

}  // namespace

SnapTool::SnapTool(const Document& document, const DragController& drag, const ScenePresenter& presenter)
    : document_(document), drag_(drag), presenter_(presenter), node_(new osg::Group) {
  drawOverEverything(*node_);
}

SnapTool::~SnapTool() = default;

void SnapTool::clear() {
  show(std::nullopt);
  parts_.clear();
}

std::shared_ptr<const CollisionModel> SnapTool::modelOf(NodeId instance) const {
  const Scene& scene = document_.session()->scene();
  return scene.collisionModel(scene.assembly().partOf(instance));
}

const SnapShapes* SnapTool::shapesOf(const std::shared_ptr<const CollisionModel>& model) {
  const auto [entry, isNew] = parts_.try_emplace(model);
  Part& part = entry->second;
  if (isNew) part.found = std::async(std::launch::async, [model] { return snapShapes(model->mesh()); });
  if (!part.shapes && part.found.valid() && part.found.wait_for(patience) == std::future_status::ready)
    part.shapes = part.found.get();
  return part.shapes ? &*part.shapes : nullptr;
}

std::optional<SnapPoint> SnapTool::at(const Camera& camera, PicturePoint point, double reach) {
  const Session* session = document_.session();
  if (session == nullptr) return std::nullopt;
  const Scene& scene = session->scene();
  Poses poses = session->poses();
  poses.set(drag_.poses());
  std::vector<SnapInstance> near;
  for (const NodeId node : session->assembly().instances()) {
    if (session->state().hidden.contains(node)) continue;
    if (!isInReach(camera, point, reach, scene.worldBounds(node, poses))) continue;
    const auto model = modelOf(node);
    if (const SnapShapes* shapes = shapesOf(model))
      near.push_back({node, &model->mesh(), shapes, scene.worldFromPart(node, poses)});
  }
  SnapRequest request;
  request.at = point;
  request.reach = reach;
  request.instances = near;
  request.firstHit = [this](const Ray& ray) {
    const auto pick = presenter_.pick(ray);
    return pick ? pick->distance : std::numeric_limits<double>::infinity();
  };
  request.isCutAway = [session](const Vec3& world) { return isCutAway(session->state().sections, world); };
  return snapAt(camera, request);
}

bool SnapTool::show(const std::optional<SnapPoint>& snap) {
  const bool isSame = snap && shown_ ? snap->isSameShape(*shown_) : snap.has_value() == shown_.has_value();
  if (isSame) return false;
  shown_ = snap;
  node_->removeChildren(0, node_->getNumChildren());
  if (!snap) return true;
  const auto model = modelOf(snap->instance);
  const Transform worldFromPart = drag_.worldFromPart(snap->instance);
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  if (snap->kind != SnapKind::corner) {
    std::vector<Vec3> line;
    for (const std::uint32_t point : parts_.at(model).shapes->edges[snap->edge].points)
      line.push_back(worldFromPart.apply(model->mesh().pointInPart(point)));
    geode->addDrawable(makeShape(line, GL_LINE_STRIP, lit));
  }
  if (snap->kind != SnapKind::edge) {
    const Vec3 dot[] = {snap->point};
    geode->addDrawable(makePoints(dot, lit));
  }
  node_->addChild(geode);
  return true;
}

QString SnapTool::textOf(const SnapPoint& snap) const {
  const Session& session = *document_.session();
  const Assembly& assembly = session.assembly();
  return shown(assembly.path(snap.instance)) + QStringLiteral("   ") +
         snapText(snap.kind, snap.circle, drag_.worldFromPart(snap.instance), document_.lengthUnit());
}

MeasureTarget SnapTool::targetOf(const SnapPoint& snap) {
  MeasureTarget target{snap.instance};
  if (snap.kind == SnapKind::edge) {
    const auto model = modelOf(snap.instance);
    Part& part = parts_.at(model);
    auto& edge = part.edges[snap.edge];
    if (!edge) edge = modelOfEdge(model->mesh(), part.shapes->edges[snap.edge]);
    target.edge = edge;
    target.circle = snap.circle;
    return target;
  }
  target.surface = snap.face;
  target.pointInPart = snap.pointInPart;
  target.isCorner = snap.kind == SnapKind::corner;
  if (snap.kind == SnapKind::centre) target.circle = snap.circle;
  return target;
}

GizmoPivot SnapTool::pivotOf(const SnapPoint& snap) const {
  if (snap.kind == SnapKind::corner) return {snap.instance, snap.pointInPart};
  const auto model = modelOf(snap.instance);
  const SnapEdge& edge = parts_.at(model).shapes->edges[snap.edge];
  if (edge.circle) return {snap.instance, edge.circle->centre, edge.circle->axis};
  const auto at = [&](std::uint32_t point) { return model->mesh().pointInPart(point); };
  const Vec3 from = at(edge.points.front()), way = at(edge.points.back()) - from;
  const double length = norm(way);
  constexpr double straight = 1e-4;
  const bool isStraight = length > 0 && std::ranges::all_of(edge.points, [&](std::uint32_t point) {
                            return norm(cross(at(point) - from, way)) <= straight * length * length;
                          });
  if (!isStraight) return {snap.instance, snap.pointInPart};
  return {snap.instance, snap.pointInPart, way * (1 / length)};
}

}  // namespace fitup::viewer

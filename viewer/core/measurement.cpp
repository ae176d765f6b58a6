#include <viewer/core/measurement.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/distance.h>
#include <viewer/core/placed_surface.h>

namespace fitup::viewer {
namespace {

/// The unbounded point, line or plane of a target.
struct Carrier {
  enum class Kind { none, point, line, plane } kind = Kind::none;
  Vec3 point, axis;
};

Vec3 worldPoint(const PlacedTarget& placed) { return placed.worldFromPart.apply(*placed.target.pointInPart); }

Carrier carrierOf(const PlacedTarget& placed, const std::optional<SurfaceDescription>& shape) {
  if (placed.target.pointInPart) return {Carrier::Kind::point, worldPoint(placed), {}};
  if (!shape) return {};
  switch (shape->kind) {
    case SurfaceKind::plane:
      return {Carrier::Kind::plane, shape->point, shape->axis};
    case SurfaceKind::sphere:
      return {Carrier::Kind::point, shape->point, {}};
    default:
      return {Carrier::Kind::line, shape->point, shape->axis};
  }
}

/// In [0, pi / 2].
double acuteAngle(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), std::abs(dot(a, b))); }

double distanceFromAxis(const Vec3& point, const Carrier& line) {
  return norm(cross(point - line.point, line.axis));
}

/// Precondition: a.kind <= b.kind, and neither kind is none.
void relate(const Carrier& a, const Carrier& b, MeasuredValue& value) {
  using Kind = Carrier::Kind;
  const auto tell = [&](ShapePair shapes, double distance) {
    value.shapes = shapes;
    value.shapeDistance = distance;
  };
  const Vec3 between = b.point - a.point;
  if (a.kind == Kind::point) {
    if (b.kind == Kind::point) return tell(ShapePair::points, norm(between));
    if (b.kind == Kind::line) return tell(ShapePair::pointAndAxis, distanceFromAxis(a.point, b));
    return tell(ShapePair::pointAndPlane, std::abs(dot(between, b.axis)));
  }
  value.angle = acuteAngle(a.axis, b.axis);
  const bool parallel = *value.angle <= parallelWithin;
  if (a.kind == Kind::line && b.kind == Kind::line)
    return tell(ShapePair::axes, parallel ? distanceFromAxis(a.point, b)
                                          : std::abs(dot(between, normalized(cross(a.axis, b.axis)))));
  if (a.kind == Kind::plane) {
    if (parallel) tell(ShapePair::planes, std::abs(dot(between, b.axis)));
    return;
  }
  // The angle between an axis and a plane is a right angle minus that between the axis and the normal.
  value.angle = std::atan2(std::abs(dot(a.axis, b.axis)), norm(cross(a.axis, b.axis)));
  if (*value.angle <= parallelWithin) tell(ShapePair::axisAndPlane, std::abs(dot(between, b.axis)));
}

struct Nearest {
  double distance = 0;
  Vec3 first, second;
};

std::optional<Nearest> nearestOf(const Vec3& point, const PlacedTarget& to, const Progress& progress) {
  struct Visitor final : TreeVisitor {
    Visitor(const Vec3& p, const PlacedTarget& t, const Progress& g)
        : point(p),
          surface(t.target.surface),
          tree(PlacedTree::inWorld(t.model, t.worldFromPart)),
          progress(g) {}
    double bound(const NodeBox& box) override { return minimumDistance(box, NodeBox{.centre = point}); }
    void visit(std::span<const TriangleId> triangles) override {
      if (progress.cancelled()) limit = -std::numeric_limits<double>::infinity();
      for (const TriangleId id : triangles) {
        if (surface && tree.model().mesh().surfaceOf(id) != *surface) continue;
        const ClosestPoints found = distancePointTriangle(point, tree.triangle(id));
        if (!(found.distance < limit)) continue;
        limit = found.distance;
        nearest = Nearest{found.distance, point, found.onB};
      }
    }
    const Vec3& point;
    std::optional<SurfaceId> surface;
    PlacedTree tree;
    const Progress& progress;
    std::optional<Nearest> nearest;
  } visitor(point, to, progress);
  visitTree(visitor.tree, visitor);
  return progress.cancelled() ? std::nullopt : visitor.nearest;
}

std::optional<Nearest> nearestOf(const PlacedTarget& a, const PlacedTarget& b, const Progress& progress) {
  if (a.target.pointInPart && b.target.pointInPart) {
    const Vec3 p = worldPoint(a), q = worldPoint(b);
    return Nearest{norm(q - p), p, q};
  }
  if (a.target.pointInPart) return nearestOf(worldPoint(a), b, progress);
  if (b.target.pointInPart) {
    const auto found = nearestOf(worldPoint(b), a, progress);
    return found ? std::optional(Nearest{found->distance, found->second, found->first}) : std::nullopt;
  }
  const PosedModel posedA{a.model, a.worldFromPart}, posedB{b.model, b.worldFromPart};
  DistanceRequest request;
  request.limits.cancel = progress.stopToken();
  QueryContext context;
  std::optional<Nearest> nearest;
  const auto take = [&](const DistanceReport& report) {
    if (report.status == ReportStatus::complete && report.nearest)
      nearest = Nearest{report.nearest->distance, report.nearest->pointA, report.nearest->pointB};
  };
  if (!a.target.surface && !b.target.surface) {
    take(distance(posedA, posedB, request, context));
    return nearest;
  }
  // For a face and a whole part: measured against each face of the part, up to the least distance so far.
  const auto facesOf = [](const PlacedTarget& placed) {
    std::vector<SurfaceId> faces;
    if (placed.target.surface) return std::vector{*placed.target.surface};
    for (std::uint32_t s = 0; s < placed.model->mesh().surfaces().size(); ++s) faces.push_back(SurfaceId{s});
    return faces;
  };
  for (const SurfaceId s : facesOf(a))
    for (const SurfaceId t : facesOf(b)) {
      if (progress.cancelled()) return std::nullopt;
      take(distance(posedA, posedB, {s, t}, request, context));
      if (nearest) request.ignoreBeyond = nearest->distance;
    }
  return nearest;
}

std::optional<SurfaceDescription> shapeOf(const PlacedTarget& placed) {
  if (!placed.target.surface) return std::nullopt;
  return placedSurface(placed.model->mesh(), *placed.target.surface, placed.worldFromPart).shape;
}

}  // namespace

MeasuredValue measure(const MeasureQuestion& question, const Progress& progress) {
  MeasuredValue value;
  try {
    const PlacedTarget& first = question.first;
    value.firstShape = shapeOf(first);
    if (!question.second) return value;
    const PlacedTarget& second = *question.second;
    value.secondShape = shapeOf(second);
    const MeasureTarget &a = first.target, &b = second.target;
    const bool points = a.pointInPart || b.pointInPart;
    if (a.instance == b.instance && !points && (a.surface == b.surface || !a.surface || !b.surface)) {
      value.unclear = a.surface && b.surface   ? "both sides are the same face"
                      : a.surface || b.surface ? "the face belongs to the part"
                                               : "both sides are the same part";
      return value;
    }
    Carrier from = carrierOf(first, value.firstShape), to = carrierOf(second, value.secondShape);
    if (to.kind < from.kind) std::swap(from, to);
    if (from.kind != Carrier::Kind::none) relate(from, to, value);
    if (const auto nearest = nearestOf(first, second, progress)) {
      value.distance = nearest->distance;
      value.firstPoint = nearest->first;
      value.secondPoint = nearest->second;
    } else {
      value.unclear = progress.cancelled() ? "cancelled" : "one of the two has no triangles";
    }
  } catch (const Error& error) {
    value.unclear = error.what();
  }
  return value;
}

std::vector<MeasuredValue> Measurer::measure(const std::vector<MeasureQuestion>& questions,
                                             const Progress& progress) {
  std::vector<MeasuredValue> values;
  for (const MeasureQuestion& question : questions) {
    const auto known = std::ranges::find(questions_, question);
    values.push_back(known != questions_.end() ? values_[static_cast<std::size_t>(known - questions_.begin())]
                                               : viewer::measure(question, progress));
  }
  if (!progress.cancelled()) {
    questions_ = questions;
    values_ = values;
  }
  return values;
}

}  // namespace fitup::viewer

#include <viewer/core/measurement.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/resolved_verdict.h>
#include <viewer/core/placed_surface.h>

namespace fitup::viewer {
namespace {

/// The unbounded point, line or plane of a target.
struct Carrier {
  enum class Kind { none, point, line, plane } kind = Kind::none;
  Vec3 point, axis;
  ShapeAccuracy accuracy;
};

Vec3 worldPoint(const PlacedTarget& placed) { return placed.worldFromPart.apply(*placed.target.pointInPart); }
PosedModel posed(const PlacedTarget& placed) { return {placed.model, placed.worldFromPart}; }

/// The chord error of the face of a target; for a whole part, the largest one.
double chordErrorOf(const PlacedTarget& placed) {
  return placed.target.surface ? chordErrorInWorld(posed(placed), *placed.target.surface)
                               : largestChordError(posed(placed));
}

/// By how much a point may be off, besides chord errors.
double uncertaintyOf(const PlacedTarget& placed) {
  if (!placed.target.pointInPart || !placed.target.circle) return 0;
  return fitup::placed(ShapeAccuracy{placed.target.circle->error, 0}, placed.worldFromPart).length;
}

Carrier carrierOf(const PlacedTarget& placed, const std::optional<SurfaceDescription>& shape,
                  const ShapeAccuracy& accuracy) {
  if (placed.target.pointInPart) {
    const double rounding = coordinateRounding(placed.model->mesh(), placed.worldFromPart);
    return {Carrier::Kind::point,
            worldPoint(placed),
            {},
            {chordErrorOf(placed) + uncertaintyOf(placed) + rounding, 0}};
  }
  if (!shape) return {};
  switch (shape->kind) {
    case SurfaceKind::plane:
      return {Carrier::Kind::plane, shape->point, shape->axis, accuracy};
    case SurfaceKind::sphere:
      return {Carrier::Kind::point, shape->point, {}, accuracy};
    default:
      return {Carrier::Kind::line, shape->point, shape->axis, accuracy};
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
  const Vec3 between = b.point - a.point;
  const double ofPoints = a.accuracy.length + b.accuracy.length;
  // Directions that are off by `angle` move the other end of `between` by that much.
  const auto tell = [&](ShapePair shapes, double distance, double angle) {
    value.shapes = shapes;
    value.shapeDistance = distance;
    value.shapeDistanceError = ofPoints + angle * norm(between);
  };
  if (a.kind == Kind::point) {
    if (b.kind == Kind::point) return tell(ShapePair::points, norm(between), 0);
    if (b.kind == Kind::line)
      return tell(ShapePair::pointAndAxis, distanceFromAxis(a.point, b), b.accuracy.angle);
    return tell(ShapePair::pointAndPlane, std::abs(dot(between, b.axis)), b.accuracy.angle);
  }
  value.angle = acuteAngle(a.axis, b.axis);
  const double ofAxes = value.angleError = a.accuracy.angle + b.accuracy.angle;
  const bool parallel = *value.angle <= parallelWithin;
  if (a.kind == Kind::line && b.kind == Kind::line) {
    if (parallel) return tell(ShapePair::axes, distanceFromAxis(a.point, b), ofAxes);
    // The common perpendicular turns faster than the axes, the more parallel these are.
    return tell(ShapePair::axes, std::abs(dot(between, normalized(cross(a.axis, b.axis)))),
                ofAxes / std::sin(*value.angle));
  }
  if (a.kind == Kind::plane) {
    if (parallel) tell(ShapePair::planes, std::abs(dot(between, b.axis)), ofAxes);
    return;
  }
  // The angle between an axis and a plane is a right angle minus that between the axis and the normal.
  value.angle = std::atan2(std::abs(dot(a.axis, b.axis)), norm(cross(a.axis, b.axis)));
  if (*value.angle <= parallelWithin) tell(ShapePair::axisAndPlane, std::abs(dot(between, b.axis)), ofAxes);
}

struct Nearest {
  double distance = 0;
  Vec3 first, second;
};

/// The nearest point of a face or part, if it is at most `within` away.
std::optional<Nearest> nearestOf(const Vec3& point, const PlacedTarget& to, double within,
                                 const Progress& progress) {
  struct Visitor final : TreeVisitor {
    Visitor(const Vec3& p, const PlacedTarget& t, double w, const Progress& g)
        : point(p),
          surface(t.target.surface),
          tree(PlacedTree::inWorld(t.model, t.worldFromPart)),
          progress(g) {
      limit = w;
    }
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
  } visitor(point, to, within, progress);
  visitTree(visitor.tree, visitor);
  return progress.cancelled() ? std::nullopt : visitor.nearest;
}

/// The nearest points of two targets, if they are at most `within` apart.
std::optional<Nearest> nearestOf(const PlacedTarget& a, const PlacedTarget& b, double within,
                                 const Progress& progress) {
  if (a.target.pointInPart && b.target.pointInPart) {
    const Vec3 p = worldPoint(a), q = worldPoint(b);
    return Nearest{norm(q - p), p, q};
  }
  if (a.target.pointInPart) return nearestOf(worldPoint(a), b, within, progress);
  if (b.target.pointInPart) {
    const auto found = nearestOf(worldPoint(b), a, within, progress);
    return found ? std::optional(Nearest{found->distance, found->second, found->first}) : std::nullopt;
  }
  const PosedModel posedA = posed(a), posedB = posed(b);
  DistanceRequest request;
  if (within < std::numeric_limits<double>::infinity()) request.ignoreBeyond = within;
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

/// The largest chord error of the faces of `whole`, a part, that may be as near to `other` as `distance`.
double chordErrorNear(const PlacedTarget& whole, const PlacedTarget& other, double distance,
                      const Progress& progress) {
  const double error = chordErrorOf(other);
  std::vector<std::pair<double, SurfaceId>> faces;
  for (std::uint32_t s = 0; s < whole.model->mesh().surfaces().size(); ++s)
    faces.emplace_back(chordErrorInWorld(posed(whole), SurfaceId{s}), SurfaceId{s});
  std::ranges::sort(faces, std::greater<>{});
  PlacedTarget face = whole;
  for (const auto& [own, surface] : faces) {
    face.target.surface = surface;
    if (own == 0 || nearestOf(face, other, distance + own + error, progress)) return own;
  }
  return 0;
}

DistanceError errorOf(const PlacedTarget& a, const PlacedTarget& b, double distance,
                      const Progress& progress) {
  const auto isWhole = [](const PlacedTarget& placed) {
    return !placed.target.surface && !placed.target.pointInPart;
  };
  const PosedModel first = posed(a), second = posed(b);
  if (isWhole(a) && isWhole(b)) {
    QueryLimits limits;
    limits.cancel = progress.stopToken();
    QueryContext context;
    return fitup::distanceError(first, second, distance, limits, context);
  }
  DistanceError error{std::nullopt, lengthRounding(first, second) + uncertaintyOf(a) + uncertaintyOf(b)};
  if (a.model->mesh().deflection() && b.model->mesh().deflection())
    error.chordError = (isWhole(a) ? chordErrorNear(a, b, distance, progress) : chordErrorOf(a)) +
                       (isWhole(b) ? chordErrorNear(b, a, distance, progress) : chordErrorOf(b));
  return error;
}

PlacedSurface describe(const PlacedTarget& placed) {
  if (!placed.target.surface) return {};
  return placedSurface(placed.model->mesh(), *placed.target.surface, placed.worldFromPart);
}

}  // namespace

MeasuredValue measure(const MeasureQuestion& question, const Progress& progress) {
  MeasuredValue value;
  try {
    const PlacedTarget& first = question.first;
    const PlacedSurface firstFace = describe(first);
    value.firstShape = firstFace.shape;
    value.firstAccuracy = firstFace.accuracy;
    value.firstMiddle = firstFace.centroid;
    value.firstSize = std::sqrt(firstFace.area);
    if (!question.second) {
      value.isOneFace = first.target.surface && !first.target.pointInPart;
      return value;
    }
    const PlacedTarget& second = *question.second;
    const PlacedSurface secondFace = describe(second);
    value.secondShape = secondFace.shape;
    value.secondAccuracy = secondFace.accuracy;
    value.secondMiddle = secondFace.centroid;
    const MeasureTarget &a = first.target, &b = second.target;
    const bool points = a.pointInPart || b.pointInPart;
    if (a.instance == b.instance && (a.edge || b.edge)) {
      if (a.edge == b.edge) value.unclear = "both sides are the same edge";
      const auto isPart = [](const MeasureTarget& t) { return !t.edge && !t.surface; };
      if (isPart(a) || isPart(b)) value.unclear = "the edge belongs to the part";
      if (!value.unclear.empty()) return value;
    } else if (a.instance == b.instance && !points && (a.surface == b.surface || !a.surface || !b.surface)) {
      value.unclear = a.surface && b.surface   ? "both sides are the same face"
                      : a.surface || b.surface ? "the face belongs to the part"
                                               : "both sides are the same part";
      value.isOneFace = a.surface && b.surface;
      return value;
    }
    Carrier from = carrierOf(first, value.firstShape, value.firstAccuracy),
            to = carrierOf(second, value.secondShape, value.secondAccuracy);
    if (to.kind < from.kind) std::swap(from, to);
    if (from.kind != Carrier::Kind::none) relate(from, to, value);
    if (const auto nearest = nearestOf(first, second, std::numeric_limits<double>::infinity(), progress)) {
      value.distance = nearest->distance;
      value.distanceError = errorOf(first, second, nearest->distance, progress);
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

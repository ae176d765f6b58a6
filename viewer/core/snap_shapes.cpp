#include <viewer/core/snap_shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include <viewer/core/drawn_edges.h>

namespace fitup::viewer {
namespace {

constexpr double leastRoundness =
    1e-3;  ///< of the radius; larger accepts arcs that are shorter or less round
const double smoothCosine = std::cos(30.001 * std::numbers::pi / 180);

/// The points of an edge, a closed one without its last point.
std::vector<Vec3> distinctPoints(std::span<const Vec3> points) {
  std::vector<Vec3> distinct;
  for (const Vec3& point : points)
    if (distinct.empty() || !(point == distinct.back())) distinct.push_back(point);
  if (distinct.size() > 1 && distinct.front() == distinct.back()) distinct.pop_back();
  return distinct;
}

std::optional<EdgeCircle> accepted(EdgeCircle circle) {
  const bool isRound = circle.radius > 0 && circle.error <= leastRoundness * circle.radius;
  return isRound ? std::optional(circle) : std::nullopt;
}

/// The circle about the axis of a cylinder or cone on which all points lie.
std::optional<EdgeCircle> circleAbout(const SurfaceDescription& face, std::span<const Vec3> points,
                                      double rounding) {
  if (face.kind != SurfaceKind::cylinder && face.kind != SurfaceKind::cone) return std::nullopt;
  const auto heightOf = [&](const Vec3& point) { return dot(point - face.point, face.axis); };
  double height = 0;
  for (const Vec3& point : points) height += heightOf(point) / static_cast<double>(points.size());
  EdgeCircle circle{face.point + height * face.axis, face.axis, 0, 0};
  for (const Vec3& point : points)
    circle.radius += norm(cross(point - circle.centre, face.axis)) / static_cast<double>(points.size());
  double off = 0;
  for (const Vec3& point : points) {
    const double radial = norm(cross(point - circle.centre, face.axis)) - circle.radius;
    off = std::max(off, std::hypot(radial, heightOf(point) - height));
  }
  circle.error = off + rounding;
  return accepted(circle);
}

/// Least squares in the plane of the points: of |p - c|^2 - r^2, which is linear in c and r^2 - |c|^2 (Kasa,
/// 1976). For points that are nearly on a circle, that is as good as of distances.
std::optional<EdgeCircle> fittedCircle(std::span<const Vec3> points, double rounding) {
  const auto count = static_cast<double>(points.size());
  Vec3 middle, normal;
  for (const Vec3& point : points) middle = middle + point * (1 / count);
  double length = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 &from = points[i], &to = points[(i + 1) % points.size()];
    normal = normal + cross(from - middle, to - middle);
    length = std::max(length, norm(from - middle));
  }
  if (!(norm(normal) > 1e-6 * length * length)) return std::nullopt;
  normal = normalized(normal);
  const auto [u, v] = orthonormalBasis(normal);
  double uu = 0, uv = 0, vv = 0, us = 0, vs = 0, s = 0;
  for (const Vec3& point : points) {
    const double x = dot(point - middle, u), y = dot(point - middle, v), square = x * x + y * y;
    uu += x * x, uv += x * y, vv += y * y, us += x * square, vs += y * square, s += square / count;
  }
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-12 * uu * uu)) return std::nullopt;
  const double x = (us * vv - vs * uv) / (2 * determinant), y = (vs * uu - us * uv) / (2 * determinant);
  EdgeCircle circle{middle + u * x + v * y, normal, std::sqrt(s + x * x + y * y), 0};
  double off = 0, widest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 arm = points[i] - circle.centre;
    off = std::max(off, std::hypot(norm(cross(arm, normal)) - circle.radius, dot(arm, normal)));
    const Vec3 next = points[(i + 1) % points.size()] - circle.centre;
    const double step = std::atan2(dot(cross(arm, next), normal), dot(arm, next));
    widest = std::max(widest, step < 0 ? step + 2 * std::numbers::pi : step);
  }
  // The arc is what is left beside the widest gap. The centre of a short one moves by more than its points.
  const double half = std::numbers::pi - widest / 2;
  circle.error = (off + rounding) / std::min(1.0, 1 - std::cos(half));
  return accepted(circle);
}

/// Segments joined to curves.
class Chains {
 public:
  Chains(const TriangleMesh& mesh, std::span<const EdgeSegment> segments) : mesh_(mesh), segments_(segments) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
      at_[segments[i].first].push_back(i);
      at_[segments[i].second].push_back(i);
    }
    used_.resize(segments.size());
  }

  std::vector<std::vector<std::uint32_t>> join() {
    std::vector<std::vector<std::uint32_t>> curves;
    for (const auto& [point, around] : at_)
      if (isEnd(point))
        for (const std::size_t segment : around)
          if (!used_[segment]) curves.push_back(follow(point, segment));
    // What is left are closed curves without a corner.
    for (std::size_t i = 0; i < segments_.size(); ++i)
      if (!used_[i]) curves.push_back(follow(segments_[i].first, i));
    return curves;
  }

 private:
  [[nodiscard]] std::uint32_t otherEnd(std::size_t segment, std::uint32_t point) const {
    return segments_[segment].first == point ? segments_[segment].second : segments_[segment].first;
  }
  [[nodiscard]] bool isEnd(std::uint32_t point) const {
    const auto& around = at_.at(point);
    if (around.size() != 2) return true;
    const Vec3 here = mesh_.pointInPart(point);
    const Vec3 in = here - mesh_.pointInPart(otherEnd(around[0], point)),
               out = mesh_.pointInPart(otherEnd(around[1], point)) - here;
    return !(dot(in, out) >= smoothCosine * norm(in) * norm(out));
  }
  std::vector<std::uint32_t> follow(std::uint32_t point, std::size_t segment) {
    std::vector<std::uint32_t> curve{point};
    while (true) {
      used_[segment] = true;
      point = otherEnd(segment, point);
      curve.push_back(point);
      if (point == curve.front() || isEnd(point)) return curve;
      const auto& around = at_.at(point);
      segment = around[0] == segment ? around[1] : around[0];
    }
  }

  const TriangleMesh& mesh_;
  std::span<const EdgeSegment> segments_;
  std::map<std::uint32_t, std::vector<std::size_t>> at_;  ///< by point
  std::vector<bool> used_;
};

std::vector<SnapEdge> edgesOfCreases(const TriangleMesh& mesh) {
  std::vector<SurfaceId> faceOf(mesh.points().size());
  for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t)
    for (const std::uint32_t point : mesh.triangles()[t]) faceOf[point] = mesh.surfaceOf(TriangleId{t});
  const std::vector<EdgeSegment> segments = drawnEdges(mesh);
  std::vector<SnapEdge> edges;
  for (auto& points : Chains(mesh, segments).join()) {
    const SurfaceId face = faceOf[points.front()];
    edges.push_back({std::move(points), face, std::nullopt});
  }
  return edges;
}

bool isSameCircle(const EdgeCircle& a, const EdgeCircle& b) {
  const double within = std::max(a.error + b.error, leastRoundness * a.radius);
  return norm(a.centre - b.centre) <= within && std::abs(a.radius - b.radius) <= within;
}

/// The ends of edges, except those in the middle of a rim that is drawn in two arcs: a bore that consists of
/// two faces has a seam there, which nobody sees as a corner.
std::vector<SnapCorner> cornersOf(const TriangleMesh& mesh, const std::vector<SnapEdge>& edges) {
  struct End {
    const SnapEdge* edge;
    std::uint32_t next;  ///< the point of the edge beside the end
  };
  std::map<std::uint32_t, std::vector<End>> ends;
  for (const SnapEdge& edge : edges) {
    if (edge.isClosed()) continue;
    ends[edge.points.front()].push_back({&edge, edge.points[1]});
    ends[edge.points.back()].push_back({&edge, edge.points[edge.points.size() - 2]});
  }
  std::set<EdgeSegment> creases;  // made when needed
  const auto isCrease = [&](std::uint32_t a, std::uint32_t b) {
    if (creases.empty()) {
      const std::vector<EdgeSegment> all = creasesOf(mesh);
      creases.insert(all.begin(), all.end());
    }
    return creases.contains(std::minmax(a, b));
  };
  std::vector<SnapCorner> corners;
  for (const auto& [point, around] : ends) {
    const auto arc =
        std::ranges::find_if(around, [](const End& end) { return end.edge->circle.has_value(); });
    const auto isOfRim = [&](const End& end) {
      return end.edge->circle && isSameCircle(*end.edge->circle, *arc->edge->circle);
    };
    const bool isInRim = arc != around.end() && std::ranges::count_if(around, isOfRim) == 2 &&
                         std::ranges::none_of(around, [&, at = point](const End& end) {
                           return !isOfRim(end) && isCrease(at, end.next);
                         });
    if (!isInRim) corners.push_back({point, around.front().edge->face});
  }
  return corners;
}

}  // namespace

std::optional<EdgeCircle> circleThrough(std::span<const Vec3> given, double rounding,
                                        std::span<const SurfaceDescription> faces) {
  const std::vector<Vec3> points = distinctPoints(given);
  if (points.size() >= 3)
    for (const SurfaceDescription& face : faces)
      if (auto circle = circleAbout(face, points, rounding)) return circle;
  // Fewer points are on a circle by chance.
  return points.size() >= 5 ? fittedCircle(points, rounding) : std::nullopt;
}

SnapShapes snapShapes(const TriangleMesh& mesh) {
  SnapShapes shapes;
  const Box bounds = mesh.boundsInPart();
  double largest = 0;
  for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(bounds.min[i]), std::abs(bounds.max[i])});
  const double rounding = std::max(mesh.validation().largestRounding, std::ldexp(largest, -24));
  const auto recognise = [&](SnapEdge& edge, std::initializer_list<std::optional<SurfaceId>> faces) {
    std::vector<Vec3> points;
    for (const std::uint32_t point : edge.points) points.push_back(mesh.pointInPart(point));
    std::vector<SurfaceDescription> known;
    for (const auto& face : faces)
      if (face && mesh.surfaces()[index(*face)].description)
        known.push_back(*mesh.surfaces()[index(*face)].description);
    edge.circle = circleThrough(points, rounding, known);
  };
  for (const FeatureEdge& edge : mesh.featureEdges()) {
    if (edge.first == edge.second) continue;
    const auto points = mesh.edgePoints(edge);
    shapes.edges.push_back({{points.begin(), points.end()}, edge.face(), std::nullopt});
    recognise(shapes.edges.back(), {edge.face(), edge.otherFace()});
  }
  if (mesh.featureEdges().empty()) {
    shapes.edges = edgesOfCreases(mesh);
    for (SnapEdge& edge : shapes.edges) recognise(edge, {edge.face});
  }
  shapes.corners = cornersOf(mesh, shapes.edges);
  return shapes;
}

std::shared_ptr<const CollisionModel> modelOfEdge(const TriangleMesh& mesh, const SnapEdge& edge) {
  std::vector<TriangleIndices> segments;
  std::vector<std::uint32_t> sources;
  for (std::size_t i = 1; i < edge.points.size(); ++i) {
    segments.push_back({edge.points[i - 1], edge.points[i], edge.points[i]});
    sources.push_back(static_cast<std::uint32_t>(i - 1));
  }
  TriangleMesh::Data data;
  data.name = mesh.name();
  data.origin = mesh.origin();
  data.points = mesh.data().points;
  Surface surface;
  surface.triangleCount = static_cast<std::uint32_t>(segments.size());
  surface.chordError = mesh.chordErrorOf(edge.face);
  data.surfaces = {surface};
  data.triangles = SharedArray(std::move(segments));
  data.sourceTriangles = SharedArray(std::move(sources));
  data.deflection = mesh.deflection();
  data.validation = mesh.validation();
  return CollisionModel::build(std::make_shared<const TriangleMesh>(std::move(data)));
}

}  // namespace fitup::viewer

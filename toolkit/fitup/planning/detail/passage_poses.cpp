#include <fitup/planning/detail/passage_poses.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fitup/base/error.h>
#include <fitup/scene/face_mates.h>

namespace fitup::detail {
namespace {

/// An opening counts if its radius is that of what moves, times a number from one over this to this.
constexpr double mostRatio = 3;
constexpr std::size_t mostOpenings = 24;
/// Axes and points of axes that are this near, in radians and in radii, are one.
constexpr double sameAxis = 1e-3;

/// A line through what moves, and what its points are about it.
struct Line {
  Vec3 point;  ///< halfway between its ends along the line
  Vec3 direction;
  double halfLength = 0, radius = 0;
};

struct Opening {
  Vec3 middle, direction;
  double halfLength = 0, radius = 0;
};

std::vector<Vec3> pointsOf(const Scene& scene, NodeId node, const Poses& poses) {
  const Transform world = scene.worldFromPart(node, poses);
  const TriangleMesh& mesh = scene.assembly().meshOf(node);
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i) points.push_back(world.apply(mesh.pointInPart(i)));
  return points;
}

Line lineThrough(const Vec3& point, const Vec3& direction, std::span<const Vec3> points) {
  double low = std::numeric_limits<double>::infinity(), high = -low, radius = 0;
  for (const Vec3& p : points) {
    const double along = dot(p - point, direction);
    low = std::min(low, along);
    high = std::max(high, along);
    radius = std::max(radius, norm(p - point - along * direction));
  }
  return {point + (low + high) / 2 * direction, direction, (high - low) / 2, radius};
}

bool isSameAxis(const Vec3& point, const Vec3& direction, const Vec3& otherPoint, const Vec3& otherDirection,
                double radius) {
  return norm(cross(direction, otherDirection)) < sameAxis &&
         norm(cross(otherPoint - point, direction)) < sameAxis * radius;
}

/// The opening that a surface bounds, if it is round and its triangles face its axis.
std::optional<Opening> openingOf(const TriangleMesh& mesh, std::uint32_t surface, const Transform& world) {
  const auto face = matableFace(mesh, SurfaceId{surface}, world);
  if (!face || (face->shape.kind != SurfaceKind::cylinder && face->shape.kind != SurfaceKind::cone))
    return std::nullopt;
  const Vec3 axis = normalized(face->shape.axis);
  Opening opening{face->middle, axis, 0, std::numeric_limits<double>::infinity()};
  double facing = 0;
  const Surface& s = mesh.surfaces()[surface];
  for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    const std::array corners{world.apply(mesh.pointInPart(t[0])), world.apply(mesh.pointInPart(t[1])),
                             world.apply(mesh.pointInPart(t[2]))};
    for (const Vec3& corner : corners) {
      const Vec3 from = corner - face->middle;
      const double along = dot(from, axis);
      opening.halfLength = std::max(opening.halfLength, std::abs(along));
      opening.radius = std::min(opening.radius, norm(from - along * axis));
    }
    const Vec3 from = (1.0 / 3) * (corners[0] + corners[1] + corners[2]) - face->middle;
    facing += dot(cross(corners[1] - corners[0], corners[2] - corners[0]), from - dot(from, axis) * axis);
  }
  if (world.determinant() < 0) facing = -facing;
  if (facing >= 0) return std::nullopt;
  return opening;
}

MatableFace axisFace(const Vec3& point, const Vec3& direction, double radius) {
  SurfaceDescription shape;
  shape.kind = SurfaceKind::cylinder;
  shape.point = point;
  shape.axis = direction;
  shape.radius = radius;
  return {shape, point, {}};
}

}  // namespace

std::vector<RigidMotion> passagePoses(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                                      std::span<const WayAxis> axes, const Progress& progress) {
  std::vector<Vec3> points;
  for (const NodeId node : moved) {
    const std::vector<Vec3> some = pointsOf(scene, node, poses);
    points.insert(points.end(), some.begin(), some.end());
  }
  if (points.empty()) return {};
  Box box;
  for (const Vec3& p : points) box.extend(p);
  std::vector<Line> lines;
  for (const WayAxis& axis : axes) lines.push_back(lineThrough(axis.point, axis.direction, points));
  const Transform frame = scene.worldFromPart(moved.front(), poses);
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
    const Line line = lineThrough(box.centre(), normalized(frame.applyToVector(axis)), points);
    if (std::ranges::none_of(lines, [&](const Line& known) {
          return isSameAxis(known.point, known.direction, line.point, line.direction, line.radius);
        }))
      lines.push_back(line);
  }
  double thinnest = std::numeric_limits<double>::infinity();
  for (const Line& line : lines) thinnest = std::min(thinnest, line.radius);

  std::vector<Opening> openings;
  for (const NodeId node : scene.instances()) {
    if (std::ranges::find(moved, node) != moved.end()) continue;
    const TriangleMesh& mesh = scene.assembly().meshOf(node);
    const Transform world = scene.worldFromPart(node, poses);
    for (std::uint32_t i = 0; i < mesh.surfaces().size(); ++i) {
      if (progress.cancelled()) throw CancelledError();
      const std::optional<Opening> opening = openingOf(mesh, i, world);
      if (!opening || opening->radius < thinnest / mostRatio) continue;
      if (std::ranges::none_of(openings, [&](const Opening& known) {
            return isSameAxis(known.middle, known.direction, opening->middle, opening->direction,
                              opening->radius) &&
                   norm(known.middle - opening->middle) < 0.5 * known.halfLength;
          }))
        openings.push_back(*opening);
    }
  }

  struct Fit {
    double misfit;
    const Opening* opening;
    const Line* line;
  };
  std::vector<Fit> fits;
  for (const Opening& opening : openings)
    for (const Line& line : lines) {
      const double misfit = std::abs(std::log(opening.radius / std::max(line.radius, 1e-12)));
      if (misfit < std::log(mostRatio)) fits.push_back({misfit, &opening, &line});
    }
  std::ranges::stable_sort(fits, {}, &Fit::misfit);
  if (fits.size() > mostOpenings) fits.resize(mostOpenings);
  std::vector<RigidMotion> found;
  for (const Fit& fit : fits)
    for (const FaceMate& mate :
         faceMates(axisFace(fit.line->point, fit.line->direction, fit.line->radius),
                   axisFace(fit.opening->middle, fit.opening->direction, fit.opening->radius))) {
      const Vec3 middle = mate.motion.apply(fit.line->point);
      for (const double end : {0.0, 1.0, -1.0}) {
        const Vec3 place = fit.opening->middle + end *
                                                     (fit.opening->halfLength + 0.5 * fit.line->halfLength) *
                                                     fit.opening->direction;
        found.push_back({rotationOf(mate.motion), mate.motion.t + (place - middle)});
      }
    }
  return found;
}

}  // namespace fitup::detail

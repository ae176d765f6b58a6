#include <viewer/core/gizmo.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fitup::viewer {
namespace {

constexpr int ringSegments = 64;
// As shares of the gizmo's size.
constexpr double ringRadius = 0.72, squareNear = 0.24, squareFar = 0.42;

int axisNumber(GizmoHandle handle) { return static_cast<int>(handle) % 3; }

double distanceToSegment(PicturePoint p, PicturePoint a, PicturePoint b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double s = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - (a.x + s * dx), p.y - (a.y + s * dy));
}

/// Returns the nearest multiple of a step; the value itself for a step of 0.
double snapped(double value, double step) { return step > 0 ? std::round(value / step) * step : value; }

/// Returns the point where the ray meets the plane; empty if it is nearly parallel to it or leads away.
std::optional<Vec3> meet(const Ray& ray, const Vec3& point, const Vec3& normal) {
  const double along = dot(ray.direction, normal);
  if (std::abs(along) < 1e-3) return std::nullopt;
  const double t = dot(point - ray.from, normal) / along;
  if (!(t > 0)) return std::nullopt;
  return ray.at(t);
}

/// Whether a convex polygon contains a point in the picture; its last corner repeats the first one.
bool isWithin(const Camera& camera, const std::vector<Vec3>& polygon, PicturePoint point) {
  bool isLeft = false, isRight = false;
  for (std::size_t i = 0; i + 1 < polygon.size(); ++i) {
    const auto from = camera.project(polygon[i]), to = camera.project(polygon[i + 1]);
    if (!from || !to) return false;
    const double side = (to->x - from->x) * (point.y - from->y) - (to->y - from->y) * (point.x - from->x);
    (side > 0 ? isLeft : isRight) = true;
  }
  return isLeft != isRight;
}

}  // namespace

GizmoAxes axesAbout(const Vec3& axis) noexcept {
  const auto [u, v] = orthonormalBasis(axis);
  return {u, v, axis};
}

GizmoAxes axesOf(const Transform& worldFromPart) noexcept {
  const Vec3 x = normalized(worldFromPart.applyToVector({1, 0, 0}));
  const Vec3 y = worldFromPart.applyToVector({0, 1, 0});
  const Vec3 across = normalized(y - x * dot(x, y));
  return {x, across, cross(x, across)};
}

Quaternion turnAboutAxes(const Vec3& degrees) {
  const double radian = std::numbers::pi / 180;
  return axisAngle({0, 0, 1}, degrees.z * radian) *
         (axisAngle({0, 1, 0}, degrees.y * radian) * axisAngle({1, 0, 0}, degrees.x * radian));
}

const Vec3& Gizmo::axisOf(GizmoHandle handle) const noexcept {
  return axes[static_cast<std::size_t>(axisNumber(handle))];
}

std::vector<Vec3> Gizmo::outline(GizmoHandle handle) const {
  if (handle == GizmoHandle::centre) return {centre};
  const auto axis = static_cast<std::size_t>(axisNumber(handle));
  const Vec3 &u = axes[(axis + 1) % 3], &v = axes[(axis + 2) % 3];
  if (movesAcross(handle)) {
    const double near = squareNear * size, far = squareFar * size;
    return {centre + u * near + v * near, centre + u * far + v * near, centre + u * far + v * far,
            centre + u * near + v * far, centre + u * near + v * near};
  }
  if (!turns(handle)) return {centre, centre + axes[axis] * size};
  std::vector<Vec3> ring;
  for (int i = 0; i <= ringSegments; ++i) {
    const double angle = 2 * std::numbers::pi * i / ringSegments;
    ring.push_back(centre + (u * std::cos(angle) + v * std::sin(angle)) * (ringRadius * size));
  }
  return ring;
}

std::optional<GizmoHandle> Gizmo::handleAt(const Camera& camera, PicturePoint point, double reach) const {
  const auto middle = camera.project(centre);
  if (middle && std::hypot(point.x - middle->x, point.y - middle->y) <= reach) return GizmoHandle::centre;
  std::optional<GizmoHandle> found;
  double least = std::numeric_limits<double>::infinity();
  for (const GizmoHandle handle : allGizmoHandles) {
    if (handle == GizmoHandle::centre) continue;
    if (found && !turns(*found) && (turns(handle) || movesAcross(handle))) break;
    const std::vector<Vec3> line = outline(handle);
    if (movesAcross(handle)) {
      if (isWithin(camera, line, point)) return handle;
      continue;
    }
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      const auto distance = pictureDistance(camera, line[i], line[i + 1], point);
      if (!distance || *distance > reach || *distance >= least) continue;
      least = *distance;
      found = handle;
    }
  }
  return found;
}

std::optional<double> pictureDistance(const Camera& camera, const Vec3& from, const Vec3& to,
                                      PicturePoint point) {
  const auto a = camera.project(from), b = camera.project(to);
  if (!a || !b) return std::nullopt;
  return distanceToSegment(point, *a, *b);
}

GizmoDrag::GizmoDrag(GizmoHandle handle, const Gizmo& gizmo, const Camera& camera, const Ray& start)
    : GizmoDrag(turns(handle)                                          ? Way::ring
                : movesAcross(handle) || handle == GizmoHandle::centre ? Way::plane
                                                                       : Way::axis,
                gizmo.centre, handle == GizmoHandle::centre ? camera.forward() : gizmo.axisOf(handle)) {
  steps_ = gizmo.axes;
  if (way_ == Way::plane)
    centre_ = meet(start, centre_, axis_).value_or(centre_);
  else
    start_ = (way_ == Way::ring ? angle(start) : alongAxis(start)).value_or(0);
}

GizmoDrag GizmoDrag::along(const Vec3& centre, const Vec3& axis, const Ray& start) {
  GizmoDrag drag(Way::axis, centre, axis);
  drag.start_ = drag.alongAxis(start).value_or(0);
  return drag;
}

GizmoDrag GizmoDrag::inPlane(const Vec3& grabbed, const Vec3& normal) {
  return {Way::plane, grabbed, normalized(normal)};
}

std::optional<double> GizmoDrag::alongAxis(const Ray& ray) const {
  // The point of the axis nearest to the ray.
  const double b = dot(axis_, ray.direction), across = 1 - b * b;
  if (across < 1e-4) return std::nullopt;
  const Vec3 w = centre_ - ray.from;
  return (b * dot(ray.direction, w) - dot(axis_, w)) / across;
}

std::optional<double> GizmoDrag::angle(const Ray& ray) const {
  const std::optional<Vec3> point = meet(ray, centre_, axis_);
  if (!point) return std::nullopt;
  const auto [u, v] = orthonormalBasis(axis_);
  const Vec3 arm = *point - centre_;
  return std::atan2(dot(arm, v), dot(arm, u));
}

const RigidMotion& GizmoDrag::moveTo(const Ray& ray, const GizmoSteps& steps) {
  switch (way_) {
    case Way::plane:
      if (const auto point = meet(ray, centre_, axis_)) {
        const Vec3 shift = *point - centre_;
        motion_ = {};
        for (const Vec3& way : steps_)
          motion_.translation = motion_.translation + way * snapped(dot(way, shift), steps.distance);
      }
      break;
    case Way::axis:
      if (const auto s = alongAxis(ray)) moveBy(snapped(*s - start_, steps.distance));
      break;
    case Way::ring:
      if (const auto now = angle(ray)) {
        // The turn nearest to the last one, so that a drag may exceed a full turn.
        turned_ += std::remainder(*now - start_ - turned_, 2 * std::numbers::pi);
        moveBy(snapped(turned_ * 180 / std::numbers::pi, steps.degrees));
      }
      break;
  }
  return motion_;
}

const RigidMotion& GizmoDrag::moveBy(double value) {
  if (way_ == Way::ring) {
    turn_ = AxisTurn{centre_, axis_, value, 0};
    motion_ = turn_->at(1);
  } else {
    motion_ = {{}, axis_ * value};
  }
  return motion_;
}

double GizmoDrag::valueOf(const RigidMotion& motion) const {
  if (way_ == Way::axis) return dot(motion.translation, axis_);
  const Vec3 imaginary{motion.rotation.x, motion.rotation.y, motion.rotation.z};
  const double degrees = 2 * std::atan2(dot(imaginary, axis_), motion.rotation.w) * 180 / std::numbers::pi;
  const double last = turn_ ? turn_->degrees : 0;
  return last + std::remainder(degrees - last, 360.0);
}

}  // namespace fitup::viewer

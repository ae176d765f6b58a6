#include <viewer/core/gizmo.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fitup::viewer {
namespace {

constexpr int ringSegments = 64;
constexpr double ringRadius = 0.72;  // as a share of the gizmo's size

int axisNumber(GizmoHandle handle) { return static_cast<int>(handle) % 3; }

double distanceToSegment(PicturePoint p, PicturePoint a, PicturePoint b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double s = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - (a.x + s * dx), p.y - (a.y + s * dy));
}

/// Returns the nearest multiple of a step; the value itself for a step of 0.
double snapped(double value, double step) { return step > 0 ? std::round(value / step) * step : value; }

/// Returns two unit vectors perpendicular to a unit axis, right-handed with it.
std::pair<Vec3, Vec3> acrossOf(const Vec3& axis) {
  const int most = std::abs(axis.x) > std::abs(axis.y)   ? (std::abs(axis.x) > std::abs(axis.z) ? 0 : 2)
                   : std::abs(axis.y) > std::abs(axis.z) ? 1
                                                         : 2;
  Vec3 other;
  other[(most + 1) % 3] = 1;
  const Vec3 u = normalized(other - axis * dot(axis, other));
  return {u, cross(axis, u)};
}

/// Returns the point where the ray meets the plane; empty if it is nearly parallel to it or leads away.
std::optional<Vec3> meet(const Ray& ray, const Vec3& point, const Vec3& normal) {
  const double along = dot(ray.direction, normal);
  if (std::abs(along) < 1e-3) return std::nullopt;
  const double t = dot(point - ray.from, normal) / along;
  if (!(t > 0)) return std::nullopt;
  return ray.at(t);
}

}  // namespace

Vec3 axisOf(GizmoHandle handle) noexcept {
  Vec3 axis;
  axis[axisNumber(handle)] = 1;
  return axis;
}

std::vector<Vec3> Gizmo::outline(GizmoHandle handle) const {
  if (!turns(handle)) return {centre, centre + axisOf(handle) * size};
  const auto [u, v] = acrossOf(axisOf(handle));
  std::vector<Vec3> ring;
  for (int i = 0; i <= ringSegments; ++i) {
    const double angle = 2 * std::numbers::pi * i / ringSegments;
    ring.push_back(centre + (u * std::cos(angle) + v * std::sin(angle)) * (ringRadius * size));
  }
  return ring;
}

std::optional<GizmoHandle> Gizmo::handleAt(const Camera& camera, PicturePoint point, double reach) const {
  std::optional<GizmoHandle> found;
  double least = std::numeric_limits<double>::infinity();
  for (const GizmoHandle handle : allGizmoHandles) {
    if (found && !turns(*found) && turns(handle)) break;
    const std::vector<Vec3> line = outline(handle);
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

GizmoDrag::GizmoDrag(GizmoHandle handle, const Vec3& centre, const Ray& start)
    : GizmoDrag(turns(handle) ? Way::ring : Way::axis, centre, axisOf(handle)) {
  start_ = (turns(handle) ? angle(start) : alongAxis(start)).value_or(0);
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
  const auto [u, v] = acrossOf(axis_);
  const Vec3 arm = *point - centre_;
  return std::atan2(dot(arm, v), dot(arm, u));
}

const RigidMotion& GizmoDrag::moveTo(const Ray& ray, const GizmoSteps& steps) {
  switch (way_) {
    case Way::plane:
      if (const auto point = meet(ray, centre_, axis_)) {
        Vec3 shift = *point - centre_;
        for (int i = 0; i < 3; ++i) shift[i] = snapped(shift[i], steps.distance);
        motion_ = {{}, shift};
      }
      break;
    case Way::axis:
      if (const auto s = alongAxis(ray)) motion_ = {{}, axis_ * snapped(*s - start_, steps.distance)};
      break;
    case Way::ring:
      if (const auto now = angle(ray)) {
        // The turn nearest to the last one, so that a drag may exceed a full turn.
        turned_ += std::remainder(*now - start_ - turned_, 2 * std::numbers::pi);
        turn_ = AxisTurn{centre_, axis_, snapped(turned_ * 180 / std::numbers::pi, steps.degrees), 0};
        motion_ = turn_->at(1);
      }
      break;
  }
  return motion_;
}

}  // namespace fitup::viewer

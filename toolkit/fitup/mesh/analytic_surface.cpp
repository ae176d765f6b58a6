#include <fitup/mesh/analytic_surface.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fitup/geometry/distance_point_triangle.h>

namespace fitup {
namespace {

/// Points at which a bound by tangents is tried: the middles of the edges and of the triangle.
std::array<Vec3, 4> middlesOf(const Triangle& t) {
  return {0.5 * (t.v[0] + t.v[1]), 0.5 * (t.v[1] + t.v[2]), 0.5 * (t.v[2] + t.v[0]),
          (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2])};
}

}  // namespace

std::optional<AnalyticSurface> AnalyticSurface::of(const SurfaceDescription& description) {
  if (!isFinite(description)) return std::nullopt;
  AnalyticSurface surface;
  surface.kind_ = description.kind;
  surface.point_ = description.point;
  surface.radius_ = description.radius;
  const double length = norm(description.axis);
  if (length > 0) surface.axis_ = (1 / length) * description.axis;
  const bool hasAxis = length > 0;
  switch (description.kind) {
    case SurfaceKind::plane:
      if (!hasAxis) return std::nullopt;
      return surface;
    case SurfaceKind::cylinder:
      if (!hasAxis || !(description.radius > 0)) return std::nullopt;
      return surface;
    case SurfaceKind::cone:
      if (!hasAxis || !(description.radius >= 0) || !(description.halfAngle > 0) ||
          !(description.halfAngle < 0.499 * std::numbers::pi))
        return std::nullopt;
      surface.slope_ = std::tan(description.halfAngle);
      surface.cosine_ = std::cos(description.halfAngle);
      return surface;
    case SurfaceKind::sphere:
      if (!(description.radius > 0)) return std::nullopt;
      return surface;
    case SurfaceKind::torus:
      if (!hasAxis || !(description.secondRadius > 0) || !(description.radius > description.secondRadius))
        return std::nullopt;
      surface.minor_ = description.secondRadius;
      return surface;
    case SurfaceKind::unknown:
    case SurfaceKind::revolution:
    case SurfaceKind::extrusion:
    case SurfaceKind::freeform:
      break;
  }
  return std::nullopt;
}

/// From the axis to the point.
Vec3 AnalyticSurface::radial(const Vec3& point) const noexcept {
  const Vec3 from = point - point_;
  return from - dot(from, axis_) * axis_;
}

double AnalyticSurface::distance(const Vec3& point) const noexcept {
  const double along = dot(point - point_, axis_);
  switch (kind_) {
    case SurfaceKind::plane:
      return along;
    case SurfaceKind::cylinder:
      return norm(radial(point)) - radius_;
    case SurfaceKind::cone:
      return cosine_ * (norm(radial(point)) - radius_ - slope_ * along);
    case SurfaceKind::torus:
      return std::hypot(norm(radial(point)) - radius_, along) - minor_;
    default:
      return norm(point - point_) - radius_;
  }
}

Vec3 AnalyticSurface::normal(const Vec3& point) const noexcept {
  const auto unit = [&](const Vec3& v) {
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : Vec3{};
  };
  Vec3 result;
  switch (kind_) {
    case SurfaceKind::plane:
      return axis_;
    case SurfaceKind::cylinder:
      result = unit(radial(point));
      break;
    case SurfaceKind::cone:
      result = cosine_ * (unit(radial(point)) - slope_ * axis_);
      break;
    case SurfaceKind::torus:
      result = unit(point - point_ - radius_ * unit(radial(point)));
      break;
    default:
      result = unit(point - point_);
      break;
  }
  const double length = norm(result);
  return length > 0.5 ? (1 / length) * result : orthonormalBasis(axis_).first;
}

double AnalyticSurface::deviation(const Triangle& triangle) const noexcept {
  double most = -std::numeric_limits<double>::infinity();
  std::array<double, 3> at{};
  for (std::size_t k = 0; k < 3; ++k) {
    at[k] = distance(triangle.v[k]);
    most = std::max(most, at[k]);
  }
  if (kind_ == SurfaceKind::plane) return std::max(std::abs(most), -std::min({at[0], at[1], at[2]}));
  if (kind_ == SurfaceKind::torus) {
    // The distance from the axis is convex. Where it were linear, the triangle would be one in the plane of
    // distance and height, in which the torus is a circle.
    std::array<double, 3> around{};
    Triangle flat;
    for (std::size_t k = 0; k < 3; ++k) {
      around[k] = norm(radial(triangle.v[k]));
      flat.v[k] = {around[k] - radius_, dot(triangle.v[k] - point_, axis_), 0};
    }
    double bend = std::numeric_limits<double>::infinity();
    for (const Vec3& middle : middlesOf(triangle)) {
      const Vec3 across = radial(middle);
      const double length = norm(across);
      double here = 0;
      for (std::size_t k = 0; k < 3; ++k)
        here = std::max(here,
                        around[k] - length - (length > 0 ? dot(across, triangle.v[k] - middle) / length : 0));
      bend = std::min(bend, here);
    }
    // Off the circle's top and bottom, less of the bend counts.
    const double nearest = distancePointTriangle({}, flat).distance;
    double aside = bend;
    for (const Vec3& corner : flat.v) aside = std::max(aside, std::abs(corner.x) + bend);
    const double share = nearest > bend ? std::min(1.0, aside / (nearest - bend)) : 1;
    return std::max(most, minor_ - nearest) + share * bend;
  }
  if (kind_ == SurfaceKind::cone)
    for (const Vec3& corner : triangle.v)
      if (radius_ + slope_ * dot(corner - point_, axis_) < -1e-9 * (1 + radius_))
        return std::numeric_limits<double>::infinity();
  // The distance is convex, so the largest one is that of a corner, and a tangent is below all of them.
  double least = -std::numeric_limits<double>::infinity();
  for (const Vec3& middle : middlesOf(triangle)) {
    const double here = distance(middle);
    const Vec3 across = kind_ == SurfaceKind::sphere ? middle - point_ : radial(middle);
    const double length = norm(across);
    Vec3 slope = length > 0 ? (1 / length) * across : Vec3{};
    if (kind_ == SurfaceKind::cone) slope = cosine_ * (slope - slope_ * axis_);
    double below = std::numeric_limits<double>::infinity();
    for (const Vec3& corner : triangle.v) below = std::min(below, here + dot(slope, corner - middle));
    least = std::max(least, below);
  }
  return std::max({most, -least, 0.0});
}

}  // namespace fitup

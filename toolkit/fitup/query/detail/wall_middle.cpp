#include <fitup/query/detail/wall_middle.h>

#include <algorithm>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/query/detail/equally_near.h>

namespace fitup::detail {

std::optional<ClosestPoint> WallMiddle::closest(const Vec3& p) {
  const auto nearest = boundary_.closest(p, 1.25 * t_, hint_);
  if (nearest) hint_ = nearest->triangle;
  return nearest;
}

bool WallMiddle::isInside(const Vec3& p) {
  const PointSide side = inside_.side(p, body_.watertightness());
  return side == PointSide::inside || (unknownIsInside_ && side == PointSide::unknown);
}

const std::vector<TriangleId>& WallMiddle::near(const Vec3& p, double within) {
  boundary_.near({{p, p, p}}, within, near_);
  return near_;
}

std::optional<MiddlePoint> WallMiddle::at(const Vec3& p, const ClosestPoint& nearest) {
  if (!(nearest.distance > least_) || nearest.distance > t_ * (1 + equallyNear)) return std::nullopt;
  const double within = nearest.distance * (1 + equallyNear);
  const Vec3 way = nearest.point - p;
  const bool isOpposed = std::ranges::any_of(near(p, within), [&](TriangleId id) {
    const ClosestPoints other = distancePointTriangle(p, boundary().triangle(id));
    return other.distance <= within &&
           dot(other.onB - p, way) <= oppositeWays * other.distance * nearest.distance;
  });
  if (!isOpposed || !isInside(p)) return std::nullopt;
  return MiddlePoint{p, nearest.point, nearest.distance};
}

}  // namespace fitup::detail

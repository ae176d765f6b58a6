#pragma once

#include <optional>

#include <fitup/query/posed_body.h>

namespace fitup::detail {

/// A point inside two bodies.
struct CommonPoint {
  Vec3 point;      ///< in the world
  double depth;    ///< distance from the nearer of the two surfaces, world units
  Vec3 direction;  ///< unit, from `point` to the nearest point of that surface
};

/// A point that lies deeper than `deeperThan` inside both of two closed bodies that coincide, as a part does
/// that stands twice in one place: then no point of either *surface* lies deep in the other body. Only looked
/// where the boxes of both agree within `deeperThan`. Samples rays from some triangles of both inward, so the
/// depth is a lower bound. Does not depend on the order of the bodies.
std::optional<CommonPoint> commonPoint(const PosedBody& first, const PosedBody& second, double deeperThan);

}  // namespace fitup::detail

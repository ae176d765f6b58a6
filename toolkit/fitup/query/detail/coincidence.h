#pragma once

#include <optional>

#include <fitup/query/posed_body.h>

namespace fitup::detail {

/// A point inside two bodies.
struct CommonPoint {
  Vec3 point;      ///< in the world
  double depth;    ///< distance from the nearer of the two surfaces, world units
  Vec3 direction;  ///< unit, from `point` to the nearest point of the second body's surface
};

/// A point that lies deeper than `deeperThan` inside both of two closed bodies that coincide, as a part does
/// that stands twice in one place: then no point of either *surface* lies deep in the other body. Only looked
/// for where the boxes of both agree within `deeperThan`; nothing for placements that are not rigid or
/// mirrored. Samples rays from some triangles inward, so the depth is a lower bound.
std::optional<CommonPoint> commonPoint(const PosedBody& first, const PosedBody& second, double deeperThan);

}  // namespace fitup::detail

#pragma once

#include <functional>
#include <optional>

#include <fitup/geometry/transform.h>
#include <fitup/query/detail/wall_middle.h>

namespace fitup::detail {

struct EnclosedMiddle {
  std::optional<MiddlePoint> found;
  bool limited = false;  ///< ended after too many pieces: nothing is certain
};

/// Looks for a point of the middle of a wall of `body` inside `around`, such as that of a sheet that lies in
/// another sheet. Where the surface of `around` meets the middle, `findPiercing` finds it by following that
/// surface.
///
/// Examines the flat pieces halfway between each two opposed triangles (`Walls::opposed`) that have feet on
/// both. A piece is dropped if other triangles are nearer everywhere, or if it is outside `around`; else it
/// is halved, down to the share by which boundary points count as equally near. Middles between reflex edges
/// or corners alone are not examined.
EnclosedMiddle findEnclosedMiddle(const SolidModel& body, WallMiddle& middle, const SolidModel& around,
                                  const Transform& aroundFromBody, const std::function<bool()>& stop);

}  // namespace fitup::detail

#pragma once

#include <cstddef>
#include <optional>

#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/detail/convex_polygon.h>

namespace fitup::detail {

/// Flat pieces that are cut again and again have at most this many corners; those with more are halved.
inline constexpr std::size_t mostCutCorners = 6;

/// Returns the plane that parts a flat piece best into what lies over one place of a target's surface and
/// what does not: along the border of a flat or round surface that the piece lies over (`SurfacePatches`),
/// otherwise along a side of `facing`, the triangle of the target nearest to the piece. The best one leaves
/// most on its smaller side. Empty if none parts the piece. In the target's local frame; `useful` is the
/// largest distance that counts as over.
std::optional<SurfacePatches::Plane> cutFacing(const ConvexPolygon& piece, const SolidModel& target,
                                               const Triangle& facing, double useful);

}  // namespace fitup::detail

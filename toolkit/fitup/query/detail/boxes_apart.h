#pragma once

#include <optional>

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// Bounds what the coordinates of a part's placed box are sums of.
double magnitudeOf(const PosedModel& posed) noexcept;

/// True only if the boxes of two parts, each in the axes of its part, are certainly apart along an axis of
/// either or one across both, so that no placed triangles can meet. Says no where that cannot be judged so:
/// placements that are not rigid or mirrored, numbers that are not finite or too large, meshes without
/// triangles. (`placeUnlessApart` tells the same for less where B is to be placed in A anyway.)
bool boxesApartAlongAxes(const PosedModel& a, const PosedModel& b) noexcept;
/// True only if the boxes are certainly apart along the connection of their centres, under the same
/// conditions, for less: tells most pairs of an assembly.
bool apartAlongCentres(const PosedModel& a, const PosedModel& b) noexcept;
/// A direction of the world, of unit length or less, along which they are far apart; none where neither of
/// these says so.
std::optional<Vec3> directionApart(const PosedModel& a, const PosedModel& b) noexcept;
/// True only if the boxes are certainly apart along this direction of unit length or less, under the same
/// conditions. Costs a third of what asking all axes does; parts that are dragged past each other stay apart
/// along one direction for long.
bool apartAlong(const PosedModel& a, const PosedModel& b, const Vec3& direction) noexcept;

}  // namespace fitup::detail

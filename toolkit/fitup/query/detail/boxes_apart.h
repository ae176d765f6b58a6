#pragma once

#include <optional>

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// Bounds what the coordinates of a part's placed box are sums of.
double magnitudeOf(const PosedModel& posed) noexcept;

/// True only if the boxes of two parts, each in the axes of its part, are certainly apart, so that no placed
/// triangles can meet. Says no where that cannot be judged so: placements that are not rigid or mirrored,
/// numbers that are not finite or too large, meshes without triangles. Costs a tenth of the least query that
/// follows, or half of that where the connection of the centres tells; most pairs of an assembly need no
/// more.
bool boxesApart(const PosedModel& a, const PosedModel& b) noexcept;
/// The same without a look at the connection of the centres: for those who have asked `apartAlongCentres`.
bool boxesApartAlongAxes(const PosedModel& a, const PosedModel& b) noexcept;
/// True only if the boxes are certainly apart along the connection of their centres, under the same
/// conditions, which tells most parts that are well apart.
bool apartAlongCentres(const PosedModel& a, const PosedModel& b) noexcept;
/// A direction of the world, of unit length or less, along which they are far apart; none where `boxesApart`
/// says no.
std::optional<Vec3> directionApart(const PosedModel& a, const PosedModel& b) noexcept;
/// True only if the boxes are certainly apart along this direction of unit length or less, under the same
/// conditions. Costs a third of `boxesApart` where that asks all axes; parts that are dragged past each other
/// stay apart along one direction for long.
bool apartAlong(const PosedModel& a, const PosedModel& b, const Vec3& direction) noexcept;

}  // namespace fitup::detail

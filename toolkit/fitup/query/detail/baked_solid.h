#pragma once

#include <memory>

#include <fitup/query/posed_solid.h>

namespace fitup::detail {

/// Whether a pair is looked into through copies of both bodies: where the placement of one is neither rigid
/// nor mirrored.
bool needsBakedSolids(const PosedSolid& first, const PosedSolid& second) noexcept;

/// The body as it lies in the world, with the same triangle and surface ids and the identity as placement.
/// Its points are rounded to storage.
std::shared_ptr<const SolidModel> bakedSolid(const PosedSolid& body);
/// How far that rounding moves a point at most, without making the copy.
double bakedRounding(const PosedSolid& body);

}  // namespace fitup::detail

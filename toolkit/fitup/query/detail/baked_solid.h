#pragma once

#include <memory>

#include <fitup/query/posed_solid.h>

namespace fitup::detail {

/// Returns true if a pair is tested through copies of both bodies, because one placement is neither rigid nor
/// mirrored.
bool needsBakedSolids(const PosedSolid& first, const PosedSolid& second) noexcept;

/// Copies the body into the world. The copy has the same triangle and surface ids and the identity as its
/// placement. Its points are rounded to storage.
std::shared_ptr<const SolidModel> bakedSolid(const PosedSolid& body);
/// Bounds how far that rounding moves a point, without making the copy.
double bakedRounding(const PosedSolid& body);

}  // namespace fitup::detail

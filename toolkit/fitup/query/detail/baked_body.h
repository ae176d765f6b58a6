#pragma once

#include <memory>

#include <fitup/query/posed_body.h>

namespace fitup::detail {

/// Whether a pair is looked into through copies of both bodies: where the placement of one is neither rigid
/// nor mirrored.
bool needsBakedBodies(const PosedBody& first, const PosedBody& second) noexcept;

/// The body as it lies in the world, with the same triangle and surface ids and the identity as placement.
/// Its points are rounded to storage.
std::shared_ptr<const BodyModel> bakedBody(const PosedBody& body);
/// How far that rounding moves a point at most, without making the copy.
double bakedRounding(const PosedBody& body);

}  // namespace fitup::detail

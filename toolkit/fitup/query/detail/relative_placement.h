#pragma once

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// Places the local coordinates of B in those of A, with the bits of `Transform::inverse` and the products
/// after it (architecture, section 4.2), by vectors. False where that takes plain code: processors without
/// vectors of four doubles, placements of A that are not rigid or mirrored up to rounding, one and the same
/// placement of both, and whatever lies outside limits.h, or is not a number.
bool placeRelatively(const PosedModel& a, const PosedModel& b, Transform& aFromB) noexcept;

}  // namespace fitup::detail

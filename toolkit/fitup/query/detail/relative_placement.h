#pragma once

#include <fitup/query/posed_model.h>

namespace fitup::detail {

enum class Relation {
  unknown,  ///< that takes plain code
  placed,   ///< `aFromB` is set
  apart,    ///< the boxes, each in the axes of its part, are certainly apart; nothing is set
};

/// Places the local coordinates of B in those of A, with the bits of `Transform::inverse` and the products
/// after it (architecture, section 4.2), by vectors. Plain code is taken on processors without vectors of
/// four doubles, for placements of A that are not rigid or mirrored up to rounding, one and the same
/// placement of both, and whatever lies outside limits.h, or is not a number.
Relation placeRelatively(const PosedModel& a, const PosedModel& b, Transform& aFromB) noexcept;
/// The same, and asks whether the boxes are apart: for less than `boxesApartAlongAxes`, as the axes of B are
/// known in those of A. Where nothing is known that has to be asked.
Relation placeUnlessApart(const PosedModel& a, const PosedModel& b, Transform& aFromB) noexcept;

}  // namespace fitup::detail

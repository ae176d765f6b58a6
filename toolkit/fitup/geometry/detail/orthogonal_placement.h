#pragma once

#include <fitup/geometry/pair_placement.h>

namespace fitup::detail {

/// Up to so large entries of transpose(m) * m - 1 the transpose is as good as an inverse that is computed.
inline constexpr double largestOffTransposed = 0x1p-46;

/// Sets what follows from `placement.aFromB`, with the bits of `PairPlacement::of`, by vectors. False, and
/// nothing is set, where that takes plain code: processors without vectors of four doubles, placements whose
/// transpose is not as good as their inverse, empty boxes, and what is not finite.
bool placeOrthogonally(const Aabb& boundsInB, PairPlacement& placement) noexcept;

}  // namespace fitup::detail

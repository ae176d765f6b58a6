#pragma once

#include <fitup/geometry/pair_placement.h>

namespace fitup::detail {

/// `PairPlacement::of`, with its bits and its errors: by vectors where the processor has some of four doubles
/// and the transpose is taken for the inverse.
PairPlacement placementOf(const Transform& aFromB, const Aabb& boundsInB);

}  // namespace fitup::detail

#pragma once

#include <fitup/geometry/pair_placement.h>
#include <fitup/hierarchy/detail/wide_task.h>

namespace fitup::detail {

/// Sets reaches and bounds of a query that was just made, with the bits of `prepareWideQuery`, by vectors.
/// False where that takes plain code: processors without vectors of four doubles, empty boxes, and sizes that
/// do not suit a vector triangle test. Precondition: the placement is orthogonal.
bool boundOrthogonally(const Aabb& boundsOfA, const Aabb& boundsOfB, const PairPlacement& placement,
                       WideQuery& query) noexcept;

}  // namespace fitup::detail

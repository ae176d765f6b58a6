#pragma once

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// True only if the boxes of two parts, each in the axes of its part, are certainly apart, so that no placed
/// triangles can meet. Says no where that cannot be judged so: placements that are not rigid or mirrored,
/// numbers that are not finite or too large, meshes without triangles. Costs a tenth of the least query that
/// follows; most pairs of an assembly need no more.
bool boxesApart(const PosedModel& a, const PosedModel& b) noexcept;

}  // namespace fitup::detail

#pragma once

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// True only if the boxes of two parts, each in the axes of its part, are certainly apart, so that no placed
/// triangles can meet. Says no where that cannot be judged so: placements that are not rigid or mirrored,
/// numbers that are not finite or too large, meshes without triangles. Costs a tenth of the least query that
/// follows; most pairs of an assembly need no more.
bool boxesApart(const PosedModel& a, const PosedModel& b) noexcept;
/// By how much at least, in the world; not above 0 where `boxesApart` says no. More than `enough` is not
/// looked for.
float gapBetweenBoxes(const PosedModel& a, const PosedModel& b, float enough) noexcept;

}  // namespace fitup::detail

#pragma once

#include <cstddef>

#include <fitup/base/progress.h>
#include <fitup/planning/detail/covered_cells.h>
#include <fitup/planning/swept_volume.h>

namespace fitup::detail {

/// Makes the inner surface of a motion (docs/explanation/swept-volumes.md). Halves the pieces of the motion
/// anew. `accuracy` is e; `balls` are those of the outer surface. Adds to `queries`. Throws CancelledError.
InnerVolume makeInnerVolume(SweptMotion& motion, double accuracy, const OutsideBalls& balls, unsigned threads,
                            const Progress& progress, std::size_t& queries);

}  // namespace fitup::detail

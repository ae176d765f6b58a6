#pragma once

#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// The oracle: every triangle against every triangle in the pair's placed coordinates, no boxes, no
/// hierarchy. Same reports as `intersect`, in O(n m). Takes mode, touching and limits from the request.
IntersectionReport bruteForce(const PosedModel& first, const PosedModel& second,
                              const IntersectionRequest& request = {});

}  // namespace fitup

#pragma once

#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// Reference answer that tests every triangle against every triangle in the placed coordinates of the pair,
/// without boxes or a hierarchy. It returns the same report as `intersect`, in O(n m) time. It uses the mode,
/// touching and limits of the request.
IntersectionReport bruteForce(const PosedModel& first, const PosedModel& second,
                              const IntersectionRequest& request = {});

}  // namespace fitup

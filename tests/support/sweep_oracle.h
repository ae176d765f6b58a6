#pragma once

#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace fitup::test {

/// Finds every intersecting pair of triangles of two posed models, by sorting their intervals along one axis
/// and sweeping; the exact test is that of CGAL. It uses nothing of the toolkit except roles and placement of
/// `PairFrame`, so it is an oracle for inputs that are too large for brute force. Returns the report of
/// `intersect` in the mode `allTrianglePairs`, without statistics.
IntersectionReport sweepOracle(const PosedModel& first, const PosedModel& second,
                               Touching touching = Touching::include);

}  // namespace fitup::test

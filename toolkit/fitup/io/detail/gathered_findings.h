#pragma once

#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// True if a matters more than b: clash before contact, then by depth, then by pairs of triangles.
bool isWorse(const ReportedFinding& a, const ReportedFinding& b);

/// Each pair of instances once, over all runs of a report, in the order of the instances in the model: a
/// finding once, as it is at its worst step (the first of these), with `steps` in a replay. A pair's status
/// is complete only if it was in every run. A pair that is no clear one but has no finding (contact without
/// intersection, one part inside the other) gets one between the whole parts (`wholePart`), with the pair's
/// id, assessment and review.
std::vector<ReportedPair> gatherPairs(const ReportDocument& report);

}  // namespace fitup::detail

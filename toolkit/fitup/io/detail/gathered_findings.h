#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/io/report_document.h>

// What is exported is for io/pictures, which is a library of its own.
namespace fitup::detail {

/// True if a matters more than b: by severity, then the deeper, the nearer, then by pairs of triangles.
FITUP_EXPORT bool isWorse(const ReportedFinding& a, const ReportedFinding& b);

/// True if a pair is no clear one and none of its findings says as much: contact without intersection, one
/// part inside the other, a clash of which the listed surfaces are no part, less than a clearance. JSON says
/// it of the pair; lists and comparisons have a finding between the whole parts for it, `wholePartsOf`. False
/// in reports of kind `diff`, which have it among the findings.
FITUP_EXPORT bool isFindingOfItsOwn(const ReportedPair& pair);

/// A pair as a finding between the whole parts (`wholePart`), with the pair's id, assessment and review.
FITUP_EXPORT ReportedFinding wholePartsOf(const ReportedPair& pair);
bool isBetweenWholeParts(const ReportedFinding& finding);

/// Each pair of instances once, over all runs of a report, in the order of the instances in the model: a
/// finding once, as it is at its worst step (the first of these), with `steps` in a replay. A pair's status
/// is complete only if it was in every run. Where a pair is a finding of its own, it is among its findings.
/// Of a replay `worstSteps` gets the step by the finding's id.
std::vector<ReportedPair> gatherPairs(const ReportDocument& report,
                                      std::unordered_map<std::string, std::size_t>* worstSteps = nullptr);

}  // namespace fitup::detail

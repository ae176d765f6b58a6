#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/io/report_document.h>

// Some functions are exported for io/pictures, which is a separate library.
namespace fitup::detail {

/// True if a is worse than b: by severity, then greater depth, smaller distance, and more pairs of triangles.
FITUP_EXPORT bool isWorse(const ReportedFinding& a, const ReportedFinding& b);

/// True if a pair is not clear and none of its findings shows its severity: contact without intersection, one
/// part inside the other, a clash that does not involve the listed surfaces, or a violated clearance. JSON
/// stores this in the pair; lists and comparisons have a finding between the whole parts for it,
/// `wholePartsOf`. False in reports of kind `diff`, which list it among the findings.
FITUP_EXPORT bool needsWholePartFinding(const ReportedPair& pair);

/// The pair as a finding between the whole parts (`wholePart`), with the pair's id, assessment and review.
FITUP_EXPORT ReportedFinding wholePartsOf(const ReportedPair& pair);
bool isBetweenWholeParts(const ReportedFinding& finding);

/// Lists each pair of instances once, over all runs of a report, in the order of the instances in the model.
/// Each finding occurs once, as at its worst step (the first of equal ones), with `steps` in a replay. A pair
/// is complete only if it was complete in every run. A pair that is a finding of its own is among its
/// findings. For a replay, `worstSteps` receives the step by finding id.
std::vector<ReportedPair> gatherPairs(const ReportDocument& report,
                                      std::unordered_map<std::string, std::size_t>* worstSteps = nullptr);

}  // namespace fitup::detail

#pragma once

#include <cstddef>

#include <fitup/io/report_document.h>

namespace FITUP_EXPORT fitup {

/// Options of a comparison of two reports.
struct CompareOptions {
  /// Largest difference of a surface that still counts as the same after its number has changed: difference
  /// of the areas over the larger area, and distance of the centroids over its square root. Larger:
  /// recognises faces that were edited more, and confuses more neighbouring faces.
  double tolerance = 0.01;
};

/// The comparison of two reports of one assembly.
struct ReportComparison {
  std::size_t isNew = 0, gone = 0, unchanged = 0, notRechecked = 0;
  std::size_t newToActOn = 0;  ///< new findings that need a correction (`needsAction`), as contacts do not
  /// The report of kind `diff`: every finding of either report, with its `change`. Findings of the new report
  /// are as in that report, with reviews carried over. The others are as in the old report; gone ones are
  /// `resolved`.
  ReportDocument diff;
  /// The new report with reviews carried over. Its `carried` holds the findings that it did not check again.
  ReportDocument carriedOver;
};

/// Finds the findings of `oldReport` in `newReport`: by id or, within a pair of instances in either order, by
/// the fingerprints of surfaces within the tolerance, best match first. A finding that is not found is
/// `notRechecked` if the new report did not check its pair completely: an instance is missing or lacks
/// geometry; a rule or the sets leave out the pair; the check of the pair was cut short; the pair does not
/// move, or the motion moves other parts or ends earlier; or only a first pair was requested. If the old
/// report listed a pair without checking it completely, additional findings of the new report are
/// `unchanged`, with this reason.
///
/// Comments and statuses carry over to unchanged findings that nobody has reviewed in the new report. The
/// statuses `new` and `resolved` become `active`, because the finding still exists. If the old result was
/// clear or contact and the new one is a clash or too near, the finding is new, with this reason, and its
/// status is `active`. If no finding of a pair shows this, the pair gets a finding between the whole parts
/// (`wholePart`). Approvals by a rule of the old report do not carry over: the rules of the new report
/// decide, at each step of a replay.
///
/// Instances that had other paths in former versions are followed (`FormerReviews`). If a product was one
/// part and is now several, the findings of its pairs are searched for in theirs. Findings that are in none
/// stay `notRechecked`, and the review of the whole pair becomes `active`.
///
/// Throws InputError for a check and a replay, for reports of kind `diff`, and for models in different units.
ReportComparison compareReports(const ReportDocument& oldReport, const ReportDocument& newReport,
                                const CompareOptions& options = {});

}  // namespace fitup

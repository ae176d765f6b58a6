#pragma once

#include <cstddef>

#include <fitup/io/report_document.h>

namespace FITUP_EXPORT fitup {

struct CompareOptions {
  /// How much a surface may differ and still be the same one after its number has changed: difference of the
  /// areas over the larger area, and distance of the centroids over the square root of it. Raising it
  /// recognises faces that were edited more, and takes more neighbours for each other.
  double tolerance = 0.01;
};

/// Two reports of one assembly compared.
struct ReportComparison {
  std::size_t isNew = 0, gone = 0, unchanged = 0, notRechecked = 0;
  /// Of kind `diff`: every finding of either report with its `change`; findings of the new report as they are
  /// there with reviews carried over, the others as they were in the old one; gone ones are `resolved`.
  ReportDocument diff;
  /// The new report with reviews carried over, and with what was not checked again kept in `carried`.
  ReportDocument carriedOver;
};

/// Finds the findings of `oldReport` in `newReport`: by their ids, else, within a pair of instances (in
/// either order), surfaces by fingerprint within the tolerance, the best match first. Of findings that are
/// not there, those are `notRechecked` whose pair the new report did not look at to the end: an instance is
/// not in the model or lacks geometry, the pair is left out by a rule or by the sets, was cut short, does not
/// move, the motion moves others or ends earlier, or only a first pair was requested. Where the old report
/// listed a pair and did not look at it to the end, what the new one has more is `unchanged`, with that as
/// its reason.
///
/// Comments and statuses carry over to unchanged findings that nobody has reviewed in the new report; a
/// status `new` or `resolved` becomes `active`, since the finding is (still) there. What was clear or contact
/// and is a clash or too near now is new, with that as its reason, and its status `active`; if no finding of
/// a pair shows it, the pair is a finding between the whole parts (`wholePart`). What a rule of the old
/// report approved does not carry over: it is the new report's rules that say so, or not, at each step of a
/// replay.
///
/// Instances that had other paths in former versions are followed (`FormerReviews`): where a product was one
/// part and is several now, the findings of its pairs are looked for in theirs; what is in none stays
/// `notRechecked`, and the review of the pair as a whole becomes `active`.
///
/// Throws InputError for a check and a replay, for reports of kind `diff`, and for models in different units.
ReportComparison compareReports(const ReportDocument& oldReport, const ReportDocument& newReport,
                                const CompareOptions& options = {});

}  // namespace fitup

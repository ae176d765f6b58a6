#pragma once

#include <string>
#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// A pair of an old report under its current paths.
struct FollowedPair {
  std::string oldId, id;
  /// Several current pairs come from one product, so the review of the product applies to none of them.
  bool isOneOfSeveral = false;
};

/// Gives pairs of an old report the paths that their parts have in a new report with these `instances` and
/// the pairs `news`, if the parts had other paths in former versions (`FormerReviews`). Findings keep their
/// ids.
///
/// If a product is now several parts, each listed pair of these becomes an old pair. It has the findings that
/// are found in it by their surfaces (`matchFindings`), and the assessment and review of the whole pair.
/// Findings that are not found stay in a pair of the old paths. Throws as `matchFindings`.
std::vector<FollowedPair> followFormerPairs(std::vector<ReportedPair>& olds,
                                            const std::vector<ReportedPair>& news,
                                            const std::vector<std::string>& instances, double tolerance);

}  // namespace fitup::detail

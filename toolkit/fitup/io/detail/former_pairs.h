#pragma once

#include <string>
#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// A pair of an old report under the paths of now.
struct FollowedPair {
  std::string oldId, id;
  /// Parts of one product are several pairs of now; what was said of the product was said of none of them.
  bool isOneOfSeveral = false;
};

/// Gives pairs of an old report the paths that their parts have in a new one with these `instances`, which
/// lists the pairs `news`, where the parts had others in former versions, as `FormerReviews` says. Findings
/// keep their ids.
///
/// Of a product that is several parts now each listed pair of these becomes an old pair, with the findings
/// that are found in it by their surfaces (`matchFindings`) and what was said of the whole pair. What is not
/// found stays in a pair of the old paths. Throws as `matchFindings`.
std::vector<FollowedPair> followFormerPairs(std::vector<ReportedPair>& olds,
                                            const std::vector<ReportedPair>& news,
                                            const std::vector<std::string>& instances, double tolerance);

}  // namespace fitup::detail

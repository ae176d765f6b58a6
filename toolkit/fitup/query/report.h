#pragma once

#include <string_view>
#include <vector>

#include <fitup/hierarchy/query_mode.h>
#include <fitup/hierarchy/query_stats.h>

namespace FITUP_EXPORT fitup {

enum class ReportStatus {
  complete,
  truncated,  ///< a limit or the time budget ended it: everything reported is true, more may exist
  cancelled,
};
std::string_view name(ReportStatus status) noexcept;

/// The answer of one query, sorted by ids.
struct IntersectionReport {
  std::vector<SurfacePair> surfacePairs;
  /// All pairs in the mode `allTrianglePairs`; else one witness for each surface pair, in the same order.
  std::vector<TrianglePair> trianglePairs;
  ReportStatus status = ReportStatus::complete;
  QueryMode mode = QueryMode::allTrianglePairs;  ///< of the request: says what `trianglePairs` lists
  QueryStats stats;

  /// Makes it the empty, complete answer to a query of this mode; keeps the memory.
  void reset(QueryMode newMode) noexcept {
    surfacePairs.clear();
    trianglePairs.clear();
    status = ReportStatus::complete;
    mode = newMode;
    stats = {};
  }
  [[nodiscard]] bool intersects() const noexcept { return !surfacePairs.empty(); }
  /// The report of the query with its arguments exchanged.
  [[nodiscard]] IntersectionReport swapped() const;
};

}  // namespace fitup

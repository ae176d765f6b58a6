#pragma once

#include <string_view>
#include <vector>

#include <fitup/hierarchy/query_mode.h>
#include <fitup/hierarchy/query_stats.h>

namespace FITUP_EXPORT fitup {

/// Says whether a report is complete.
enum class ReportStatus {
  complete,
  truncated,  ///< a limit or the time budget ended the query: everything reported is true, but there may be
              ///< more
  cancelled,
};
std::string_view name(ReportStatus status) noexcept;

/// Result of an intersection query, sorted by ids.
struct IntersectionReport {
  std::vector<SurfacePair> surfacePairs;
  /// All pairs in the mode `allTrianglePairs`. In the other modes, one witness for each surface pair, in the
  /// same order.
  std::vector<TrianglePair> trianglePairs;
  ReportStatus status = ReportStatus::complete;
  QueryMode mode = QueryMode::allTrianglePairs;  ///< mode of the request, which says what `trianglePairs`
                                                 ///< lists
  QueryStats stats;

  /// Makes this an empty, complete report of the given mode. Keeps the memory.
  void reset(QueryMode newMode) noexcept {
    surfacePairs.clear();
    trianglePairs.clear();
    status = ReportStatus::complete;
    mode = newMode;
    stats = {};
  }
  [[nodiscard]] bool intersects() const noexcept { return !surfacePairs.empty(); }
  /// Returns the report of the query with its arguments exchanged.
  [[nodiscard]] IntersectionReport swapped() const;
};

}  // namespace fitup

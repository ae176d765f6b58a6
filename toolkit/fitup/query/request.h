#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/query_mode.h>

namespace FITUP_EXPORT fitup {

/// Unset limits never stop a query.
struct QueryLimits {
  std::optional<std::size_t> maxPairs;                 ///< of surfaces or triangles, by mode
  std::optional<std::chrono::nanoseconds> timeBudget;  ///< wall clock, from the call
  std::stop_token cancel;                              ///< checked at least every few hundred triangles
};

/// What to ask. Immutable during the query.
struct IntersectionRequest {
  QueryMode mode = QueryMode::allTrianglePairs;
  HierarchyKind hierarchy = HierarchyKind::wide;
  Touching touching = Touching::include;
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  VectorUse vectorUse = VectorUse::best;
  Coherence coherence = Coherence::off;
  /// Threads that share one query, the calling one included; 0: one for each core. Queries for all pairs with
  /// the wide tree and without a limit of pairs; others run on one. Worth it from about a millisecond on.
  unsigned threads = 1;
  QueryLimits limits{};
};

}  // namespace fitup

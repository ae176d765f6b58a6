#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/query_mode.h>

namespace FITUP_EXPORT fitup {

/// Limits of a query. Unset limits never stop it.
struct QueryLimits {
  std::optional<std::size_t> maxPairs;                 ///< number of pairs of surfaces or triangles,
                                                       ///< depending on the mode
  std::optional<std::chrono::nanoseconds> timeBudget;  ///< wall-clock time from the start of the call
  std::stop_token cancel;                              ///< checked at least every few hundred triangles
  /// Called on the calling thread by searches for depths and for pierced walls, at least every 16 pieces of
  /// surface. The search waits while it runs, and ends with an exception if it throws one.
  std::function<void()> onLook{};
};

/// Options of an intersection query. Immutable during the query.
struct IntersectionRequest {
  QueryMode mode = QueryMode::allTrianglePairs;
  HierarchyKind hierarchy = HierarchyKind::wide;
  Touching touching = Touching::include;
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  VectorUse vectorUse = VectorUse::best;
  Coherence coherence = Coherence::off;
  /// Number of threads that share the query, including the calling one; 0 means one for each core. Applies to
  /// queries for all pairs with the wide tree and without a limit on pairs; other queries run on one thread.
  /// Pays off for queries of about a millisecond or more.
  unsigned threads = 1;
  QueryLimits limits{};
};

}  // namespace fitup

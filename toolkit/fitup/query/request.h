#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/hierarchy/kind.h>

namespace fitup {

enum class QueryMode {
  firstSurfacePair,  ///< any one intersecting pair, not the nearest; empty exactly when all is empty
  allSurfacePairs,   ///< each intersecting pair of surfaces once; its search ends at the first triangle pair
  allTrianglePairs,  ///< every intersecting pair of triangles, and the pairs of surfaces they belong to
};

/// How S-CD uses the overlap box (OAABB).
enum class OverlapBoxSetting {
  on,         ///< figure 4 of the paper: only what meets the overlap box is carried into the other frame
  off,        ///< no filter: every triangle of B is carried to A once the parts' boxes overlap
  classical,  ///< figure 1: both trees descend together, B's box carried into A at every visit
};

std::string_view name(QueryMode mode) noexcept;
std::string_view name(OverlapBoxSetting setting) noexcept;

/// Unset limits never stop a query.
struct QueryLimits {
  std::optional<std::size_t> maxPairs;                 ///< of surfaces or triangles, by mode
  std::optional<std::chrono::nanoseconds> timeBudget;  ///< wall clock, from the call
  std::stop_token cancel;                              ///< checked at least every few hundred triangles
};

/// What to ask. Immutable during the query.
struct IntersectionRequest {
  QueryMode mode = QueryMode::allTrianglePairs;
  HierarchyKind hierarchy = HierarchyKind::scd;
  Touching touching = Touching::include;
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  QueryLimits limits;
};

}  // namespace fitup

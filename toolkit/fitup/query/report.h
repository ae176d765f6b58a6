#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fitup/mesh/ids.h>

namespace fitup {

/// `a` is of the first argument of the query, `b` of the second.
struct SurfacePair {
  SurfaceId a{}, b{};
  friend auto operator<=>(const SurfacePair&, const SurfacePair&) = default;
};
struct TrianglePair {
  TriangleId a{}, b{};
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Operation counts of a query (or a sum over queries).
struct QueryStats {
  std::uint64_t boxTests = 0;           ///< one box against one box is one test, vector lanes included
  std::uint64_t boxUpdates = 0;         ///< boxes computed in another frame: cover boxes and optimal triangle boxes
  std::uint64_t surfaceCandidates = 0;  ///< pairs of surfaces whose triangles were looked at
  std::uint64_t triangleCandidates = 0; ///< pairs of triangles whose boxes overlap
  std::uint64_t triangleTests = 0;      ///< triangle-triangle tests run
  std::uint64_t exactTests = 0;         ///< of these, decided by exact arithmetic because the filter could not
  std::uint64_t overlapBoxRejected = 0; ///< entries of B's trees that the overlap box cut off

  QueryStats& operator+=(const QueryStats& o) noexcept {
    boxTests += o.boxTests;
    boxUpdates += o.boxUpdates;
    surfaceCandidates += o.surfaceCandidates;
    triangleCandidates += o.triangleCandidates;
    triangleTests += o.triangleTests;
    exactTests += o.exactTests;
    overlapBoxRejected += o.overlapBoxRejected;
    return *this;
  }
  friend bool operator==(const QueryStats&, const QueryStats&) = default;
};

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
  QueryStats stats;

  [[nodiscard]] bool intersects() const noexcept { return !surfacePairs.empty(); }
  /// The report of the query with its arguments exchanged.
  [[nodiscard]] IntersectionReport swapped() const;
};

}  // namespace fitup

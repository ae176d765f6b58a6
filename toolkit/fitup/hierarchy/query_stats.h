#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include <fitup/mesh/ids.h>

namespace FITUP_EXPORT fitup {

/// A pair of surfaces. `a` belongs to the first model of a query and `b` to the second (inside a traversal:
/// to the parts in the roles of A and B).
struct SurfacePair {
  SurfaceId a{}, b{};
  friend auto operator<=>(const SurfacePair&, const SurfacePair&) = default;
};
/// A pair of triangles. `a` and `b` are as in `SurfacePair`.
struct TrianglePair {
  TriangleId a{}, b{};
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Operation counts of a query (or a sum over queries).
struct QueryStats {
  std::uint64_t boxTests = 0;  ///< tests of one box against one box; each vector lane counts as one
  /// Box tests that ended at each axis: A's three, the normals of B's faces, cross products of edges. Counted
  /// by the trees of `fitup_field` that use separating axis tests.
  std::array<std::uint64_t, 15> separatedBy{};
  std::uint64_t triangleBoxTests = 0;  ///< tests of a triangle against a box (trees without leaves)
  std::uint64_t boxUpdates = 0;  ///< boxes computed in another frame: cover boxes and optimal triangle boxes
  /// Pairs of surfaces whose triangles were examined. In the wide tree: visits from mixed nodes to those of
  /// one surface. In the trees of `fitup_field`: pairs of triangles in a query for all surfaces.
  std::uint64_t surfaceCandidates = 0;
  std::uint64_t triangleCandidates = 0;  ///< pairs of triangles whose boxes overlap
  std::uint64_t triangleTests = 0;       ///< triangle-triangle tests made
  std::uint64_t exactTests = 0;  ///< triangle tests that needed exact arithmetic because the filter left a
                                 ///< sign open
  std::uint64_t overlapBoxRejected = 0;  ///< entries of B's trees that the overlap box excluded

  QueryStats& operator+=(const QueryStats& o) noexcept {
    boxTests += o.boxTests;
    for (std::size_t i = 0; i < separatedBy.size(); ++i) separatedBy[i] += o.separatedBy[i];
    triangleBoxTests += o.triangleBoxTests;
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

}  // namespace fitup

#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include <fitup/mesh/ids.h>

namespace FITUP_EXPORT fitup {

/// `a` is of the first model of a query, `b` of the second (inside a traversal: of the part that plays A and
/// B).
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
  std::uint64_t boxTests = 0;  ///< one box against one box is one test, vector lanes included
  /// Box tests that ended at each axis: A's three, the normals of B's faces, products of edges. Trees of the
  /// field's systems with separating axis tests.
  std::array<std::uint64_t, 15> separatedBy{};
  std::uint64_t triangleBoxTests = 0;  ///< a triangle against a box (trees without leaves)
  std::uint64_t boxUpdates = 0;  ///< boxes computed in another frame: cover boxes and optimal triangle boxes
  std::uint64_t surfaceCandidates = 0;   ///< pairs of surfaces whose triangles were looked at (in the wide
                                         ///< tree: visits from mixed nodes to those of one surface; in
                                         ///< the trees of the field's systems: pairs of triangles, in a
                                         ///< query for all surfaces)
  std::uint64_t triangleCandidates = 0;  ///< pairs of triangles whose boxes overlap
  std::uint64_t triangleTests = 0;       ///< triangle-triangle tests run
  std::uint64_t exactTests = 0;  ///< of these, decided by exact arithmetic because the filter could not
  std::uint64_t overlapBoxRejected = 0;  ///< entries of B's trees that the overlap box cut off

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

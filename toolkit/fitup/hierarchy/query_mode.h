#pragma once

#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The pairs that an intersection query reports.
enum class QueryMode {
  firstSurfacePair,  ///< any one intersecting pair, not the nearest; empty if and only if there
                     ///< is no intersecting pair
  allSurfacePairs,   ///< each intersecting pair of surfaces once; the search in a pair ends at its first
                     ///< triangle pair
  allTrianglePairs,  ///< every intersecting pair of triangles, and their pairs of surfaces
};

/// Use of the overlap box (OAABB).
enum class OverlapBoxSetting {
  /// S-CD: figure 4 of the paper; only what intersects the overlap box is mapped to the other frame. Wide
  /// tree: children that miss the common box of their node and the other node are dropped before pairs are
  /// tested.
  on,
  /// S-CD: once the boxes of the parts overlap, every triangle of B is mapped to A. Wide tree: all pairs of
  /// children are tested.
  off,
  /// S-CD: figure 1; both trees descend together, and B's box is mapped to A at every visit. Wide tree: as
  /// `off`.
  classical,
};

/// Form of the vectorised steps. Reports are the same.
enum class VectorUse {
  best,    ///< the widest form that the processor has
  scalar,  ///< plain code, against which the vector form is tested
};

/// Says whether a query for the first pair starts from what the last query with the same context found. Other
/// modes, and hierarchies other than the wide tree, ignore it.
enum class Coherence {
  off,
  /// For a part that is dragged. The context remembers one pair of instances. The query first tries the last
  /// witness and its neighbours. If the separating direction of the last query still separates the boxes or
  /// the convex hulls, the query ends there. It also ends if the motion since the last search has used up
  /// fewer steps than that search found to be safe. Answers are as exact as without coherence, but which pair
  /// is reported first depends on earlier queries. The first near miss of a part computes its hull
  /// (`CollisionModel::hull`).
  on,
};

std::string_view name(QueryMode mode) noexcept;
std::string_view name(OverlapBoxSetting setting) noexcept;

}  // namespace fitup

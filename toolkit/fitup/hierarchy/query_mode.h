#pragma once

#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

enum class QueryMode {
  firstSurfacePair,  ///< any one intersecting pair, not the nearest; empty exactly when all is empty
  allSurfacePairs,   ///< each intersecting pair of surfaces once; its search ends at the first triangle pair
  allTrianglePairs,  ///< every intersecting pair of triangles, and the pairs of surfaces they belong to
};

/// How the overlap box (OAABB) is used.
enum class OverlapBoxSetting {
  /// S-CD: figure 4 of the paper, only what meets the overlap box is carried into the other frame. Wide tree:
  /// children that miss the box common to their node and the other one are cut off before pairs are tested.
  on,
  /// S-CD: every triangle of B is carried to A once the parts' boxes overlap. Wide tree: all pairs of
  /// children
  /// are tested.
  off,
  /// S-CD: figure 1, both trees descend together, B's box carried into A at every visit. Wide tree: as `off`.
  classical,
};

/// Which form of the vectorised steps runs. Reports are the same.
enum class VectorUse {
  best,    ///< the widest that the processor has
  scalar,  ///< plain code: the twin that the vector form is tested against
};

/// Whether a query for the first pair starts from what the last one with the same context has found. Other
/// modes and other hierarchies than the wide tree take no notice.
enum class Coherence {
  off,
  /// For a part that is dragged: the context is kept for one pair of instances. The last witness and those
  /// beside it are tried first. If the separating direction of the last query still separates the boxes or
  /// the convex hulls, the query ends there; it also ends for as many steps of the motion as the last search
  /// found. Answers are as exact as without, but which pair is the first depends on what was asked before.
  /// The first near miss of a part makes its hull (`CollisionModel::hull`).
  on,
};

std::string_view name(QueryMode mode) noexcept;
std::string_view name(OverlapBoxSetting setting) noexcept;

}  // namespace fitup

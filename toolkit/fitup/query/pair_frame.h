#pragma once

#include <fitup/query/posed_model.h>

namespace fitup {

/// The frame in which a pair is answered: which part plays A (stays) and which B (is placed), and the one placement that
/// defines the answer (architecture, section 4.2).
///
/// Points of B are placed by `aFromB.apply(double(local))`, unfused. Every hierarchy and brute force use these same
/// placed coordinates, so that complete reports agree to the last pair.
struct PairFrame {
  /// True if A is the second argument of the query. B is the part with fewer triangles; ties go by content hash, then by
  /// pose numbers, never by argument order.
  bool swapped = false;
  Transform aFromB;  ///< from B's local to A's local coordinates; entries too small for limits.h are zero
  Transform bFromA;  ///< its inverse, rounded
  /// Bound on |placed - exact| of a coordinate of a point of B, per axis of A:
  /// 2^-50 (|M||b| + |t|), |b| the largest local coordinates of B.
  Vec3 placementError;
  /// How much a box of A carried by `bFromA` must grow, per axis of B, to contain every point of B (before placement)
  /// that is placed into that box: placement error carried back, residual of the inverse, rounding.
  Vec3 inflationInB;

  /// Throws PlacementError for placements that are singular or not finite, RangeError outside limits.h.
  static PairFrame of(const PosedModel& first, const PosedModel& second);

  /// Conservative image of a box of A's local frame in B's local frame, rounded outward.
  [[nodiscard]] Aabb carriedToB(const Aabb& boxInA) const noexcept;
  /// Conservative box of the placed points of a box of B, in A's local frame, rounded outward.
  [[nodiscard]] Aabb carriedToA(const Aabb& boxInB) const noexcept;
};

}  // namespace fitup

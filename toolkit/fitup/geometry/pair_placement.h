#pragma once

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>

namespace FITUP_EXPORT fitup {

/// Below so large entries of transpose(m) * m - 1 the transpose is as good as an inverse that is computed.
inline constexpr double largestOffTransposed = 0x1p-46;

/// How the local frame of one mesh (B) is placed in that of another (A), with the error bounds that boxes
/// need.
///
/// Points of B are placed by `aFromB.apply(double(local))`, unfused. Every hierarchy and brute force use
/// these same placed coordinates, so that complete reports agree to the last pair (architecture,
/// section 4.2).
struct PairPlacement {
  Transform aFromB;
  Transform bFromA;        ///< its inverse, rounded; the transpose where that is as good
  bool orthogonal = true;  ///< `aFromB` is rigid or mirrored
  /// Bound on |placed - exact| of a coordinate of a point of B, per axis of A: 2^-50 (|M||b| + |t|), |b| the
  /// largest local coordinates of B.
  Vec3 placementError;
  /// How much a box of A carried by `bFromA` must grow, per axis of B, to contain every point of B (before
  /// placement) that is placed into that box: placement error carried back, residual of the inverse,
  /// rounding.
  Vec3 inflationInB;

  /// Throws PlacementError where `aFromB` is singular or not finite.
  static PairPlacement of(const Transform& aFromB, const Aabb& boundsInB);

  /// Conservative image of a box of A's local frame in B's local frame, rounded outward.
  [[nodiscard]] Aabb carriedToB(const Aabb& boxInA) const noexcept;
  /// Conservative box of the placed points of a box of B, in A's local frame, rounded outward.
  [[nodiscard]] Aabb carriedToA(const Aabb& boxInB) const noexcept;

  [[nodiscard]] Triangle placed(const Triangle& inB) const noexcept {
    return {{aFromB.apply(inB.v[0]), aFromB.apply(inB.v[1]), aFromB.apply(inB.v[2])}};
  }
};

}  // namespace fitup

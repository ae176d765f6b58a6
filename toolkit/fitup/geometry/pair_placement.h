#pragma once

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>

namespace FITUP_EXPORT fitup {

/// Limit on the entries of transpose(m) * m - 1 below which the transpose is as accurate as a computed
/// inverse.
inline constexpr double largestOffTransposed = 0x1p-46;

/// The placement of the local frame of a mesh B in the local frame of a mesh A, with the error bounds that
/// boxes need.
///
/// Points of B are placed by `aFromB.apply(double(local))`, unfused. All hierarchies and brute force use
/// these placed coordinates, so complete reports agree to the last pair.
struct PairPlacement {
  Transform aFromB;
  Transform bFromA;        ///< its inverse, rounded; the transpose if that is as accurate
  bool orthogonal = true;  ///< `aFromB` is rigid or mirrored
  /// Bound on |placed - exact| of a coordinate of a point of B, for each axis of A: 2^-50 (|M||b| + |t|),
  /// where |b| is the largest local coordinates of B.
  Vec3 placementError;
  /// Amount by which a box of A must grow after `bFromA` has mapped it, for each axis of B, to contain every
  /// local point of B whose placed point lies in that box. It covers the placement error mapped back, the
  /// residual of the inverse, and rounding.
  Vec3 inflationInB;

  /// Throws PlacementError if `aFromB` is singular or not finite.
  static PairPlacement of(const Transform& aFromB, const Aabb& boundsInB);

  /// Maps a box from A's local frame to a conservative box in B's local frame, rounded outward.
  [[nodiscard]] Aabb transformedToB(const Aabb& boxInA) const noexcept;
  /// Returns a conservative box, in A's local frame, of the placed points of a box of B. It is rounded
  /// outward.
  [[nodiscard]] Aabb carriedToA(const Aabb& boxInB) const noexcept;

  /// Places a triangle of B in A's local frame.
  [[nodiscard]] Triangle placed(const Triangle& inB) const noexcept {
    return {{aFromB.apply(inB.v[0]), aFromB.apply(inB.v[1]), aFromB.apply(inB.v[2])}};
  }
};

}  // namespace fitup

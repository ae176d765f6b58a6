#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <fitup/query/distance.h>

namespace FITUP_EXPORT fitup {

/// A body on its way through the world, for s in an interval: a centre moves along a line at constant speed,
/// and the body turns about it at a constant rate, about an axis of fixed direction.
struct UniformWay {
  std::function<Transform(double)> worldFromPart;  ///< at s; moves rigidly
  Vec3 centre;                                     ///< at s = 0
  Vec3 shift;                                      ///< of the centre, for each unit of s
  Vec3 turn;                                       ///< axis times radians, for each unit of s

  /// A body that rests.
  static UniformWay at(const Transform& worldFromPart) {
    return {[worldFromPart](double) { return worldFromPart; }, {}, {}, {}};
  }
  /// The velocity of the point of the body that is at `p` at s.
  [[nodiscard]] Vec3 velocity(const Vec3& p, double s) const noexcept {
    return shift + cross(turn, p - (centre + s * shift));
  }
  /// The speed with which the body turns that point about its centre. It is the same at any s, for all points
  /// of the body. Along a direction n the point accelerates by at most this times |turn x n|, because the
  /// acceleration, turn x (turn x r), is perpendicular to the axis.
  [[nodiscard]] double turningSpeed(const Vec3& p, double s) const noexcept {
    return norm(cross(turn, p - (centre + s * shift)));
  }
};

/// Options of `distanceAlong`. Lengths in world units.
struct DistanceAlongRequest {
  double from = 0, to = 1;
  double clearance = 0;  ///< to be kept
  /// Largest distance beyond the clearance at which two triangles may end the search; above 0. Smaller: the
  /// search goes nearer to the clearance, and takes longer.
  double reserve = 0;
  /// Bound on how far poses are from those meant, in distances between the two bodies.
  double rounding = 0;
  std::size_t maxPieces = 20'000;  ///< of surface to examine, before nothing is known
  QueryLimits limits{};            ///< `maxPairs` is not used
};

/// What is certain of the distance of two bodies along their ways.
struct DistanceAlongReport {
  /// At every s from `from` up to here the bodies are at least `atLeast` apart, which is not below the
  /// clearance. Up to `to` of the request, or to where two triangles come nearer than clearance and reserve;
  /// `from`, if nothing is known.
  double until = 0;
  double atLeast = 0;
  /// The triangles that ended the search; unset if none did.
  std::optional<TrianglePair> reached;
  std::size_t pieces = 0;  ///< examined
  /// False if a limit ended the search. Then nothing is known.
  bool isComplete = true;
};

/// Follows two bodies that move for a whole interval in one search. Two triangles are advanced by how fast
/// they come nearer *along the direction between them*, and boxes are excluded in the same way, so that faces
/// that slide along each other at a small distance take no more steps than distant ones. The distance is that
/// of surfaces, as in `distance`.
///
/// The bounds: along a unit direction n, the gap of two sets of points changes at the rate n . (v_B - v_A),
/// which is linear in the points, and its second derivative is at most the sum of the accelerations along n
/// (`UniformWay::turningSpeed`). A gap along any n is a lower bound of the distance. Mirtich, Timewarp rigid
/// body simulation, 2000, advances convex bodies in this way.
///
/// Thread-safe. Throws as `distance`, and InputError for a reserve that is not above 0.
DistanceAlongReport distanceAlong(const CollisionModel& first, const UniformWay& firstWay,
                                  const CollisionModel& second, const UniformWay& secondWay,
                                  const DistanceAlongRequest& request);

}  // namespace fitup

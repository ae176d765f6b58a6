#pragma once

#include <array>
#include <span>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

/// The way between two poses as tracks interpolate it: the centre moves along a line, and the rotation turns
/// uniformly through the shorter arc about an axis of fixed direction in the world.
class RigidPath {
 public:
  /// `centre` is in the world, of the moved box in the design placement. Precondition: both poses are
  /// `isRigid`.
  RigidPath(const RigidMotion& from, const RigidMotion& to, const Vec3& centre);

  /// The pose at s in [0, 1].
  [[nodiscard]] RigidMotion at(double s) const { return interpolate(from_, to_, centre_, s); }
  /// Upper bound on the speed |dp/ds| of every point p of the convex hull of `points` (in the world, in the
  /// design placement): between s and s', a point of the hull moves by at most |s' - s| times this.
  ///
  /// p(s) = c(s) + exp(s theta a) R0 (x - c), so dp/ds = c' + theta a x r with r = R0 (x - c) turned about a.
  /// Its part along a is that of c'. Its part across a is at most that of c' plus theta times the distance of
  /// r from the axis through the centre. That distance is a convex function of x and so is largest at one of
  /// the points.
  [[nodiscard]] double speedBound(std::span<const Vec3> points) const;
  /// The same for the speed along a unit direction of the world, |n . dp/ds|: the speed of the centre along n
  /// plus the full speed of the rotation.
  [[nodiscard]] double speedBoundAlong(const Vec3& direction, std::span<const Vec3> points) const;

 private:
  RigidMotion from_, to_;
  Vec3 centre_;
  Vec3 axis_;   ///< unit, in the frame of the design placement
  Vec3 shift_;  ///< displacement of the centre, in the world
  double angle_ = 0, along_ = 0, across_ = 0;

  [[nodiscard]] double reachFromAxis(std::span<const Vec3> points) const;
};

/// The corners, in the world, of the box of an instance at `worldFromPart`. The part lies in their hull up to
/// rounding. Without triangles all corners are the origin.
std::array<Vec3, 8> cornersInWorld(const TriangleMesh& mesh, const Transform& worldFromPart);

}  // namespace fitup

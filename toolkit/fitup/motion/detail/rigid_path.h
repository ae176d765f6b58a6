#pragma once

#include <array>
#include <optional>
#include <span>

#include <fitup/motion/track.h>
#include <fitup/query/distance_along.h>

namespace FITUP_EXPORT fitup {

/// The way between two poses of a track.
///
/// Every way has one form: a centre moves along a line by `shift`, at constant speed, and the part turns
/// uniformly about it by an angle theta, about an axis a of fixed direction in the world. On a straight way,
/// theta is the shorter arc between the poses. On a turn or a screw the centre is any point of the axis,
/// `shift` is the advance along a, and theta is any number of turns.
class RigidPath {
 public:
  /// `centre` is in the world, of the moved box in the design placement; a `pivot` of the way replaces it.
  /// With a turn the path begins at `from` and ends at `way.turn->at(1) * from`, which is `to` up to
  /// rounding. Preconditions: both poses are `isRigid`, and the way is valid.
  RigidPath(const RigidMotion& from, const RigidMotion& to, const Vec3& centre, const StepWay& way = {});

  /// The pose at s in [0, 1].
  [[nodiscard]] RigidMotion at(double s) const;
  /// Upper bound on the speed |dp/ds| of every point p of the convex hull of `points` (in the world, in the
  /// design placement): between s and s', a point of the hull moves by at most |s' - s| times this.
  ///
  /// p(s) = c(s) + exp(s theta a) R0 (x - c), so dp/ds = c' + theta a x r with r = R0 (x - c) turned about a.
  /// Its part along a is that of c'. Its part across a is at most that of c' plus theta times the distance of
  /// r from the axis through the centre. That distance does not change with s, for any theta. It is a convex
  /// function of x and so is largest at one of the points.
  [[nodiscard]] double speedBound(std::span<const Vec3> points) const;
  /// The same for the speed along a unit direction of the world, |n . dp/ds|: the speed of the centre along n
  /// plus the full speed of the rotation.
  [[nodiscard]] double speedBoundAlong(const Vec3& direction, std::span<const Vec3> points) const;

  /// What happens from one place of the way to another, in the world.
  struct Stretch {
    Vec3 centre;       ///< at the first place
    double turn = 0;   ///< radians
    double shift = 0;  ///< way of the centre
  };
  [[nodiscard]] Stretch stretch(double from, double to) const;
  /// The way of a part of the group, of which `designPlacement` is worldFromPart in the design placement.
  /// Refers to the path.
  [[nodiscard]] UniformWay wayOf(const Transform& designPlacement) const;

  /// True if both are the same motion at every s, up to the rounding of their coordinates. With
  /// M(s) x = c + s c' + exp(s theta a) (R0 x + t0 - c), the difference of two paths from one pose and with
  /// one theta a is d + s (difference of the c') - exp(s theta a) d, where d leads from one centre to the
  /// other. It vanishes for all s if the c' are equal and, unless theta is 0, d is parallel to a.
  [[nodiscard]] bool isSameMotion(const RigidPath& other) const;
  /// Bound on the magnitudes with which `at` computes, besides the coordinates of the two poses: its rounding
  /// error is below 8 times 2^-53 of these.
  [[nodiscard]] double reach() const;
  /// The farthest that any of the points (in the world, in the design placement) is, at the end of a turn,
  /// from where it is in `to`. Other ways end there up to the rounding of `at`.
  [[nodiscard]] double gapAtEnd(std::span<const Vec3> points) const;

 private:
  RigidMotion from_, to_;
  Vec3 centre_;  ///< in the world, in the design placement
  std::optional<AxisTurn> turn_;
  Vec3 axis_;         ///< unit, in the frame of the design placement
  Vec3 axisInWorld_;  ///< the same in the world
  Vec3 shift_;        ///< displacement of the centre, in the world
  double angle_ = 0, along_ = 0, across_ = 0;
  double centreError_ = 0;  ///< bound on the rounding of `centre_` where it comes from the axis of a turn

  [[nodiscard]] double reachFromAxis(std::span<const Vec3> points) const;
};

/// The corners, in the world, of the box of an instance at `worldFromPart`. The part lies in their hull up to
/// rounding. Without triangles all corners are the origin.
std::array<Vec3, 8> cornersInWorld(const TriangleMesh& mesh, const Transform& worldFromPart);

}  // namespace fitup

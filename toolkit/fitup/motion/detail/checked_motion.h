#pragma once

#include <fitup/motion/track.h>

namespace fitup::detail {

/// The motion of a rigid group over one step of a track, for the checker of certificates. A point p of the
/// part is at
///   x(s) = origin + s velocity + Rot(s spin) (start(p) - origin),  s in [0, 1],
/// where Rot(w) turns about w by the angle |w|. The origin of a straight way is where its pivot begins; that
/// of a turn or screw is a point of its axis, and the velocity is the advance. A resting part has the
/// default.
struct StepMotion {
  Transform start;  ///< worldFromFrame at s = 0
  Vec3 origin, velocity, spin;
  /// The sense of a straight way is not certain: its shorter arc is half a turn, up to rounding.
  bool isAmbiguous = false;

  /// worldFromFrame.
  [[nodiscard]] Transform at(double s) const;
};

/// The inverse of a turn and a translation.
Transform undone(const Transform& rigid);

/// `centre`: the pivot of straight ways that have none.
StepMotion stepMotion(const RigidMotion& from, const RigidMotion& to, const StepWay& way, const Vec3& centre);

/// A part of a step: how the points of the first of two parts move in the frame of the second. A point that
/// is at y in the middle of it is within bend * tau^2 / 2 of y + tau * velocity(y) at tau from the middle.
struct MotionWindow {
  double middle = 0, half = 0;  ///< shares of the step
  Transform secondFromFirst;    ///< in the middle, of the second part from that of the first
  Vec3 shift, spin;
  double bend = 0;

  [[nodiscard]] Vec3 velocity(const Vec3& y) const { return shift + cross(spin, y); }
  /// How far the path of a point may be off the straight one within the window.
  [[nodiscard]] double deviation() const { return 0.5 * bend * half * half; }
};

/// The motion of one part as seen from another one, over a step.
class RelativeMotion {
 public:
  /// `centre` and `radius`: a ball about the first part, in its frame.
  RelativeMotion(const StepMotion& first, const StepMotion& second, const Vec3& centre, double radius);
  [[nodiscard]] MotionWindow over(double from, double to) const;
  [[nodiscard]] const StepMotion& second() const noexcept { return second_; }
  /// True if no point of the first part moves by more than `length` in the frame of the second one.
  [[nodiscard]] bool restsWithin(double length) const;

 private:
  /// Velocity in the world, at s, of the point x of the first part relative to the second.
  [[nodiscard]] Vec3 velocityAt(const Vec3& x, double s) const;

  StepMotion first_, second_;
  Vec3 centre_;
  double radius_;
  double turning_ = 0;  ///< bound on the derivative of velocityAt along the path of a point
};

}  // namespace fitup::detail

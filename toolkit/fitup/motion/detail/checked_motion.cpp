#include <fitup/motion/detail/checked_motion.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fitup::detail {
namespace {

/// Rodrigues' formula.
Transform turnedBy(const Vec3& spin) {
  const double angle = norm(spin);
  Transform turn;
  if (!(angle > 0)) return turn;
  const Vec3 u = spin * (1 / angle);
  const double c = std::cos(angle), s = std::sin(angle);
  // 1 - cos without cancellation.
  const double half = std::sin(0.5 * angle), v = 2 * half * half;
  turn.m = {{{c + v * u.x * u.x, v * u.x * u.y - s * u.z, v * u.x * u.z + s * u.y},
             {v * u.x * u.y + s * u.z, c + v * u.y * u.y, v * u.y * u.z - s * u.x},
             {v * u.x * u.z - s * u.y, v * u.y * u.z + s * u.x, c + v * u.z * u.z}}};
  return turn;
}

}  // namespace

Transform undone(const Transform& rigid) {
  Transform back;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) back.m[i][k] = rigid.m[k][i];
  back.t = -back.applyToVector(rigid.t);
  return back;
}

Transform StepMotion::at(double s) const {
  // About the origin, so that a part far away loses no digits by its turn.
  const Transform turn = turnedBy(spin * s);
  Transform result = turn * start;
  result.t = origin + velocity * s + turn.applyToVector(start.t - origin);
  return result;
}

StepMotion stepMotion(const RigidMotion& from, const RigidMotion& to, const StepWay& way,
                      const Vec3& centre) {
  StepMotion motion;
  motion.start = from.transform();
  if (way.turn) {
    const Vec3 axis = normalized(way.turn->direction);
    motion.origin = way.turn->point;
    motion.velocity = axis * way.turn->advance;
    motion.spin = axis * (way.turn->degrees * (std::numbers::pi / 180));
    return motion;
  }
  const Vec3 pivot = way.pivot.value_or(centre);
  motion.origin = motion.start.apply(pivot);
  motion.velocity = to.transform().apply(pivot) - motion.origin;
  const Quaternion& q = from.rotation;
  const Quaternion turn = normalized(to.rotation) * normalized(Quaternion{-q.x, -q.y, -q.z, q.w});
  const Vec3 vector = Vec3{turn.x, turn.y, turn.z} * (turn.w < 0 ? -1.0 : 1.0);
  const double sine = norm(vector);
  motion.isAmbiguous = std::abs(turn.w) < 1e-12;
  if (sine > 0) motion.spin = vector * (2 * std::atan2(sine, std::abs(turn.w)) / sine);
  return motion;
}

RelativeMotion::RelativeMotion(const StepMotion& first, const StepMotion& second, const Vec3& centre,
                               double radius)
    : first_(first), second_(second), centre_(centre), radius_(radius) {
  // The velocity of a point x of the first part relative to the second is
  //   V = vA + wA x r - vB - wB x (x - oB),  r = x - oA,  x' = vA + wA x r,
  // where the origins oA and oB go at vA and vB. Its derivative along the path is, in two forms,
  //   V' = wA x (wA x r) - wB x (vA - vB + wA x r) = (wA - wB) x x' - wA x vA + wB x vB.
  // The second form is small for parts that turn alike. |wA x r| is the angular speed times the distance
  // from the axis, which stays the same.
  const Vec3 &wA = first.spin, &wB = second.spin, &vA = first.velocity, &vB = second.velocity;
  const double ofTurn =
      norm(cross(wA, first.start.apply(centre) - first.origin)) + norm(wA) * radius;  // >= |wA x r|
  const double form1 = norm(wA) * ofTurn + norm(wB) * (norm(vA - vB) + ofTurn);
  const double form2 = norm(wA - wB) * (norm(vA) + ofTurn) + norm(cross(wB, vB) - cross(wA, vA));
  turning_ = std::min(form1, form2);
}

Vec3 RelativeMotion::velocityAt(const Vec3& x, double s) const {
  const auto field = [&](const StepMotion& m) {
    return m.velocity + cross(m.spin, x - m.origin - m.velocity * s);
  };
  return field(first_) - field(second_);
}

MotionWindow RelativeMotion::over(double from, double to) const {
  MotionWindow window;
  window.middle = 0.5 * (from + to);
  window.half = 0.5 * (to - from);
  const Transform first = first_.at(window.middle), second = second_.at(window.middle);
  const Transform back = undone(second);
  window.secondFromFirst = back * first;
  // Seen from the second part, y = R^T (x - tB): y' = R^T V, and y'' = R^T (V' - wB x V).
  window.shift = back.applyToVector(velocityAt(second.t, window.middle));
  window.spin = back.applyToVector(first_.spin - second_.spin);
  const double fastest = norm(velocityAt(first.apply(centre_), window.middle)) + norm(window.spin) * radius_ +
                         turning_ * window.half;
  window.bend = turning_ + norm(second_.spin) * fastest;
  return window;
}

bool RelativeMotion::restsWithin(double length) const {
  const MotionWindow whole = over(0, 1);
  const double fastest = norm(whole.velocity(whole.secondFromFirst.apply(centre_))) +
                         norm(whole.spin) * radius_ + 0.5 * whole.bend;
  return fastest <= length;
}

}  // namespace fitup::detail

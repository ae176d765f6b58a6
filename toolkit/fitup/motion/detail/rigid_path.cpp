#include <fitup/motion/detail/rigid_path.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fitup {

RigidPath::RigidPath(const RigidMotion& from, const RigidMotion& to, const Vec3& centre, const StepWay& way)
    : from_(from), to_(to), centre_(way.pivot.value_or(centre)), turn_(way.turn) {
  const Quaternion a = normalized(from.rotation), b = normalized(to.rotation);
  const Quaternion back{-a.x, -a.y, -a.z, a.w};
  if (turn_) {
    axisInWorld_ = normalized(turn_->direction);
    centre_ = inverse(from).transform().apply(turn_->point);
    centreError_ = 0x1p-49 * (norm(turn_->point) + norm(from.translation));
    shift_ = axisInWorld_ * turn_->advance;
    along_ = std::abs(turn_->advance);
    angle_ = std::abs(turn_->degrees) * (std::numbers::pi / 180);
    if (turn_->degrees < 0) axisInWorld_ = -axisInWorld_;
  } else {
    const Quaternion turn = b * back;
    const Vec3 vector = Vec3{turn.x, turn.y, turn.z} * (turn.w < 0 ? -1.0 : 1.0);
    const double length = norm(vector);
    axisInWorld_ = length > 0 ? vector * (1 / length) : Vec3{0, 0, 1};
    angle_ = 2 * std::atan2(length, std::abs(turn.w));
    shift_ = to.transform().apply(centre_) - from.transform().apply(centre_);
    along_ = std::abs(dot(shift_, axisInWorld_));
    across_ = norm(cross(shift_, axisInWorld_));
  }
  axis_ = Transform::rotation(back).apply(axisInWorld_);
}

RigidMotion RigidPath::at(double s) const {
  return turn_ ? turn_->at(s) * from_ : interpolate(from_, to_, centre_, s);
}

RigidPath::Stretch RigidPath::stretch(double from, double to) const {
  return {from_.transform().apply(centre_) + from * shift_, (to - from) * angle_, (to - from) * norm(shift_)};
}

UniformWay RigidPath::wayOf(const Transform& designPlacement) const {
  return {[this, designPlacement](double s) { return at(s).transform() * designPlacement; },
          from_.transform().apply(centre_), shift_, angle_ * axisInWorld_};
}

bool RigidPath::isSameMotion(const RigidPath& other) const {
  if (from_ != other.from_) return false;
  constexpr double rounding = 0x1p-46;
  const Vec3 turn = axisInWorld_ * angle_, otherTurn = other.axisInWorld_ * other.angle_;
  if (norm(turn - otherTurn) > rounding * (1 + angle_)) return false;
  const Vec3 c = from_.transform().apply(centre_), d = from_.transform().apply(other.centre_);
  const double tolerance =
      rounding * (norm(c) + norm(d) + norm(from_.translation) + norm(shift_) + norm(other.shift_));
  return norm(shift_ - other.shift_) <= tolerance &&
         norm(cross(d - c, axisInWorld_)) * std::min(angle_, 2.0) <= tolerance;
}

double RigidPath::reach() const {
  return turn_ ? 4 * norm(turn_->point) + 2 * std::abs(turn_->advance) : norm(centre_);
}

double RigidPath::gapAtEnd(std::span<const Vec3> points) const {
  if (!turn_) return 0;
  const Transform end = at(1).transform(), expected = to_.transform();
  double gap = 0;
  for (const Vec3& p : points) gap = std::max(gap, norm(end.apply(p) - expected.apply(p)));
  return gap;
}

double RigidPath::reachFromAxis(std::span<const Vec3> points) const {
  double reach = 0;
  for (const Vec3& p : points) reach = std::max(reach, norm(cross(p - centre_, axis_)));
  return reach + centreError_;
}

double RigidPath::speedBoundAlong(const Vec3& direction, std::span<const Vec3> points) const {
  return (std::abs(dot(shift_, direction)) + angle_ * reachFromAxis(points)) * (1 + 0x1p-20) +
         0x1p-50 * norm(shift_);
}

double RigidPath::speedBound(std::span<const Vec3> points) const {
  const double across = across_ + angle_ * reachFromAxis(points);
  // The factor covers rounding, and slerp's weights where they are linear (below 2e-6 radians).
  return std::sqrt(along_ * along_ + across * across) * (1 + 0x1p-20);
}

std::array<Vec3, 8> cornersInWorld(const TriangleMesh& mesh, const Transform& worldFromPart) {
  std::array<Vec3, 8> corners{};
  const Box box = mesh.boundsInPart();
  if (box.empty()) return corners;
  for (unsigned i = 0; i < 8; ++i)
    corners[i] =
        worldFromPart.apply({(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                             (i & 4) != 0 ? box.max.z : box.min.z});
  return corners;
}

}  // namespace fitup

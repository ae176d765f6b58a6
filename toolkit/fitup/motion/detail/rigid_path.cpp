#include <fitup/motion/detail/rigid_path.h>

#include <algorithm>
#include <cmath>

namespace fitup {

RigidPath::RigidPath(const RigidMotion& from, const RigidMotion& to, const Vec3& centre)
    : from_(from), to_(to), centre_(centre) {
  const Quaternion a = normalized(from.rotation), b = normalized(to.rotation);
  const Quaternion turn = b * Quaternion{-a.x, -a.y, -a.z, a.w};
  const Vec3 vector{turn.x, turn.y, turn.z};
  const double length = norm(vector);
  const Vec3 axisInWorld = length > 0 ? vector * (1 / length) : Vec3{0, 0, 1};
  angle_ = 2 * std::atan2(length, std::abs(turn.w));
  axis_ = Transform::rotation(Quaternion{-a.x, -a.y, -a.z, a.w}).apply(axisInWorld);
  shift_ = to.transform().apply(centre) - from.transform().apply(centre);
  along_ = std::abs(dot(shift_, axisInWorld));
  across_ = norm(cross(shift_, axisInWorld));
}

double RigidPath::reachFromAxis(std::span<const Vec3> points) const {
  double reach = 0;
  for (const Vec3& p : points) reach = std::max(reach, norm(cross(p - centre_, axis_)));
  return reach;
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

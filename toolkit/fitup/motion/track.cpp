#include <fitup/motion/track.h>

#include <cmath>
#include <string>

#include <fitup/base/error.h>

namespace fitup {

bool RigidMotion::isRigid() const noexcept {
  const double squared =
      rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z + rotation.w * rotation.w;
  return isFinite(translation) && std::abs(squared - 1) < 1e-6;  // false for NaN and infinity
}

RigidMotion operator*(const RigidMotion& second, const RigidMotion& first) {
  return {normalized(second.rotation * first.rotation),
          second.transform().applyToVector(first.translation) + second.translation};
}

RigidMotion inverse(const RigidMotion& motion) {
  const Quaternion& q = motion.rotation;
  const Quaternion back{-q.x, -q.y, -q.z, q.w};
  return {back, Transform::rotation(back).applyToVector(motion.translation) * -1.0};
}

Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion) {
  const Transform placed = motion.transform() * design.worldFromNode(instance);
  const Box box = placedBox(placed, design.meshOf(instance).boundsInPart());
  bool isNear = placed.isFinite();
  for (int k = 0; k < 3 && !box.empty(); ++k)
    isNear = isNear && std::abs(box.min[k]) <= farthestMoved && std::abs(box.max[k]) <= farthestMoved;
  if (!isNear)
    throw InputError("'" + design.path(instance) + "' would be more than 1e9 " + design.unit() +
                     " from the origin");
  return placed;
}

RigidMotion motionAbout(const Vec3& centre, const Quaternion& rotation, const Vec3& shift) {
  return {rotation, centre + shift - Transform::rotation(rotation).apply(centre)};
}

RigidMotion interpolate(const RigidMotion& a, const RigidMotion& b, const Vec3& centre, double s) {
  const Vec3 from = a.transform().apply(centre);
  const Vec3 to = b.transform().apply(centre);
  const Vec3 position = from * (1 - s) + to * s;
  return motionAbout(centre, slerp(a.rotation, b.rotation, s), position - centre);
}

}  // namespace fitup

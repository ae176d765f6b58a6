#include <fitup/motion/track.h>

namespace fitup {

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

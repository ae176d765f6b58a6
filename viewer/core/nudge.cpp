#include <viewer/core/nudge.h>

#include <cmath>

namespace fitup::viewer {
namespace {

/// Returns the number of the axis closest to a direction, among those not in `taken`.
int mostAlong(const Vec3& direction, int taken) {
  int most = taken == 0 ? 1 : 0;
  for (int i = 0; i < 3; ++i)
    if (i != taken && std::abs(direction[i]) > std::abs(direction[most])) most = i;
  return most;
}

Vec3 axisAlong(int axis, const Vec3& direction) {
  Vec3 result;
  result[axis] = direction[axis] < 0 ? -1 : 1;
  return result;
}

}  // namespace

Vec3 nudgeAxis(const Camera& camera, NudgeWay way) noexcept {
  const int right = mostAlong(camera.right(), -1), up = mostAlong(camera.up(), right);
  switch (way) {
    case NudgeWay::right:
      return axisAlong(right, camera.right());
    case NudgeWay::up:
      return axisAlong(up, camera.up());
    case NudgeWay::away:
      break;
  }
  return axisAlong(3 - right - up, camera.forward());
}

}  // namespace fitup::viewer

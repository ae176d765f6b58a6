#include <viewer/core/section_handle.h>

#include <algorithm>
#include <cmath>

namespace fitup::viewer {

std::optional<SectionHandle> SectionHandle::of(const SectionPlane& plane, const Box& cut, double length) {
  if (!plane.enabled || cut.empty()) return std::nullopt;
  const Vec3& n = plane.normal;
  const Vec3 centre = cut.centre(), half = cut.halfExtent();
  SectionHandle handle;
  handle.foot = centre + n * (plane.offset - dot(n, centre));
  handle.tip = handle.foot + n * length;
  const auto [u, v] = orthonormalBasis(n);
  // The extent of the box along a direction, and a little more.
  const auto reach = [&half](const Vec3& d) {
    return 1.05 * (std::abs(d.x) * half.x + std::abs(d.y) * half.y + std::abs(d.z) * half.z);
  };
  const Vec3 du = u * reach(u), dv = v * reach(v);
  handle.border = {handle.foot - du - dv, handle.foot + du - dv, handle.foot + du + dv,
                   handle.foot - du + dv};
  return handle;
}

bool SectionHandle::isAt(const Camera& camera, PicturePoint point, double reach) const {
  const auto distance = pictureDistance(camera, foot, tip, point);
  return distance && *distance <= reach;
}

SectionDrag::SectionDrag(const SectionPlane& plane, const SectionHandle& handle, const Ray& start)
    : start_(plane), along_(GizmoDrag::along(handle.foot, plane.normal, start)) {}

SectionPlane SectionDrag::moveTo(const Ray& ray) {
  SectionPlane plane = start_;
  plane.offset += dot(along_.moveTo(ray).translation, plane.normal);
  return plane;
}

SectionPlane flipped(const SectionPlane& plane) noexcept {
  return {-plane.normal, -plane.offset, plane.enabled};
}

}  // namespace fitup::viewer

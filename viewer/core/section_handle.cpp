#include <viewer/core/section_handle.h>

#include <cmath>

#include <viewer/core/section_cut.h>

namespace fitup::viewer {

std::optional<SectionHandle> SectionHandle::of(std::span<const SectionPlane> planes, std::size_t plane,
                                               const Box& cut, double length) {
  if (!planes[plane].enabled || cut.empty()) return std::nullopt;
  const SectionFrame frame(planes[plane]);
  const Vec3& n = planes[plane].normal;
  const Vec3 centre = cut.centre(), half = cut.halfExtent();
  // The extent of the box along a direction, and a little more.
  const auto reach = [&half](const Vec3& d) {
    return 1.05 * (std::abs(d.x) * half.x + std::abs(d.y) * half.y + std::abs(d.z) * half.z);
  };
  const FlatPoint middle = frame.flat(centre);
  const double du = reach(frame.u()), dv = reach(frame.v());
  const FlatLoop whole{{middle.x - du, middle.y - dv},
                       {middle.x + du, middle.y - dv},
                       {middle.x + du, middle.y + dv},
                       {middle.x - du, middle.y + dv}};
  FlatLoop kept = whole;
  for (const SectionPlane& other : planes)
    if (other.enabled && other != planes[plane])
      if (const auto by = frame.keptBy(other)) kept = clipped(kept, *by);
  if (!(area(kept) > 0)) kept = whole;
  SectionHandle handle;
  handle.plane = plane;
  // For a convex polygon; of a rectangle it is the middle.
  FlatPoint foot;
  for (const FlatPoint& p : kept)
    foot = {foot.x + p.x / double(kept.size()), foot.y + p.y / double(kept.size())};
  handle.foot = frame.world(foot);
  handle.tip = handle.foot + n * length;
  for (const FlatPoint& p : kept) handle.border.push_back(frame.world(p));
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

}  // namespace fitup::viewer

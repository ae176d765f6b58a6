#include <viewer/core/section_handle.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

bool SectionHandle::isHeadAt(const Camera& camera, PicturePoint point, double reach) const {
  const auto distance = pictureDistance(camera, 0.5 * (foot + tip), tip, point);
  return distance && *distance <= reach;
}

SectionDrag::SectionDrag(std::span<const SectionPlane> planes, const SectionHandle& handle, const Ray& start)
    : start_(planes[handle.plane]),
      least_(-std::numeric_limits<double>::infinity()),
      along_(GizmoDrag::along(handle.foot, start_.normal, start)) {
  constexpr double leastShare = 0.01;  // of the present distance
  for (const SectionPlane& other : planes)
    if (other.enabled && dot(other.normal, start_.normal) < -1 + 1e-9 && start_.offset > -other.offset)
      least_ = std::max(least_, -other.offset + leastShare * (start_.offset + other.offset));
}

SectionPlane SectionDrag::moveTo(const Ray& ray) {
  SectionPlane plane = start_;
  plane.offset = std::max(least_, plane.offset + dot(along_.moveTo(ray).translation, plane.normal));
  return plane;
}

}  // namespace fitup::viewer

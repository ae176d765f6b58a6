#include <viewer/core/section_planes.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fitup/base/error.h>

namespace fitup::viewer {

bool anyEnabled(std::span<const SectionPlane> planes) noexcept {
  return std::ranges::any_of(planes, &SectionPlane::enabled);
}

bool isCutAway(std::span<const SectionPlane> planes, const Vec3& point) noexcept {
  return std::ranges::any_of(planes, [&](const SectionPlane& plane) {
    return plane.enabled && dot(plane.normal, point) > plane.offset;
  });
}

SectionPlane planeThroughMiddle(const Box& visible, const Vec3& normal) noexcept {
  return {normal, visible.empty() ? 0 : dot(normal, visible.centre()), true};
}

SectionPlane planeAlong(const Vec3& axis, const Vec3& point, const Vec3& forward) noexcept {
  // The axes of the world beside the one that is most along `axis` stay far from zero in the plane across it.
  int most = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) > std::abs(axis[most])) most = i;
  Vec3 normal;
  double best = -1;
  for (int i = 0; i < 3; ++i) {
    if (i == most) continue;
    Vec3 across;
    across[i] = 1;
    across = normalized(across - dot(across, axis) * axis);
    constexpr double clearlyMore = 1e-9;  // in an isometric view, x comes before y before z
    if (const double towards = std::abs(dot(across, forward)); towards > best + clearlyMore) {
      best = towards;
      normal = dot(across, forward) > 0 ? -across : across;
    }
  }
  return {normal, dot(normal, point), true};
}

Vec3 axisTowardsViewer(const Vec3& forward) noexcept {
  // In an isometric view all three are equal up to rounding.
  constexpr double clearlyMore = 1.05;
  int best = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(forward[i]) > clearlyMore * std::abs(forward[best])) best = i;
  Vec3 axis;
  axis[best] = forward[best] > 0 ? -1 : 1;
  return axis;
}

void toggleAll(std::vector<SectionPlane>& planes, const Box& visible, const Vec3& forward) {
  if (planes.empty()) return planes.push_back(planeThroughMiddle(visible, axisTowardsViewer(forward)));
  const bool on = !anyEnabled(planes);
  for (SectionPlane& plane : planes) plane.enabled = on;
}

void addPlane(std::vector<SectionPlane>& planes, const Box& visible, const Vec3& forward) {
  if (planes.size() >= mostSections)
    throw InputError("there are " + std::to_string(mostSections) + " section planes already");
  const auto isTaken = [&](int axis) {
    return std::ranges::any_of(
        planes, [&](const SectionPlane& plane) { return std::abs(plane.normal[axis]) > 0.999; });
  };
  Vec3 seen = forward;
  for (int i = 0; i < 3; ++i)
    if (isTaken(i)) seen[i] = 0;
  planes.push_back(planeThroughMiddle(visible, axisTowardsViewer(seen == Vec3{} ? forward : seen)));
}

std::vector<SectionPlane> boxSection(const Box& around) {
  std::vector<SectionPlane> planes;
  // Faces of the box's contents that lie in a plane would be cut away or not by rounding.
  const double margin = 0.01 * norm(around.halfExtent());
  for (const double side : {1.0, -1.0})
    for (int i = 0; i < 3; ++i) {
      SectionPlane plane{{}, (side > 0 ? around.max[i] : -around.min[i]) + margin, true};
      plane.normal[i] = side;
      planes.push_back(plane);
    }
  return planes;
}

SectionPlane flipped(const SectionPlane& plane) noexcept {
  return {-plane.normal, -plane.offset, plane.enabled};
}

}  // namespace fitup::viewer

#pragma once

#include <span>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/io/project_file.h>

namespace fitup::viewer {

/// Returns true if any plane is enabled.
[[nodiscard]] bool anyEnabled(std::span<const SectionPlane> planes) noexcept;
/// Returns true if an enabled plane cuts the point away.
[[nodiscard]] bool isCutAway(std::span<const SectionPlane> planes, const Vec3& point) noexcept;

/// Returns an enabled plane through the middle of a box, or through the origin if the box is empty.
/// `normal` is a unit vector.
[[nodiscard]] SectionPlane planeThroughMiddle(const Box& visible, const Vec3& normal) noexcept;
/// Returns an enabled plane through a point that contains `axis`, a unit vector, and opens the model towards
/// the viewer; of these planes, one whose normal is as near as possible to an axis of the world.
[[nodiscard]] SectionPlane planeAlong(const Vec3& axis, const Vec3& point, const Vec3& forward) noexcept;
/// Returns the axis of the world, with its sign, that points most directly to the viewer, so that the plane
/// perpendicular to it opens the model towards the viewer. Of nearly equal ones, x comes before y before z.
[[nodiscard]] Vec3 axisTowardsViewer(const Vec3& forward) noexcept;

/// Switches all planes off if any is on; otherwise all on. If there are none, adds one through the middle of
/// `visible` that faces the viewer.
void toggleAll(std::vector<SectionPlane>& planes, const Box& visible, const Vec3& forward);
/// Adds a plane through the middle of `visible`, perpendicular to an axis that no plane has yet, if there is
/// one. Throws InputError if there are `mostSections`.
void addPlane(std::vector<SectionPlane>& planes, const Box& visible, const Vec3& forward);
/// Returns the six planes of a box slightly larger than `around`: x, y, z, and -x, -y, -z.
[[nodiscard]] std::vector<SectionPlane> boxSection(const Box& around);

/// Returns the plane with the kept side and the removed side exchanged.
[[nodiscard]] SectionPlane flipped(const SectionPlane& plane) noexcept;

}  // namespace fitup::viewer

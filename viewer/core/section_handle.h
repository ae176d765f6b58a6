#pragma once

#include <array>
#include <optional>

#include <fitup/io/project_file.h>
#include <viewer/core/camera.h>
#include <viewer/core/gizmo.h>

namespace fitup::viewer {

/// The handle that moves a section plane along its normal. World coordinates.
struct SectionHandle {
  Vec3 foot;                   ///< foot of the arrow, in the plane, near the middle of the section
  Vec3 tip;                    ///< towards the side that is cut away
  std::array<Vec3, 4> border;  ///< border of the drawn part of the plane

  /// Returns the handle of an enabled plane that cuts something; otherwise empty. `length`: of the arrow.
  static std::optional<SectionHandle> of(const SectionPlane& plane, const Box& cut, double length);
  /// Returns true if a point of the picture is at most `reach` pixels from the arrow.
  [[nodiscard]] bool isAt(const Camera& camera, PicturePoint point, double reach) const;
};

/// Converts rays under the cursor to planes, from the beginning of a drag.
class SectionDrag {
 public:
  SectionDrag(const SectionPlane& plane, const SectionHandle& handle, const Ray& start);
  /// Returns the plane that follows the ray, or the last one if the ray determines none, as along the normal.
  [[nodiscard]] SectionPlane moveTo(const Ray& ray);

 private:
  SectionPlane start_;
  GizmoDrag along_;
};

/// Returns the plane with the kept side and the removed side exchanged.
SectionPlane flipped(const SectionPlane& plane) noexcept;

}  // namespace fitup::viewer

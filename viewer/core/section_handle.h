#pragma once

#include <array>
#include <optional>

#include <fitup/io/project_file.h>
#include <viewer/core/camera.h>
#include <viewer/core/gizmo.h>

namespace fitup::viewer {

/// What a user takes hold of to move a section plane along its normal. World coordinates.
struct SectionHandle {
  Vec3 foot;                   ///< of the arrow, in the plane, near the middle of what it cuts
  Vec3 tip;                    ///< towards what is cut away
  std::array<Vec3, 4> border;  ///< of the part of the plane that is drawn

  /// For an enabled plane and what it cuts; nothing else. `length` of the arrow.
  static std::optional<SectionHandle> of(const SectionPlane& plane, const Box& cut, double length);
  /// True if a point of the picture is at most `reach` pixels from the arrow.
  [[nodiscard]] bool isAt(const Camera& camera, PicturePoint point, double reach) const;
};

/// From rays under the cursor to planes, from where the drag began.
class SectionDrag {
 public:
  SectionDrag(const SectionPlane& plane, const SectionHandle& handle, const Ray& start);
  /// The plane that follows the ray; the last one where the ray says nothing, as along the normal.
  [[nodiscard]] SectionPlane moveTo(const Ray& ray);

 private:
  SectionPlane start_;
  GizmoDrag along_;
};

/// The same cut with what was kept and what was cut away exchanged.
SectionPlane flipped(const SectionPlane& plane) noexcept;

}  // namespace fitup::viewer

#pragma once

#include <optional>
#include <span>
#include <vector>

#include <fitup/io/project_file.h>
#include <viewer/core/camera.h>
#include <viewer/core/gizmo.h>

namespace fitup::viewer {

/// The handle that moves a section plane along its normal. World coordinates.
struct SectionHandle {
  std::size_t plane = 0;     ///< index of the plane
  Vec3 foot;                 ///< foot of the arrow, in the plane, near the middle of the section
  Vec3 tip;                  ///< towards the side that is cut away
  std::vector<Vec3> border;  ///< border of the drawn part of the plane: a convex polygon

  /// Returns the handle of a plane, or nothing if it is not enabled or nothing is cut. `cut` is the box of
  /// what is cut. The drawn part is what the other enabled planes keep, or all of it if that is nothing.
  /// `length`: of the arrow.
  static std::optional<SectionHandle> of(std::span<const SectionPlane> planes, std::size_t plane,
                                         const Box& cut, double length);
  /// Returns true if a point of the picture is at most `reach` pixels from the arrow.
  [[nodiscard]] bool isAt(const Camera& camera, PicturePoint point, double reach) const;
  /// The same for the half of the arrow with its head.
  [[nodiscard]] bool isHeadAt(const Camera& camera, PicturePoint point, double reach) const;
};

/// Converts rays under the cursor to planes, from the beginning of a drag.
class SectionDrag {
 public:
  /// Drags the handle of one of these planes. An enabled opposite one, as of a box, is not passed: some of
  /// what lies between both stays.
  SectionDrag(std::span<const SectionPlane> planes, const SectionHandle& handle, const Ray& start);
  /// Returns the plane that follows the ray, or the last one if the ray determines none, as along the normal.
  [[nodiscard]] SectionPlane moveTo(const Ray& ray);

 private:
  SectionPlane start_;
  double least_;  ///< offset
  GizmoDrag along_;
};

}  // namespace fitup::viewer

#pragma once

#include <span>
#include <vector>

#include <fitup/scene/scene.h>
#include <viewer/core/camera.h>

namespace fitup::viewer {

/// A rectangle of the picture.
struct PictureRectangle {
  PicturePoint low, high;  ///< upper left and lower right corner

  static PictureRectangle between(PicturePoint a, PicturePoint b) noexcept;
  [[nodiscard]] bool contains(PicturePoint p) const noexcept {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y;
  }
};

/// Which parts a rectangle selects.
enum class BandRule {
  inside,   ///< those of which nothing is seen outside
  crossing  ///< those of which something is seen inside
};

/// Returns those of some instances that are in the rectangle, whatever hides them, by their triangles. A
/// triangle that lies partly behind the eye of a perspective camera is outside.
std::vector<NodeId> instancesIn(const Scene& scene, const Poses& poses, std::span<const NodeId> instances,
                                const Camera& camera, const PictureRectangle& rectangle, BandRule rule);

}  // namespace fitup::viewer

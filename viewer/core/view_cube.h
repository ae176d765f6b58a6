#pragma once

#include <array>
#include <optional>
#include <vector>

#include <viewer/core/camera.h>

namespace fitup::viewer {

/// A cube that shows how the camera stands, and turns it where one clicks. In the cube's own picture: pixels
/// from the upper left corner of a square.
class ViewCube {
 public:
  /// `size`: of the square.
  ViewCube(const Camera& camera, double size);

  /// A face that can be seen.
  struct Face {
    StandardView view{};
    /// Seen from outside, with the top of its name up: upper left, upper right, lower right, lower left.
    std::array<PicturePoint, 4> corners;
    double light = 0;  ///< from 0, for a face seen from the side, to 1
  };
  [[nodiscard]] std::vector<Face> faces() const;
  /// The end of an axis of the world, from 0 to 2, and the corner of the cube where it begins.
  [[nodiscard]] std::array<PicturePoint, 2> axis(int axis) const;
  /// The part of the cube at a point: the middle of a face, an edge or a corner. Empty beside the cube.
  struct Zone {
    Vec3 sight;  ///< unit direction in which this part of the cube is looked at
    /// The outlines of what belongs to it on each face that can be seen.
    std::vector<std::array<PicturePoint, 4>> outlines;
  };
  [[nodiscard]] std::optional<Zone> zoneAt(PicturePoint point) const;

 private:
  struct Side {
    StandardView view{};
    Vec3 normal, right, up;  ///< as seen from outside
  };
  [[nodiscard]] PicturePoint at(const Vec3& point) const noexcept;
  [[nodiscard]] std::array<PicturePoint, 4> outline(const Side& side, double left, double right, double low,
                                                    double high) const;

  Camera camera_;
  double size_;
  std::array<Side, 6> sides_;
};

}  // namespace fitup::viewer

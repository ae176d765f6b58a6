#pragma once

#include <optional>

#include <fitup/geometry/aabb.h>
#include <fitup/io/project_file.h>
#include <fitup/scene/assembly.h>

namespace fitup::viewer {

/// A half line in the world.
struct Ray {
  Vec3 from, direction;  ///< unit
  [[nodiscard]] Vec3 at(double t) const noexcept { return from + direction * t; }
};

/// A point of the picture, in pixels from its upper left corner.
struct PicturePoint {
  double x = 0, y = 0;
};

/// Ways to look at an assembly, named by the side that one sees. Front: from -y, for z up.
enum class StandardView { isometric, front, back, left, right, top, bottom };

/// A perspective camera that is moved as in CAD programs: it turns about a point that stays where it is in
/// the picture, it zooms to the point under the cursor. A value; world coordinates, pixels of the device.
class Camera {
 public:
  /// Vertical angle of view.
  static constexpr double fieldOfViewDegrees = 30;

  void setPicture(int widthPixels, int heightPixels) noexcept;
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }
  void setUpAxis(UpAxis axis) noexcept { upAxis_ = axis; }

  [[nodiscard]] const Viewpoint& viewpoint() const noexcept { return view_; }
  /// What cannot be looked at (eye on the target, up along the line of sight) is put right.
  void setViewpoint(const Viewpoint& view) noexcept;

  [[nodiscard]] Ray ray(PicturePoint point) const noexcept;
  /// Nothing for a point that is not in front of the eye.
  [[nodiscard]] std::optional<PicturePoint> project(const Vec3& point) const noexcept;
  /// Length in the world of a pixel at the depth of a point.
  [[nodiscard]] double worldPerPixel(const Vec3& point) const noexcept;
  /// Unit, from the eye.
  [[nodiscard]] Vec3 forward() const noexcept;
  /// Unit, in the picture.
  [[nodiscard]] Vec3 right() const noexcept { return axes().right; }
  [[nodiscard]] Vec3 up() const noexcept { return axes().up; }

  /// Turns about a point: about the vertical for a movement to the side, else about the picture's horizontal.
  void orbit(double dx, double dy, const Vec3& about) noexcept;
  /// What lies at the depth of `grabbed` follows the cursor.
  void pan(double dx, double dy, const Vec3& grabbed) noexcept;
  /// factor < 1: nearer. `about` stays where it is in the picture.
  void zoom(double factor, const Vec3& about) noexcept;
  /// All of the box in the picture, seen from the same side. Nothing for an empty box.
  void frame(const Box& world) noexcept;
  /// The same from another side.
  void look(StandardView view, const Box& world) noexcept;

 private:
  struct Axes {
    Vec3 right, up, forward;
  };
  [[nodiscard]] Axes axes() const noexcept;
  [[nodiscard]] double focalPixels() const noexcept;

  Viewpoint view_;
  UpAxis upAxis_ = UpAxis::z;
  int width_ = 1, height_ = 1;
};

}  // namespace fitup::viewer

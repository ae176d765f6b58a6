#pragma once

#include <optional>

#include <fitup/geometry/aabb.h>
#include <fitup/io/project_file.h>
#include <fitup/scene/assembly.h>

namespace fitup::viewer {

/// A ray in world coordinates.
struct Ray {
  Vec3 from, direction;  ///< `direction` is a unit vector
  [[nodiscard]] Vec3 at(double t) const noexcept { return from + direction * t; }
};

/// A point of the picture, in pixels from its upper left corner.
struct PicturePoint {
  double x = 0, y = 0;
};

/// Standard views, named by the visible side. Front: from -y, for z up.
enum class StandardView { isometric, front, back, left, right, top, bottom };

enum class Projection { orthographic, perspective };

/// A camera that moves as in CAD programs: it turns about a point that stays in place in the picture, and
/// zooms to the point under the cursor. A value; world coordinates, device pixels.
///
/// In an orthographic picture, the distance of eye and target sets the scale, so that it shows what lies at
/// the target as large as a perspective one does. Everything in front of and behind the eye is visible.
class Camera {
 public:
  /// The vertical angle of view.
  static constexpr double fieldOfViewDegrees = 30;

  void setProjection(Projection projection) noexcept { projection_ = projection; }
  [[nodiscard]] Projection projection() const noexcept { return projection_; }

  void setPicture(int widthPixels, int heightPixels) noexcept;
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }
  void setUpAxis(UpAxis axis) noexcept { upAxis_ = axis; }
  /// Right-handed: up, right as seen from the front, and away from who looks at the front.
  struct WorldAxes {
    Vec3 up, right, away;
  };
  [[nodiscard]] WorldAxes worldAxes() const noexcept;

  [[nodiscard]] const Viewpoint& viewpoint() const noexcept { return view_; }
  /// Corrects impossible viewpoints (eye at the target, up along the line of sight).
  void setViewpoint(const Viewpoint& view) noexcept;

  /// Begins in front of everything that is visible at the point.
  [[nodiscard]] Ray ray(PicturePoint point) const noexcept;
  /// Empty for a point that a perspective camera has not in front of the eye.
  [[nodiscard]] std::optional<PicturePoint> project(const Vec3& point) const noexcept;
  /// The length in the world of a pixel at the depth of a point.
  [[nodiscard]] double worldPerPixel(const Vec3& point) const noexcept;
  /// True if all of the box is within the picture, in front of the eye. False for an empty box.
  [[nodiscard]] bool contains(const Box& world) const noexcept;
  /// False if nothing in the box is within the picture.
  [[nodiscard]] bool mayShow(const Box& world) const noexcept;
  /// Half of the height of what an orthographic picture shows, in the world.
  [[nodiscard]] double halfHeight() const noexcept;
  /// The unit vector from the eye.
  [[nodiscard]] Vec3 forward() const noexcept;
  /// The unit vector to the right in the picture.
  [[nodiscard]] Vec3 right() const noexcept { return axes().right; }
  [[nodiscard]] Vec3 up() const noexcept { return axes().up; }

  /// Turns about a point: about the vertical for a sideways movement, otherwise about the picture's
  /// horizontal.
  void orbit(double dx, double dy, const Vec3& about) noexcept;
  /// Moves the camera so that everything at the depth of `grabbed` follows the cursor.
  void pan(double dx, double dy, const Vec3& grabbed) noexcept;
  /// A factor below 1 moves nearer. `about` stays in place in the picture.
  void zoom(double factor, const Vec3& about) noexcept;
  /// True if both look in the same direction, with the same side up.
  [[nodiscard]] bool isTurnedAs(const Camera& other) const noexcept;
  /// Turns about the target into the direction of another camera, with the same side up.
  void turnAs(const Camera& other) noexcept;
  /// Turns about the target, as far as that must be, into a direction of sight.
  void lookAlong(const Vec3& sight) noexcept;
  /// Fits what is at these points of the picture, at the depth of the target, into the picture.
  void zoomTo(PicturePoint a, PicturePoint b) noexcept;
  /// Fits the box into the picture, seen from the same side. Does nothing for an empty box.
  void frame(const Box& world) noexcept;
  /// Fits the box into the picture, seen from another side.
  void look(StandardView view, const Box& world) noexcept;

 private:
  struct Axes {
    Vec3 right, up, forward;
  };
  [[nodiscard]] Axes axes() const noexcept;
  [[nodiscard]] double focalPixels() const noexcept;

  Viewpoint view_;
  UpAxis upAxis_ = UpAxis::z;
  Projection projection_ = Projection::orthographic;
  int width_ = 1, height_ = 1;
};

}  // namespace fitup::viewer

#include <viewer/core/camera.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fitup::viewer {
namespace {

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Returns a vector that is not parallel to `v`.
Vec3 upBeside(const Vec3& v) { return std::abs(v.z) < std::abs(v.x) ? Vec3{0, 0, 1} : Vec3{1, 0, 0}; }

}  // namespace

Camera::WorldAxes Camera::worldAxes() const noexcept {
  switch (upAxis_) {
    case UpAxis::x:
      return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    case UpAxis::y:
      return {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}};
    case UpAxis::z:
      break;
  }
  return {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
}

void Camera::setPicture(int widthPixels, int heightPixels) noexcept {
  width_ = std::max(1, widthPixels);
  height_ = std::max(1, heightPixels);
}

void Camera::setViewpoint(const Viewpoint& view) noexcept {
  view_ = view;
  if (!(norm(view_.target - view_.eye) > 0)) view_.eye = view_.target - worldAxes().away;
  const Vec3 sight = normalized(view_.target - view_.eye);
  if (!(norm(cross(sight, view_.up)) > 1e-9 * norm(view_.up))) view_.up = upBeside(sight);
}

Vec3 Camera::forward() const noexcept { return normalized(view_.target - view_.eye); }

Camera::Axes Camera::axes() const noexcept {
  const Vec3 sight = forward();
  const Vec3 right = normalized(cross(sight, view_.up));
  return {right, cross(right, sight), sight};
}

double Camera::focalPixels() const noexcept {
  return 0.5 * height_ / std::tan(radians(0.5 * fieldOfViewDegrees));
}

Ray Camera::ray(PicturePoint point) const noexcept {
  const Axes a = axes();
  const Vec3 across = a.right * (point.x - 0.5 * width_) + a.up * (0.5 * height_ - point.y);
  if (projection_ == Projection::perspective)
    return {view_.eye, normalized(a.forward * focalPixels() + across)};
  // Farther in front of the eye than any model is large, compared with the picture.
  constexpr double farthest = 1e5;
  const double distance = norm(view_.target - view_.eye);
  return {view_.eye + across * (distance / focalPixels()) - a.forward * (farthest * distance), a.forward};
}

std::optional<PicturePoint> Camera::project(const Vec3& point) const noexcept {
  const Axes a = axes();
  const Vec3 v = point - view_.eye;
  if (projection_ == Projection::perspective && !(dot(v, a.forward) > 0)) return std::nullopt;
  const double scale = 1 / worldPerPixel(point);
  return PicturePoint{0.5 * width_ + dot(v, a.right) * scale, 0.5 * height_ - dot(v, a.up) * scale};
}

double Camera::worldPerPixel(const Vec3& point) const noexcept {
  const Vec3& at = projection_ == Projection::perspective ? point : view_.target;
  return std::abs(dot(at - view_.eye, forward())) / focalPixels();
}

bool Camera::contains(const Box& world) const noexcept {
  if (world.empty()) return false;
  for (int corner = 0; corner < 8; ++corner) {
    const auto at =
        project({(corner & 1) != 0 ? world.max.x : world.min.x, (corner & 2) != 0 ? world.max.y : world.min.y,
                 (corner & 4) != 0 ? world.max.z : world.min.z});
    if (!at || at->x < 0 || at->x > width_ || at->y < 0 || at->y > height_) return false;
  }
  return true;
}

bool Camera::mayShow(const Box& world) const noexcept {
  const double radius = norm(world.halfExtent()), depth = dot(world.centre() - view_.eye, forward());
  if (projection_ == Projection::perspective && depth <= radius) return depth > -radius;
  const auto centre = project(world.centre());
  // A sphere beside the line of sight looks longer than its radius.
  const double pixels = 2 * radius / worldPerPixel(world.centre());
  return centre && centre->x + pixels >= 0 && centre->x - pixels <= width_ && centre->y + pixels >= 0 &&
         centre->y - pixels <= height_;
}

double Camera::halfHeight() const noexcept { return 0.5 * height_ * worldPerPixel(view_.target); }

void Camera::orbit(double dx, double dy, const Vec3& about) noexcept {
  const Axes a = axes();
  const Vec3 vertical = worldAxes().up;
  const double side =
      dot(a.up, vertical) < 0 ? -1 : 1;  // keeps left on the left if the camera is upside down
  const double perPixel = std::numbers::pi / std::max(200, std::min(width_, height_));
  const Transform turn =
      Transform::rotation(vertical, -dx * perPixel * side) * Transform::rotation(a.right, -dy * perPixel);
  setViewpoint({about + turn.applyToVector(view_.eye - about),
                about + turn.applyToVector(view_.target - about), turn.applyToVector(a.up)});
}

void Camera::pan(double dx, double dy, const Vec3& grabbed) noexcept {
  const Axes a = axes();
  const double scale = worldPerPixel(grabbed);
  const Vec3 shift = a.up * (dy * scale) - a.right * (dx * scale);
  view_.eye = view_.eye + shift;
  view_.target = view_.target + shift;
}

void Camera::zoom(double factor, const Vec3& about) noexcept {
  setViewpoint({about + (view_.eye - about) * factor, about + (view_.target - about) * factor, view_.up});
}

bool Camera::isTurnedAs(const Camera& other) const noexcept {
  return norm(forward() - other.forward()) < 1e-9 && norm(up() - other.up()) < 1e-9;
}

void Camera::turnAs(const Camera& other) noexcept {
  if (isTurnedAs(other)) return;
  const double distance = norm(view_.target - view_.eye);
  setViewpoint({view_.target - other.forward() * distance, view_.target, other.up()});
}

void Camera::lookAlong(const Vec3& sight) noexcept {
  const Vec3 along = normalized(sight), vertical = worldAxes().up;
  if (norm(along - forward()) < 1e-9) return;
  const double distance = norm(view_.target - view_.eye);
  // Seen along the vertical, the picture keeps what is up in it.
  const bool isVertical = norm(cross(along, vertical)) < 1e-6;
  setViewpoint({view_.target - along * distance, view_.target, isVertical ? axes().up : vertical});
}

void Camera::zoomTo(PicturePoint a, PicturePoint b) noexcept {
  pan(0.5 * width_ - 0.5 * (a.x + b.x), 0.5 * height_ - 0.5 * (a.y + b.y), view_.target);
  const double share = std::max(std::abs(a.x - b.x) / width_, std::abs(a.y - b.y) / height_);
  if (share > 0) zoom(share, view_.target);
}

void Camera::frame(const Box& world) noexcept {
  if (world.empty()) return;
  const Axes a = axes();
  const Vec3 half = world.halfExtent();
  const double tanY = std::tan(radians(0.5 * fieldOfViewDegrees)), tanX = tanY * width_ / height_;
  // The least distance of the eye from which all corners lie within the picture.
  double distance = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 v{(corner & 1) != 0 ? half.x : -half.x, (corner & 2) != 0 ? half.y : -half.y,
                 (corner & 4) != 0 ? half.z : -half.z};
    const double towards = projection_ == Projection::perspective ? -dot(v, a.forward) : 0;
    distance = std::max(
        {distance, towards + std::abs(dot(v, a.right)) / tanX, towards + std::abs(dot(v, a.up)) / tanY});
  }
  distance = std::max(1.06 * distance, 1e-9);
  const Vec3 centre = world.centre();
  view_ = {centre - a.forward * distance, centre, a.up};
}

void Camera::look(StandardView view, const Box& world) noexcept {
  const WorldAxes w = worldAxes();
  Vec3 sight = w.away, up = w.up;
  switch (view) {
    case StandardView::isometric:
      sight = w.away * 1.2 - w.right - w.up * 0.75;
      break;
    case StandardView::front:
      break;
    case StandardView::back:
      sight = -w.away;
      break;
    case StandardView::left:
      sight = w.right;
      break;
    case StandardView::right:
      sight = -w.right;
      break;
    case StandardView::top:
      sight = -w.up;
      up = w.away;
      break;
    case StandardView::bottom:
      sight = w.up;
      up = -w.away;
      break;
  }
  setViewpoint({view_.target - sight, view_.target, up});
  frame(world);
}

}  // namespace fitup::viewer

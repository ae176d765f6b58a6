#include <viewer/core/view_cube.h>

#include <algorithm>
#include <cmath>

namespace fitup::viewer {
namespace {

constexpr double halfEdge = 1;
/// The middle of a face; the rest of it belongs to edges and corners.
constexpr double middle = 0.62;
/// Half of the height of the picture, in which the cube and its axes fit however they are turned.
constexpr double shown = 2.3;
constexpr double axisLength = 2.7;

/// The places of a point of a quadrilateral that is a parallelogram: 0 to 1 from the lower left corner.
std::array<double, 2> placeIn(const std::array<PicturePoint, 4>& q, PicturePoint p) {
  const double ux = q[2].x - q[3].x, uy = q[2].y - q[3].y, vx = q[0].x - q[3].x, vy = q[0].y - q[3].y;
  const double area = ux * vy - uy * vx, x = p.x - q[3].x, y = p.y - q[3].y;
  return {(x * vy - y * vx) / area, (ux * y - uy * x) / area};
}

}  // namespace

ViewCube::ViewCube(const Camera& camera, double size) : camera_(camera), size_(size) {
  const auto [up, right, away] = camera.worldAxes();
  sides_ = {{{StandardView::front, -away, right, up},
             {StandardView::back, away, -right, up},
             {StandardView::left, -right, -away, up},
             {StandardView::right, right, away, up},
             {StandardView::top, up, right, away},
             {StandardView::bottom, -up, right, -away}}};
}

PicturePoint ViewCube::at(const Vec3& point) const noexcept {
  const double scale = 0.5 * size_ / shown;
  return {0.5 * size_ + scale * dot(point, camera_.right()), 0.5 * size_ - scale * dot(point, camera_.up())};
}

std::array<PicturePoint, 4> ViewCube::outline(const Side& side, double left, double right, double low,
                                              double high) const {
  const auto corner = [&](double x, double y) {
    return at(side.normal * halfEdge + side.right * x + side.up * y);
  };
  return {corner(left, high), corner(right, high), corner(right, low), corner(left, low)};
}

std::vector<ViewCube::Face> ViewCube::faces() const {
  std::vector<Face> faces;
  for (const Side& side : sides_) {
    const double light = -dot(side.normal, camera_.forward());
    if (light < 1e-6) continue;
    faces.push_back({side.view, outline(side, -halfEdge, halfEdge, -halfEdge, halfEdge), light});
  }
  return faces;
}

std::array<PicturePoint, 2> ViewCube::axis(int axis) const {
  const Vec3 from{-1.15, -1.15, -1.15};
  Vec3 to = from;
  to[axis] += axisLength;
  return {at(from), at(to)};
}

std::optional<ViewCube::Zone> ViewCube::zoneAt(PicturePoint point) const {
  const auto part = [](double place) {
    return place < 0.5 * (1 - middle) ? -1 : place > 0.5 * (1 + middle) ? 1 : 0;
  };
  for (const Side& side : sides_) {
    if (-dot(side.normal, camera_.forward()) < 1e-2) continue;
    const auto [x, y] = placeIn(outline(side, -halfEdge, halfEdge, -halfEdge, halfEdge), point);
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
    const Vec3 direction = side.normal + side.right * part(x) + side.up * part(y);
    Zone zone{-normalized(direction), {}};
    // The edge or corner belongs to other faces too.
    for (const Side& each : sides_) {
      if (-dot(each.normal, camera_.forward()) < 1e-2 || dot(each.normal, direction) < 0.5) continue;
      const auto range = [&](const Vec3& axis) -> std::array<double, 2> {
        const double along = dot(axis, direction);
        if (std::abs(along) < 0.5) return {-middle, middle};
        return along > 0 ? std::array{middle, halfEdge} : std::array{-halfEdge, -middle};
      };
      const auto [left, right] = range(each.right);
      const auto [low, high] = range(each.up);
      zone.outlines.push_back(outline(each, left, right, low, high));
    }
    return zone;
  }
  return std::nullopt;
}

}  // namespace fitup::viewer

#include <viewer/core/rubber_band.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fitup::viewer {
namespace {

using Corners = std::array<PicturePoint, 3>;

double sideOf(PicturePoint a, PicturePoint b, PicturePoint p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Whether all corners are on the outer side of an edge of the other polygon.
template <typename Polygon>
bool separates(PicturePoint a, PicturePoint b, double inside, const Polygon& corners) {
  return std::ranges::all_of(corners, [&](PicturePoint p) { return sideOf(a, b, p) * inside < 0; });
}

/// Two convex polygons are apart if an edge of one of them separates them.
bool meets(const PictureRectangle& r, const Corners& t) {
  const std::array box{r.low, PicturePoint{r.high.x, r.low.y}, r.high, PicturePoint{r.low.x, r.high.y}};
  const double area = sideOf(t[0], t[1], t[2]);
  for (std::size_t k = 0; k < 3; ++k)
    if (area != 0 && separates(t[k], t[(k + 1) % 3], area, box)) return false;
  for (std::size_t k = 0; k < 4; ++k)
    if (separates(box[k], box[(k + 1) % 4], 1, t)) return false;
  if (area != 0) return true;
  // Seen from the side, the triangle is a segment, which its own line may separate from the rectangle.
  for (std::size_t k = 0; k < 3; ++k) {
    const PicturePoint &a = t[k], &b = t[(k + 1) % 3];
    if (separates(a, b, 1, box) || separates(a, b, -1, box)) return false;
  }
  return true;
}

}  // namespace

PictureRectangle PictureRectangle::between(PicturePoint a, PicturePoint b) noexcept {
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

std::vector<NodeId> instancesIn(const Scene& scene, const Poses& poses, std::span<const NodeId> instances,
                                const Camera& camera, const PictureRectangle& rectangle, BandRule rule) {
  std::vector<NodeId> found;
  for (const NodeId node : instances) {
    const TriangleMesh& mesh = scene.assembly().meshOf(node);
    if (mesh.triangleCount() == 0 || !camera.mayShow(scene.worldBounds(node, poses))) continue;
    const Transform worldFromPart = scene.worldFromPart(node, poses);
    std::vector<std::optional<PicturePoint>> seen(mesh.points().size());
    for (std::uint32_t i = 0; i < seen.size(); ++i)
      seen[i] = camera.project(worldFromPart.apply(mesh.pointInPart(i)));
    const auto isIn = [&](const TriangleIndices& t) {
      if (!seen[t[0]] || !seen[t[1]] || !seen[t[2]]) return false;
      const Corners corners{*seen[t[0]], *seen[t[1]], *seen[t[2]]};
      return rule == BandRule::crossing
                 ? meets(rectangle, corners)
                 : std::ranges::all_of(corners, [&](PicturePoint p) { return rectangle.contains(p); });
    };
    if (rule == BandRule::crossing ? std::ranges::any_of(mesh.triangles(), isIn)
                                   : std::ranges::all_of(mesh.triangles(), isIn))
      found.push_back(node);
  }
  return found;
}

}  // namespace fitup::viewer

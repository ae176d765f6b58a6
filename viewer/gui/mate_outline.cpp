#include <viewer/gui/mate_outline.h>

#include <array>
#include <map>

#include <viewer/gui/overlay_shapes.h>

namespace fitup::viewer {
namespace {

using Edge = std::array<double, 6>;

/// The same for both directions. Triangles need not share their points.
Edge edgeOf(const Vec3& a, const Vec3& b) {
  const std::array<double, 3> p{a.x, a.y, a.z}, q{b.x, b.y, b.z};
  const auto& [low, high] = std::minmax(p, q);
  return {low[0], low[1], low[2], high[0], high[1], high[2]};
}

}  // namespace

std::vector<std::pair<Vec3, Vec3>> borderOf(const TriangleMesh& mesh, std::span<const SurfaceId> surfaces) {
  std::map<Edge, int> uses;
  for (const SurfaceId surface : surfaces) {
    const Surface& face = mesh.surfaces()[index(surface)];
    for (std::uint32_t i = 0; i < face.triangleCount; ++i) {
      const Triangle t = mesh.triangle(TriangleId{face.firstTriangle + i});
      for (int k = 0; k < 3; ++k) ++uses[edgeOf(t.v[k], t.v[(k + 1) % 3])];
    }
  }
  std::vector<std::pair<Vec3, Vec3>> border;
  for (const auto& [edge, count] : uses)
    if (count == 1)
      border.emplace_back(mesh.origin() + Vec3{edge[0], edge[1], edge[2]},
                          mesh.origin() + Vec3{edge[3], edge[4], edge[5]});
  return border;
}

osg::ref_ptr<osg::Geode> outlineOf(const MateSuggestion& mate, const Scene& scene, const Poses& poses) {
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  const auto add = [&](NodeId node, const std::vector<SurfaceId>& surfaces, const osg::Vec4& colour) {
    const Transform worldFromPart = scene.worldFromPart(node, poses);
    std::vector<Vec3> points;
    for (const auto& [from, to] : borderOf(scene.assembly().meshOf(node), surfaces))
      points.insert(points.end(), {worldFromPart.apply(from), worldFromPart.apply(to)});
    geode->addDrawable(makeShape(points, GL_LINES, colour));
  };
  add(mate.fixed, mate.fixedSurfaces, {0.55F, 0.0F, 0.45F, 1});
  add(mate.moved, mate.movedSurfaces, {0.9F, 0.1F, 0.8F, 1});
  return geode;
}

}  // namespace fitup::viewer

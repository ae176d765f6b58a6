#include <viewer/core/drawn_edges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fitup/mesh/mesh_topology.h>

namespace fitup::viewer {
namespace {

const double creaseCosine = std::cos(30 * std::numbers::pi / 180);

}  // namespace

std::vector<EdgeSegment> creasesOf(const TriangleMesh& mesh) {
  const MeshTopology topology(mesh);
  const auto normalOf = [&](const MeshTopology::Use& use) {
    const Triangle t = mesh.triangle(TriangleId{use.triangle});
    const Vec3 across = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const double length = norm(across);
    return length > 0 ? across * ((use.forward ? 1 : -1) / length) : Vec3{};
  };
  std::vector<EdgeSegment> creases;
  for (const MeshTopology::Edge& edge : topology.edges()) {
    const auto uses = topology.uses(edge);
    // Along the edge, neighbours run in opposite directions.
    const bool isSmooth = uses.size() == 2 && -dot(normalOf(uses[0]), normalOf(uses[1])) >= creaseCosine;
    if (!isSmooth) creases.emplace_back(edge.low, edge.high);
  }
  return creases;
}

std::vector<EdgeSegment> drawnEdges(const TriangleMesh& mesh) {
  if (mesh.featureEdges().empty()) return creasesOf(mesh);
  std::vector<EdgeSegment> segments;
  for (const FeatureEdge& edge : mesh.featureEdges()) {
    if (edge.first == edge.second) continue;
    const auto points = mesh.edgePoints(edge);
    for (std::size_t i = 1; i < points.size(); ++i) segments.emplace_back(points[i - 1], points[i]);
  }
  return segments;
}

std::vector<EdgeSegment> borderOf(const TriangleMesh& mesh, SurfaceId surface) {
  const Surface& face = mesh.surfaces()[index(surface)];
  std::vector<EdgeSegment> edges;
  for (std::uint32_t i = 0; i < face.triangleCount; ++i) {
    const TriangleIndices& corners = mesh.triangles()[face.firstTriangle + i];
    for (std::size_t k = 0; k < 3; ++k) edges.push_back(std::minmax(corners[k], corners[(k + 1) % 3]));
  }
  std::ranges::sort(edges);
  std::vector<EdgeSegment> border;
  for (auto at = edges.begin(); at != edges.end();) {
    const auto next = std::upper_bound(at, edges.end(), *at);
    if (next - at == 1) border.push_back(*at);
    at = next;
  }
  return border;
}

}  // namespace fitup::viewer

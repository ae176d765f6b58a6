#include <fitup/mesh/mesh_topology.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include <fitup/base/disjoint_sets.h>
#include <fitup/mesh/weld.h>

namespace fitup {

MeshTopology::MeshTopology(const TriangleMesh& mesh, const WorkMeter& meter)
    : weld_(weldByCoordinates(mesh.points(), meter)) {
  findEdges(mesh, meter);
  findComponents(mesh.triangleCount(), meter);
  agreeOnOrientation(mesh.triangleCount(), meter);
}

void MeshTopology::findEdges(const TriangleMesh& mesh, const WorkMeter& meter) {
  struct Side {
    std::uint32_t low, high, triangle;
    std::uint8_t corner;
    bool forward;
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangleCount());
  polledLoop(mesh.triangleCount(), meter, [&](std::size_t t) {
    for (std::uint8_t k = 0; k < 3; ++k) {
      const TriangleIndices& corners = mesh.triangles()[t];
      const std::uint32_t a = weld_[corners[k]], b = weld_[corners[(k + 1U) % 3]];
      if (a != b) sides.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(t), k, a < b});
    }
  });
  auto less = polled(meter, [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle, a.corner) < std::tie(b.low, b.high, b.triangle, b.corner);
  });
  std::sort(sides.begin(), sides.end(), std::ref(less));
  triangleEdges_.assign(mesh.triangleCount(), {noEdge, noEdge, noEdge});
  polledLoop(sides.size(), meter, [&](std::size_t i) {
    const Side& side = sides[i];
    if (edges_.empty() || edges_.back().low != side.low || edges_.back().high != side.high)
      edges_.push_back({side.low, side.high, static_cast<std::uint32_t>(uses_.size()), 0});
    ++edges_.back().useCount;
    uses_.push_back({side.triangle, side.forward});
    triangleEdges_[side.triangle][side.corner] = static_cast<std::uint32_t>(edges_.size() - 1);
  });
}

void MeshTopology::findComponents(std::size_t triangles, const WorkMeter& meter) {
  DisjointSets sets(triangles);
  // Loops over uses, because one edge of a hostile mesh may have as many as there are triangles.
  std::size_t edge = 0;
  polledLoop(uses_.size(), meter, [&](std::size_t i) {
    if (i == std::size_t{edges_[edge].firstUse} + edges_[edge].useCount) ++edge;
    sets.unite(uses_[edges_[edge].firstUse].triangle, uses_[i].triangle);
  });
  component_.resize(triangles);
  polledLoop(triangles, meter, [&](std::size_t t) {
    const std::uint32_t root = sets.find(static_cast<std::uint32_t>(t));
    component_[t] = root == t ? componentCount_++ : component_[root];
  });
}

void MeshTopology::agreeOnOrientation(std::size_t triangles, const WorkMeter& meter) {
  const auto agrees = [&](const Edge& edge) {
    return edge.useCount != 2 || uses_[edge.firstUse].forward != uses_[edge.firstUse + 1].forward;
  };
  bool allAgree = true;
  polledLoop(edges_.size(), meter, [&](std::size_t i) { allAgree = allAgree && agrees(edges_[i]); });
  if (allAgree) return;

  // Orientation propagates from triangle to triangle across edges of two. Where it cannot agree (a one-sided
  // surface), the edge stays as it is and counts as open.
  reversed_.assign(triangles, 0);
  std::vector<char> seen(triangles, 0);
  std::vector<std::uint32_t> patch;
  polledLoop(triangles, meter, [&](std::size_t first) {
    if (seen[first]) return;
    patch.assign(1, static_cast<std::uint32_t>(first));
    seen[first] = 1;
    std::size_t turned = 0;
    for (std::size_t i = 0; i < patch.size(); ++i) {
      if (i % 4096 == 0) meter.poll();
      for (std::uint32_t e : triangleEdges_[patch[i]]) {
        if (e == noEdge || edges_[e].useCount != 2) continue;
        const auto both = uses(edges_[e]);
        const Use& other = both[both[0].triangle == patch[i] ? 1 : 0];
        if (seen[other.triangle]) continue;
        seen[other.triangle] = 1;
        reversed_[other.triangle] =
            static_cast<char>((both[0].forward == both[1].forward) != (reversed_[patch[i]] != 0));
        turned += reversed_[other.triangle] != 0;
        patch.push_back(other.triangle);
      }
    }
    if (2 * turned > patch.size())
      for (std::uint32_t t : patch) reversed_[t] = static_cast<char>(!reversed_[t]);
  });
}

}  // namespace fitup

#pragma once

#include <map>
#include <utility>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::test {

/// Whether each edge, by indices, is used once in each direction.
inline bool closed(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const TriangleIndices& t : mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    const auto opposite = edges.find({edge.second, edge.first});
    if (count != 1 || opposite == edges.end()) return false;
  }
  return true;
}

}  // namespace fitup::test

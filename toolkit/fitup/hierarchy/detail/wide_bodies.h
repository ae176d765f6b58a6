#pragma once

#include <cstdint>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/build_item.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// The parts by which the triangles of a node are split before they are split themselves: the surfaces of a
/// mesh, the shells of a surface, or pieces of surfaces.
struct Bodies {
  enum class Kind { surfaces, shells, pieces } kind = Kind::surfaces;
  std::vector<BuildItem> items;          ///< one box each; splitting reorders them
  std::vector<std::uint32_t> weights;    ///< number of triangles, by body
  std::vector<std::uint32_t> first;      ///< first triangle by body, in `triangles` or in the mesh
  std::vector<std::uint32_t> triangles;  ///< triangles of all bodies; empty if those of each body are
                                         ///< consecutive
  std::vector<std::uint32_t> surfaces;   ///< by body; empty if the bodies are the surfaces

  [[nodiscard]] std::uint32_t surface(std::uint32_t body) const {
    return surfaces.empty() ? body : surfaces[body];
  }
  [[nodiscard]] std::uint32_t triangle(std::uint32_t body, std::uint32_t k) const {
    return triangles.empty() ? first[body] + k : triangles[first[body] + k];
  }
};

/// Makes the items of all bodies that have triangles. Polls `meter`.
void setItems(Bodies& bodies, const TriangleMesh& mesh, const WorkMeter& meter);

/// Returns the surfaces that have triangles. Polls `meter`.
Bodies surfacesOf(const TriangleMesh& mesh, const WorkMeter& meter);

}  // namespace fitup::detail

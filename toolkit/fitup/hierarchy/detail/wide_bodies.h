#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/build_item.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// What the triangles of a node are split by before they are split themselves: the surfaces of a mesh, or the
/// shells of a surface.
struct Bodies {
  std::vector<BuildItem> items;          ///< a box each; reordered by splitting
  std::vector<std::uint32_t> weights;    ///< by number: triangles
  std::vector<std::uint32_t> first;      ///< by number: the first triangle in `triangles`, or of the mesh
  std::vector<std::uint32_t> triangles;  ///< of all bodies; empty where each body's follow each other
  std::optional<std::uint32_t> surface;  ///< that they are shells of

  [[nodiscard]] std::uint32_t triangle(std::uint32_t body, std::uint32_t k) const {
    return triangles.empty() ? first[body] + k : triangles[first[body] + k];
  }
};

/// Makes the items of all that have triangles. Polls `meter`.
void setItems(Bodies& bodies, const TriangleMesh& mesh, const WorkMeter& meter);

/// The surfaces that have triangles. Polls `meter`.
Bodies surfacesOf(const TriangleMesh& mesh, const WorkMeter& meter);

}  // namespace fitup::detail

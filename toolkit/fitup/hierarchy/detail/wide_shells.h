#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <fitup/hierarchy/detail/wide_split.h>
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

/// The surfaces that have triangles. Polls `meter`.
Bodies surfacesOf(const TriangleMesh& mesh, const WorkMeter& meter);

/// The shells of a surface: triangles that hang together by points that they share, as a file's welded points
/// or a builder's say. Only where splitting by shells first makes less area of boxes than splitting by
/// triangles throughout, which a sample tells: bars that cross, plates in a stack, loose bodies that reach
/// past each other in one mesh. Nothing for a single shell, for small surfaces, and where shells are tiny.
/// Polls `meter`.
std::optional<Bodies> shellsWorthSplitting(const TriangleMesh& mesh, std::uint32_t surface, float unit,
                                           const WorkMeter& meter = {});

}  // namespace fitup::detail

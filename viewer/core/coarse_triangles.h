#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fitup::viewer {

/// Coarser triangles over the same vertices: all vertices of a cell of a grid become one of them, and
/// triangles that become segments or points are omitted (Rossignac and Borrel, Multi-resolution 3D
/// approximations for rendering complex scenes, 1993). Nothing moves by more than the diagonal of a cell.
/// `corners` has three indices of vertices for each triangle, and so has the result. O(n).
std::vector<std::uint32_t> coarseTriangles(std::span<const std::array<float, 3>> vertices,
                                           std::span<const std::uint32_t> corners, float cell);

}  // namespace fitup::viewer

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fitup::models {

struct Point2 {
  double x = 0, y = 0;
};

/// Triangles (counter-clockwise indices into `points`) of a polygon with holes: always V + 2 H - 2 of them
/// for V loop vertices and H holes. The first loop is the outer one; loops may run either way but neither
/// touch nor cross.
///
/// Holes are joined to the outline by bridges, ears are cut (O(V^2) to O(V^3)), and inner edges are flipped
/// until the triangulation is Delaunay within its outline. Throws InputError if the loops are no polygon with
/// holes.
std::vector<std::array<std::uint32_t, 3>> triangulatePolygon(
    std::span<const Point2> points, const std::vector<std::vector<std::uint32_t>>& loops);

}  // namespace fitup::models

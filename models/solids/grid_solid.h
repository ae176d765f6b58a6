#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// A body of cells of a rectilinear grid, such as the stick of a burr puzzle.
struct GridSolid {
  /// Increasing coordinates of the planes of the grid along x, y and z, millimetres; n planes make n - 1
  /// cells.
  std::array<std::vector<double>, 3> planes;
  /// True if the cell (i, j, k) belongs to the body. Asked only for cells of the grid.
  std::function<bool(std::size_t, std::size_t, std::size_t)> isFilled;
  /// Every face lies this far inside the cells, so that two bodies of neighbouring cells are twice as far
  /// apart. Below half of the thinnest cell.
  double inset = 0;
};

/// The closed mesh of the body, with one surface for each connected piece of a plane. It holds the points
/// whose cube of half width `inset` lies in the cells, and is therefore manifold also where cells meet in an
/// edge or a corner, if `inset` is above 0. Coordinates are rounded to `coordinateGrid`.
TriangleMesh gridSolidMesh(const std::string& name, const Colour& colour, const GridSolid& solid);

}  // namespace fitup::models

#pragma once

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// A cubic lattice of square bars that run through each other at its nodes: a polygon soup in one surface
/// or in a surface for each bar, the grid of Trenkel, Weller and Zachmann's benchmark (2007) in its number of
/// triangles.
///
/// `bars` x `bars` bars run in each of the three directions through a cube of side `size` about the origin,
/// each a closed box whose four sides are cut into `cells` quads along it: 3 bars^2 (8 cells + 4) triangles.
/// Bar axes lie at (i + 1/2) size / bars from the cube's side. The defaults give 3 * 256 * 540 = 414,720
/// triangles, nearly square.
struct GridOptions {
  int bars = 16;
  int cells = 67;
  double size = 1000;  ///< mm
  double thickness = 15;
  bool barsAsSurfaces = false;

  [[nodiscard]] double spacing() const { return size / bars; }
  [[nodiscard]] std::size_t triangleCount() const {
    return static_cast<std::size_t>(3) * bars * bars * (8 * cells + 4);
  }
};

TriangleMesh makeGrid(const GridOptions& options = {});

}  // namespace fitup::models

#include <models/solids/grid_solid.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include <models/solids/tessellate.h>

namespace fitup::models {
namespace {

using Cell = std::array<int, 3>;

/// The body on a finer grid: between the planes of two neighbouring cells lies a thin cell, which is filled
/// if all cells that it reaches into are. Cell 2 i is the inner part of cell i, and 2 i + 1 the thin one
/// after it.
class InsetGrid {
 public:
  explicit InsetGrid(const GridSolid& solid) : solid_(solid) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<double>& planes = solid.planes[axis];
      for (std::size_t i = 0; i < planes.size(); ++i) {
        if (i > 0) at_[axis].push_back(rounded(planes[i] - solid.inset));
        if (i + 1 < planes.size()) at_[axis].push_back(rounded(planes[i] + solid.inset));
      }
    }
  }

  [[nodiscard]] int cells(std::size_t axis) const { return static_cast<int>(at_[axis].size()) - 1; }
  [[nodiscard]] double at(std::size_t axis, int plane) const {
    return at_[axis][static_cast<std::size_t>(plane)];
  }
  [[nodiscard]] bool isFilled(const Cell& cell) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cell[axis] < 0 || cell[axis] >= cells(axis)) return false;
    const auto last = [&](std::size_t axis) { return static_cast<std::size_t>(cell[axis] + 1) / 2; };
    for (std::size_t i = static_cast<std::size_t>(cell[0]) / 2; i <= last(0); ++i)
      for (std::size_t j = static_cast<std::size_t>(cell[1]) / 2; j <= last(1); ++j)
        for (std::size_t k = static_cast<std::size_t>(cell[2]) / 2; k <= last(2); ++k)
          if (!solid_.isFilled(i, j, k)) return false;
    return true;
  }

 private:
  static double rounded(double x) { return std::round(x / coordinateGrid) * coordinateGrid; }

  const GridSolid& solid_;
  std::array<std::vector<double>, 3> at_;
};

/// Sides of cells in one plane that face the same way.
class PlaneOfSides {
 public:
  PlaneOfSides(const InsetGrid& grid, std::size_t axis, int plane, bool up)
      : grid_(grid), axis_(axis), plane_(plane), up_(up) {}

  /// True if the side at (i, j) of this plane, along the next two axes, is one of the body.
  [[nodiscard]] bool has(int i, int j) const {
    Cell below{}, above{};
    below[axis_] = plane_ - 1;
    above[axis_] = plane_;
    below[next()] = above[next()] = i;
    below[last()] = above[last()] = j;
    return grid_.isFilled(up_ ? below : above) && !grid_.isFilled(up_ ? above : below);
  }
  /// Takes the sides that are connected with (i, j) along edges.
  std::vector<std::pair<int, int>> take(int i, int j, std::map<std::pair<int, int>, bool>& taken) const {
    std::vector<std::pair<int, int>> piece{{i, j}};
    taken[{i, j}] = true;
    for (std::size_t at = 0; at < piece.size(); ++at) {
      const auto [a, b] = piece[at];
      for (const auto& [da, db] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        const std::pair<int, int> beside{a + da, b + db};
        if (!has(beside.first, beside.second) || taken[beside]) continue;
        taken[beside] = true;
        piece.push_back(beside);
      }
    }
    return piece;
  }
  [[nodiscard]] std::size_t next() const { return (axis_ + 1) % 3; }
  [[nodiscard]] std::size_t last() const { return (axis_ + 2) % 3; }

 private:
  const InsetGrid& grid_;
  std::size_t axis_;
  int plane_;
  bool up_;
};

}  // namespace

TriangleMesh gridSolidMesh(const std::string& name, const Colour& colour, const GridSolid& solid) {
  const InsetGrid grid(solid);
  TriangleMeshBuilder builder(name);
  std::map<Cell, std::uint32_t> points;
  const auto point = [&](const Cell& corner) {
    const auto found = points.find(corner);
    if (found != points.end()) return found->second;
    return points[corner] =
               builder.addPoint({grid.at(0, corner[0]), grid.at(1, corner[1]), grid.at(2, corner[2])});
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int plane = 0; plane <= grid.cells(axis); ++plane)
      for (const bool up : {false, true}) {
        const PlaneOfSides sides(grid, axis, plane, up);
        std::map<std::pair<int, int>, bool> taken;
        for (int i = 0; i < grid.cells(sides.next()); ++i)
          for (int j = 0; j < grid.cells(sides.last()); ++j) {
            if (!sides.has(i, j) || taken[{i, j}]) continue;
            SurfaceDescription description;
            description.kind = SurfaceKind::plane;
            description.axis = {};
            description.axis[static_cast<int>(axis)] = up ? 1 : -1;
            description.point[static_cast<int>(axis)] = grid.at(axis, plane);
            builder.beginSurface({}, colour, description);
            for (const auto& [a, b] : sides.take(i, j, taken)) {
              const auto corner = [&](int da, int db) {
                Cell c{};
                c[axis] = plane;
                c[sides.next()] = a + da;
                c[sides.last()] = b + db;
                return point(c);
              };
              const std::uint32_t p = corner(0, 0), q = corner(1, 0), r = corner(1, 1), s = corner(0, 1);
              if (up) {
                builder.addTriangle(p, q, r);
                builder.addTriangle(p, r, s);
              } else {
                builder.addTriangle(p, r, q);
                builder.addTriangle(p, s, r);
              }
            }
          }
      }
  return builder.build();
}

}  // namespace fitup::models

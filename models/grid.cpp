#include <models/grid.h>

#include <array>

namespace fitup::models {
namespace {

void addBar(TriangleMeshBuilder& builder, int axis, double a, double b, const GridOptions& options) {
  const double half = options.thickness / 2;
  constexpr double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  std::vector<std::array<std::uint32_t, 4>> rings;
  for (int i = 0; i <= options.cells; ++i) {
    std::array<std::uint32_t, 4> ring{};
    for (std::size_t k = 0; k < 4; ++k) {
      Vec3 p;
      p[axis] = -options.size / 2 + options.size * i / options.cells;
      p[(axis + 1) % 3] = a + corner[k][0] * half;
      p[(axis + 2) % 3] = b + corner[k][1] * half;
      ring[k] = builder.addPoint(p);
    }
    rings.push_back(ring);
  }
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t n = (k + 1) % 4;
      builder.addTriangle(rings[i][k], rings[i][n], rings[i + 1][n]);
      builder.addTriangle(rings[i][k], rings[i + 1][n], rings[i + 1][k]);
    }
  const auto& first = rings.front();
  const auto& last = rings.back();
  builder.addTriangle(first[0], first[2], first[1]);
  builder.addTriangle(first[0], first[3], first[2]);
  builder.addTriangle(last[0], last[1], last[2]);
  builder.addTriangle(last[0], last[2], last[3]);
}

}  // namespace

TriangleMesh makeGrid(const GridOptions& options) {
  TriangleMeshBuilder builder("grid");
  if (!options.barsAsSurfaces) builder.beginSurface("bars");
  const auto position = [&](int i) { return (i + 0.5) * options.spacing() - options.size / 2; };
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < options.bars; ++i)
      for (int j = 0; j < options.bars; ++j) {
        if (options.barsAsSurfaces) builder.beginSurface("bar");
        addBar(builder, axis, position(i), position(j), options);
      }
  return builder.build();
}

}  // namespace fitup::models

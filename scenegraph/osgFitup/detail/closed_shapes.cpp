#include <osgFitup/detail/closed_shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include <fitup/geometry/aabb.h>

namespace osgFitup::detail {
namespace {

using fitup::Vec3;

/// Vertices [begin, end) of a shape that OSG computes.
struct ComputedShape {
  std::size_t begin, end;
};

/// Adds the shapes below `shape` that OSG computes, without those that hold given points. `next` is the index
/// of the first vertex of `shape`, and becomes the one after its last.
void findComputedShapes(const osg::Shape& shape, const osg::TessellationHints* hints, std::size_t& next,
                        std::vector<ComputedShape>& found) {
  if (const auto* const composite = dynamic_cast<const osg::CompositeShape*>(&shape)) {
    for (unsigned int i = 0; i < composite->getNumChildren(); ++i)
      if (const osg::Shape* const child = composite->getChild(i))
        findComputedShapes(*child, hints, next, found);
    return;
  }
  const osg::ref_ptr<osg::ShapeDrawable> alone =
      new osg::ShapeDrawable(const_cast<osg::Shape*>(&shape), const_cast<osg::TessellationHints*>(hints));
  const osg::Array* const vertices = alone->getVertexArray();
  const std::size_t begin = next;
  next += vertices != nullptr ? vertices->getNumElements() : 0;
  if (dynamic_cast<const osg::TriangleMesh*>(&shape) == nullptr &&
      dynamic_cast<const osg::HeightField*>(&shape) == nullptr)
    found.push_back({begin, next});
}

/// Returns the computed shapes of a drawable; none if its vertices are not those that OSG computes for its
/// shape.
std::vector<ComputedShape> computedShapesOf(const osg::ShapeDrawable& drawable, std::size_t points) {
  std::vector<ComputedShape> found;
  std::size_t count = 0;
  if (drawable.getShape() != nullptr)
    findComputedShapes(*drawable.getShape(), drawable.getTessellationHints(), count, found);
  if (count != points) found.clear();
  return found;
}

/// OSG computes coincident points of a shape by sines and cosines of different angles, which leaves closed
/// shapes open. Finds points within `merged` times the extent of each other; all become the first of them.
void mergePoints(const ComputedShape& shape, const std::vector<Vec3>& points,
                 std::vector<std::uint32_t>& first) {
  constexpr double merged = 1e-5;
  fitup::Box box;
  for (std::size_t i = shape.begin; i < shape.end; ++i)
    if (isUsable(points[i])) box.extend(points[i]);
  const double cell = merged * std::max(fitup::norm(box.halfExtent()), 1e-300);
  using Cell = std::array<double, 3>;
  std::map<Cell, std::vector<std::uint32_t>> cells;
  for (auto i = static_cast<std::uint32_t>(shape.begin); i < shape.end; ++i) {
    const Vec3& p = points[i];
    if (!isUsable(p)) continue;
    const Cell at{std::floor(p.x / cell), std::floor(p.y / cell), std::floor(p.z / cell)};
    for (int k = 0; k < 27 && first[i] == i; ++k) {
      const auto near = cells.find({at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1});
      if (near == cells.end()) continue;
      for (const std::uint32_t other : near->second)
        if (fitup::norm(points[other] - p) <= cell) first[i] = other;
    }
    if (first[i] == i) cells[at].push_back(i);
  }
}

}  // namespace

void closeShapes(const osg::ShapeDrawable& drawable, DrawableTriangles& drawn) {
  std::vector<std::uint32_t> first(drawn.points.size());
  std::iota(first.begin(), first.end(), 0U);
  std::vector<bool> isComputed(drawn.points.size());
  for (const ComputedShape& shape : computedShapesOf(drawable, drawn.points.size())) {
    mergePoints(shape, drawn.points, first);
    std::fill(isComputed.begin() + static_cast<std::ptrdiff_t>(shape.begin),
              isComputed.begin() + static_cast<std::ptrdiff_t>(shape.end), true);
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < drawn.triangles.size(); ++t) {
    fitup::TriangleIndices corners = drawn.triangles[t];
    for (std::uint32_t& corner : corners) corner = first[corner];
    if (isComputed[corners[0]] &&
        (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]))
      continue;
    drawn.triangles[kept] = corners;
    drawn.primitives[kept++] = drawn.primitives[t];
  }
  drawn.triangles.resize(kept);
  drawn.primitives.resize(kept);
}

}  // namespace osgFitup::detail

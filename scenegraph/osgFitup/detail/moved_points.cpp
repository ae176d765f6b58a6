#include <osgFitup/detail/moved_points.h>

#include <algorithm>

#include <osg/Transform>

#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/primitive_restart.h>

namespace osgFitup::detail {
namespace {

using fitup::Vec3;

/// Composes the matrix like `CollisionModelVisitor`.
fitup::Transform partFromDrawable(const osg::NodePath& fromPart) {
  fitup::Transform result;
  for (std::size_t i = 1; i < fromPart.size(); ++i)
    if (const osg::Transform* transform = fromPart[i]->asTransform())
      result = result * parentFromNode(*transform);
  return result;
}

}  // namespace

MovedPoints::MovedPoints(osg::Node& node, const PartModel& part)
    : mesh_(part.getCollisionModel()->mesh()), isSet_(mesh_.points().size(), 0) {
  for (std::uint32_t i = 0; i < mesh_.points().size(); ++i) points.push_back(mesh_.pointInPart(i));
  for (std::uint32_t s = 0; s < mesh_.surfaces().size() && problem.empty();) {
    const std::uint32_t end = index(part.surfacesBeside(fitup::SurfaceId{s}).second);
    take(part.pathTo(node, fitup::SurfaceId{s}), part, s, end);
    s = end;
  }
}

void MovedPoints::take(const osg::NodePath& path, const PartModel& part, std::uint32_t begin,
                       std::uint32_t end) {
  if (path.empty()) {
    problem = "a drawable no longer exists";
    return;
  }
  const DrawableTriangles drawn = trianglesOf(*path.back()->asDrawable(), restartAlong(path));
  // The triangles of a drawable are consecutive in the mesh, surface by surface. Sorted by their primitives
  // they are in the drawable's order, because no primitive is divided.
  std::vector<std::uint32_t> ids;
  for (std::uint32_t s = begin; s < end; ++s)
    for (std::uint32_t t = 0; t < mesh_.surfaces()[s].triangleCount; ++t)
      ids.push_back(mesh_.surfaces()[s].firstTriangle + t);
  if (end - begin > 1)
    std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
      return mesh_.sourceTriangle(fitup::TriangleId{a}) < mesh_.sourceTriangle(fitup::TriangleId{b});
    });
  if (drawn.triangles.size() != ids.size()) {
    problem = "a drawable and its model have different numbers of triangles";
    return;
  }
  const bool isNumbered = part.getPrimitiveNumbering() == PrimitiveNumbering::fromSource;
  const fitup::Transform place = partFromDrawable(path);
  for (std::size_t t = 0; t < drawn.triangles.size(); ++t) {
    const std::uint32_t id = ids[t];
    if (isNumbered && mesh_.sourceTriangle(fitup::TriangleId{id}) != drawn.primitives[t]) isRenumbered = true;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t point = mesh_.triangles()[id][corner];
      const Vec3 now = place.apply(drawn.points[drawn.triangles[t][corner]]);
      if (isSet_[point] && points[point] != now) {
        problem = "triangles no longer share a point that they shared";
        return;
      }
      points[point] = now;
      isSet_[point] = 1;
    }
  }
}

bool MovedPoints::areWhereTheyWere(const fitup::Surface& surface) const {
  for (std::uint32_t t = 0; t < surface.triangleCount; ++t)
    for (const std::uint32_t point : mesh_.triangles()[surface.firstTriangle + t]) {
      const Vec3 local = points[point] - mesh_.origin();
      const fitup::Point3f& was = mesh_.points()[point];
      if (static_cast<float>(local.x) != was.x || static_cast<float>(local.y) != was.y ||
          static_cast<float>(local.z) != was.z)
        return false;
    }
  return true;
}

}  // namespace osgFitup::detail

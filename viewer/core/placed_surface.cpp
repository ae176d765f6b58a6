#include <viewer/core/placed_surface.h>

namespace fitup::viewer {

PlacedSurface placedSurface(const TriangleMesh& mesh, SurfaceId surface, const Transform& worldFromPart) {
  PlacedSurface found;
  if (const auto shape = describeSurface(mesh, surface)) {
    found.shape = placed(*shape, worldFromPart);
    const auto& described = mesh.surfaces()[index(surface)].description;
    found.accuracy = placed(shapeAccuracy(mesh, surface, *shape), worldFromPart);
    found.recognised = !described || described->kind != shape->kind;
  }
  const Surface& range = mesh.surfaces()[index(surface)];
  const double sense = worldFromPart.determinant() < 0 ? -1 : 1;
  Vec3 areaVector, moment;
  for (std::uint32_t i = 0; i < range.triangleCount; ++i) {
    Triangle t = mesh.triangle(TriangleId{range.firstTriangle + i});
    for (Vec3& v : t.v) v = worldFromPart.apply(mesh.origin() + v);
    const Vec3 vector = sense / 2 * cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const double area = norm(vector);
    areaVector = areaVector + vector;
    moment = moment + area / 3 * (t.v[0] + t.v[1] + t.v[2]);
    found.area += area;
  }
  if (found.area > 0) found.centroid = 1 / found.area * moment;
  if (found.shape && found.shape->kind == SurfaceKind::plane && dot(found.shape->axis, areaVector) < 0)
    found.shape->axis = -found.shape->axis;
  return found;
}

}  // namespace fitup::viewer

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>
#include <fitup/mesh/detail/store_points.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup {
namespace {

bool sameStorage(const Point3f& p, const Vec3& offset) {
  return detail::toStorage(offset.x) == p.x && detail::toStorage(offset.y) == p.y &&
         detail::toStorage(offset.z) == p.z;
}

}  // namespace

TriangleMesh withPoints(const TriangleMesh& mesh, std::span<const Vec3> pointsInPart) {
  const std::string name = "mesh '" + mesh.name() + "'";
  if (pointsInPart.size() != mesh.points().size())
    throw InputError(name, "points",
                     std::to_string(pointsInPart.size()) + " positions for " +
                         std::to_string(mesh.points().size()) + " points");
  std::vector<std::uint8_t> moved(pointsInPart.size());
  for (std::size_t i = 0; i < pointsInPart.size(); ++i) {
    const Vec3& p = pointsInPart[i];
    if (!isFinite(p)) throw InputError(name, "point " + std::to_string(i), "coordinate is not finite");
    if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > limits::largest)
      throw RangeError(name + ": point " + std::to_string(i) + ": coordinate above 2^100");
    moved[i] = sameStorage(mesh.points()[i], p - mesh.origin()) ? 0 : 1;
  }
  TriangleMesh::Data data = mesh.data();
  for (Surface& surface : data.surfaces) {
    const auto triangles = mesh.triangles().subspan(surface.firstTriangle, surface.triangleCount);
    if (std::none_of(triangles.begin(), triangles.end(), [&](const TriangleIndices& t) {
          return moved[t[0]] != 0 || moved[t[1]] != 0 || moved[t[2]] != 0;
        }))
      continue;
    surface.description.reset();
    surface.chordError.reset();
    data.deflection.reset();
  }
  detail::storePoints(data, pointsInPart);
  return TriangleMesh(std::move(data));
}

}  // namespace fitup

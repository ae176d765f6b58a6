#include <fitup/mesh/detail/store_points.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fitup/geometry/limits.h>
#include <fitup/geometry/predicates.h>

namespace fitup::detail {
namespace {

/// Origin of the local coordinates. It is zero unless the part is far away compared with its size, so that
/// coordinates that are exact in the file stay exact. Otherwise it is the centre of the box, rounded to a
/// coarse grid, so that differences to it lose no low bits that a float could have kept.
Vec3 chooseOrigin(const Box& box) {
  if (box.empty()) return {};
  const Vec3 centre = box.centre();
  const Vec3 half = box.halfExtent();
  const double size = std::max({half.x, half.y, half.z});
  const double distance = std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)});
  if (size < limits::smallest) return centre;  // a point
  if (distance <= 4 * size) return {};
  int exponent = 0;
  std::frexp(size, &exponent);
  const double grid = std::ldexp(1.0, exponent);
  Vec3 origin;
  for (int i = 0; i < 3; ++i) origin[i] = std::nearbyint(centre[i] / grid) * grid;
  return origin;
}

}  // namespace

float toStorage(double value) noexcept {
  if (std::abs(value) < limits::smallest) return 0.0F;
  return static_cast<float>(value) + 0.0F;  // -0 becomes +0, so equal points have equal bytes
}

void storePoints(TriangleMesh::Data& data, std::span<const Vec3> points) {
  std::vector<std::uint8_t> used(points.size());
  for (const TriangleIndices& t : data.triangles) used[t[0]] = used[t[1]] = used[t[2]] = 1;
  Box box;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (used[i] != 0) box.extend(points[i]);
  data.origin = chooseOrigin(box);
  data.validation = {};

  std::vector<Point3f> stored;
  stored.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 offset = points[i] - data.origin;
    stored.push_back({toStorage(offset.x), toStorage(offset.y), toStorage(offset.z)});
    if (used[i] == 0) continue;
    const Vec3 error = toVec3(stored.back()) - offset;
    data.validation.largestRounding =
        std::max({data.validation.largestRounding, std::abs(error.x), std::abs(error.y), std::abs(error.z)});
  }
  for (Surface& surface : data.surfaces) {
    FingerprintSum sum;
    for (std::uint32_t i = surface.firstTriangle; i < surface.firstTriangle + surface.triangleCount; ++i) {
      const TriangleIndices& t = data.triangles[i];
      sum.add(points[t[0]], points[t[1]], points[t[2]]);
      const Triangle inStorage{{toVec3(stored[t[0]]), toVec3(stored[t[1]]), toVec3(stored[t[2]])}};
      if (isDegenerate(inStorage)) ++data.validation.degenerateTriangles;
    }
    surface.fingerprint = sum.of(surface);
  }
  data.points = SharedArray<Point3f>(std::move(stored));
}

}  // namespace fitup::detail

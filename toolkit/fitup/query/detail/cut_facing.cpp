#include <fitup/query/detail/cut_facing.h>

#include <algorithm>

namespace fitup::detail {

std::optional<SurfacePatches::Plane> cutFacing(const ConvexPolygon& piece, const SolidModel& target,
                                               const Triangle& facing, double useful) {
  constexpr std::size_t few = 8;
  const double least = 0x1p-16 * piece.area();
  std::optional<SurfacePatches::Plane> best;
  double most = 0;
  const auto consider = [&](const SurfacePatches::Plane& plane) {
    const auto parts = piece.cut(plane.point, plane.normal);
    const double smaller = std::min(parts.first.area(), parts.second.area());
    if (!(smaller > std::max(most, least))) return;
    most = smaller;
    best = plane;
  };
  const auto crossings = target.patches().borderBetween(piece.corners(), useful, few);
  if (crossings.count <= few)
    for (const SurfacePatches::Plane& side : crossings.sides) consider(side);
  if (crossings.count == 0) {
    const Vec3 normal = cross(facing.v[1] - facing.v[0], facing.v[2] - facing.v[0]);
    for (std::size_t k = 0; k < 3; ++k)
      consider({facing.v[k], cross(normal, facing.v[(k + 1) % 3] - facing.v[k])});
  }
  return best;
}

}  // namespace fitup::detail

#include <fitup/query/detail/coincidence.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/aabb.h>
#include <fitup/hierarchy/point_query.h>

namespace fitup::detail {
namespace {

constexpr std::size_t samples = 16;

Box boxInWorld(const PosedBody& posed) {
  Box box;
  for (const TriangleIndices& t : posed.body.mesh().triangles())
    for (const std::uint32_t p : t) box.extend(posed.worldFromPart.apply(posed.body.mesh().pointInPart(p)));
  return box;
}

bool agree(const Box& a, const Box& b, double within) {
  for (int k = 0; k < 3; ++k)
    if (!(std::abs(a.min[k] - b.min[k]) <= within && std::abs(a.max[k] - b.max[k]) <= within)) return false;
  return true;
}

/// A body asked for points of the world.
class Material {
 public:
  explicit Material(const PosedBody& posed)
      : posed_(posed), partFromWorld_(posed.worldFromPart.inverse()), query_(posed.body.model()) {}

  /// The nearest point of the surface, if `p` lies inside and more than `deeperThan` from it.
  std::optional<Vec3> nearestOfDeep(const Vec3& p, double deeperThan) {
    const Vec3 local = partFromWorld_.apply(p) - posed_.body.mesh().origin();
    if (query_.side(local, posed_.body.closedness()) != PointSide::inside) return std::nullopt;
    const auto nearest = query_.closest(local);
    if (!nearest || !(nearest->distance > deeperThan)) return std::nullopt;
    return posed_.inWorld(nearest->point);
  }

 private:
  const PosedBody& posed_;
  Transform partFromWorld_;
  PointQuery query_;
};

}  // namespace

std::optional<CommonPoint> commonPoint(const PosedBody& first, const PosedBody& second, double deeperThan) {
  for (const PosedBody* posed : {&first, &second})
    if (!posed->body.closedness().hasInside() || posed->worldFromPart.kind() == TransformKind::affine)
      return std::nullopt;
  const Box box = boxInWorld(first);
  if (!agree(box, boxInWorld(second), deeperThan)) return std::nullopt;
  const TriangleMesh& mesh = first.body.mesh();
  const Closedness& closedness = first.body.closedness();
  const double size = norm(box.max - box.min), shortest = std::max(2 * deeperThan, 0x1p-12 * size);
  // A reflection turns normals round.
  const double sense = first.worldFromPart.kind() == TransformKind::mirrored ? -1 : 1;
  Material inFirst(first), inSecond(second);
  std::optional<CommonPoint> best;
  const std::size_t stride = std::max<std::size_t>(1, mesh.triangleCount() / samples);
  for (std::size_t i = 0; i < mesh.triangleCount(); i += stride) {
    const TriangleId id{static_cast<std::uint32_t>(i)};
    if (!closedness.bounds(id)) continue;
    Triangle t = mesh.triangle(id);
    for (Vec3& v : t.v) v = first.inWorld(v);
    const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]) * (sense * closedness.outward(id));
    if (!(norm(normal) > 0)) continue;
    const Vec3 inward = normalized(normal) * -1.0, centre = (t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3);
    for (double way = shortest; way < size; way *= 2) {
      const Vec3 p = centre + inward * way;
      const auto onFirst = inFirst.nearestOfDeep(p, deeperThan);
      if (!onFirst) break;  // through the part, or along its surface
      const auto onSecond = inSecond.nearestOfDeep(p, deeperThan);
      if (!onSecond) continue;
      const double depth = std::min(norm(*onFirst - p), norm(*onSecond - p));
      if (depth > deeperThan && (!best || depth > best->depth)) best = {p, depth, normalized(*onSecond - p)};
    }
  }
  return best;
}

}  // namespace fitup::detail

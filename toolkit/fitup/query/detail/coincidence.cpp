#include <fitup/query/detail/coincidence.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include <fitup/geometry/aabb.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/detail/baked_body.h>

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

/// Of equal depth the one with the smaller coordinates, so that the order of the bodies does not matter.
bool isBetter(const CommonPoint& p, const std::optional<CommonPoint>& best) {
  if (!best || p.depth != best->depth) return !best || p.depth > best->depth;
  const auto key = [](const CommonPoint& c) {
    return std::tuple(c.point.x, c.point.y, c.point.z, c.direction.x, c.direction.y, c.direction.z);
  };
  return key(p) < key(*best);
}

/// The best of `best` and of the points on rays from triangles of `from` inward.
void sampleInward(const PosedBody& from, Material& own, Material& other, double deeperThan, double size,
                  std::optional<CommonPoint>& best) {
  const TriangleMesh& mesh = from.body.mesh();
  const Closedness& closedness = from.body.closedness();
  const double shortest = std::max(2 * deeperThan, 0x1p-12 * size);
  // A reflection turns normals round.
  const double sense = from.worldFromPart.kind() == TransformKind::mirrored ? -1 : 1;
  const std::size_t stride = std::max<std::size_t>(1, mesh.triangleCount() / samples);
  for (std::size_t i = 0; i < mesh.triangleCount(); i += stride) {
    const TriangleId id{static_cast<std::uint32_t>(i)};
    if (!closedness.bounds(id)) continue;
    Triangle t = mesh.triangle(id);
    for (Vec3& v : t.v) v = from.inWorld(v);
    const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]) * (sense * closedness.outward(id));
    if (!(norm(normal) > 0)) continue;
    const Vec3 inward = normalized(normal) * -1.0, centre = (t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3);
    for (double way = shortest; way < size; way *= 2) {
      const Vec3 p = centre + inward * way;
      const auto onOwn = own.nearestOfDeep(p, deeperThan);
      if (!onOwn) break;  // through the part, or along its surface
      const auto onOther = other.nearestOfDeep(p, deeperThan);
      if (!onOther) continue;
      for (const Vec3& nearest : {*onOwn, *onOther}) {
        const CommonPoint found{p, std::min(norm(*onOwn - p), norm(*onOther - p)), normalized(nearest - p)};
        if (norm(nearest - p) == found.depth && found.depth > deeperThan && isBetter(found, best))
          best = found;
      }
    }
  }
}

}  // namespace

std::optional<CommonPoint> commonPoint(const PosedBody& first, const PosedBody& second, double deeperThan) {
  for (const PosedBody* posed : {&first, &second})
    if (!posed->body.closedness().hasInside()) return std::nullopt;
  const Box box = boxInWorld(first), other = boxInWorld(second);
  if (!agree(box, other, deeperThan)) return std::nullopt;
  if (needsBakedBodies(first, second)) {
    const std::shared_ptr<const BodyModel> a = bakedBody(first), b = bakedBody(second);
    return commonPoint({*a, {}}, {*b, {}}, deeperThan);
  }
  const double size = std::max(norm(box.max - box.min), norm(other.max - other.min));
  Material inFirst(first), inSecond(second);
  std::optional<CommonPoint> best;
  sampleInward(first, inFirst, inSecond, deeperThan, size, best);
  sampleInward(second, inSecond, inFirst, deeperThan, size, best);
  return best;
}

}  // namespace fitup::detail

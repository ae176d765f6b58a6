#include <fitup/query/detail/triangles_inside.h>

#include <algorithm>
#include <limits>
#include <span>

#include <fitup/hierarchy/tree_queries.h>

namespace fitup::detail {

double farthestFromOrigin(const TriangleMesh& mesh) {
  if (mesh.triangleCount() == 0) return 0;
  return norm(mesh.bounds().centre()) + norm(mesh.bounds().halfExtent());
}

Box placedBounds(const TriangleMesh& mesh, const Transform& place) {
  Box box;
  const Aabb& bounds = mesh.bounds();
  for (unsigned i = 0; i < 8; ++i)
    box.extend(
        place.apply({(i & 1U) != 0 ? bounds.max.x : bounds.min.x, (i & 2U) != 0 ? bounds.max.y : bounds.min.y,
                     (i & 4U) != 0 ? bounds.max.z : bounds.min.z}));
  return box;
}

std::vector<TriangleId> trianglesInside(const SolidModel& body, const SolidModel& around,
                                        PointQuery& inAround, const Transform& aroundFromBody,
                                        const Box& region, double reach, const std::function<bool()>& stop) {
  struct Collector final : TreeVisitor {
    double bound(const NodeBox& node) override {
      constexpr double hopeless = std::numeric_limits<double>::infinity();
      if (*stop && (*stop)()) {
        limit = -hopeless;
        return hopeless;
      }
      Box box = node.around();
      box.min = box.min - Vec3{reach, reach, reach};
      box.max = box.max + Vec3{reach, reach, reach};
      if (!box.overlaps(region)) return hopeless;
      const Vec3 middle = aroundFromBody.apply(node.centre);
      if (inAround->closest(middle, norm(node.half) + node.grown + reach)) return 0;
      return inAround->side(middle, around->watertightness()) == PointSide::outside ? hopeless : 0;
    }
    void visit(std::span<const TriangleId> triangles) override {
      found.insert(found.end(), triangles.begin(), triangles.end());
    }
    const SolidModel* around = nullptr;
    PointQuery* inAround = nullptr;
    Transform aroundFromBody;
    Box region;
    double reach = 0;
    const std::function<bool()>* stop = nullptr;
    std::vector<TriangleId> found;
  } collector;
  collector.around = &around;
  collector.inAround = &inAround;
  collector.aroundFromBody = aroundFromBody;
  collector.region = region;
  collector.reach = reach;
  collector.stop = &stop;
  visitTree(PlacedTree(body.sharedModel()), collector);
  std::sort(collector.found.begin(), collector.found.end());
  return std::move(collector.found);
}

bool meets(PointQuery& around, const Transform& aroundFromPiece, const ConvexPolygon& piece) {
  const Vec3 first = aroundFromPiece.apply(piece.p[0]);
  for (std::size_t i = 2; i < piece.count; ++i)
    if (around.meets({{first, aroundFromPiece.apply(piece.p[i - 1]), aroundFromPiece.apply(piece.p[i])}}))
      return true;
  return false;
}

}  // namespace fitup::detail

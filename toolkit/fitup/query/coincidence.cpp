#include <fitup/query/coincidence.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <fitup/base/tuning-inl.h>
#include <fitup/geometry/aabb.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/cut_graph.h>

namespace fitup {
namespace {

using detail::bakedSolid, detail::BodyPair, detail::ConvexPolygon, detail::needsBakedSolids;

/// Two triangles face the same way if the cosine between their normals is larger than this.
constexpr double sameWay = 0.5;
/// Smallest share of the smaller triangle's area that two triangles must have in common. With less they are
/// only neighbours.
constexpr double leastShareOfArea = 0x1p-20;

/// Returns true if a ball of this diameter fits into the common part of two boxes. A common point needs such
/// a ball.
template <class AnyBox>
bool fits(double diameter, const AnyBox& a, const AnyBox& b) {
  const auto have = [&](double aMin, double aMax, double bMin, double bMax) {
    return std::min(aMax, bMax) - std::max(aMin, bMin) > diameter;
  };
  return have(a.min.x, a.max.x, b.min.x, b.max.x) && have(a.min.y, a.max.y, b.min.y, b.max.y) &&
         have(a.min.z, a.max.z, b.min.z, b.max.z);
}

Aabb grown(const Aabb& box, double by) {
  return {{floatBelow(box.min.x - by), floatBelow(box.min.y - by), floatBelow(box.min.z - by)},
          {floatAbove(box.max.x + by), floatAbove(box.max.y + by), floatAbove(box.max.z + by)}};
}

/// The search in the roles of the pair and in the local frame of A, so that neither the order of the bodies
/// nor their place in the world affects the result.
class Search {
 public:
  Search(const BodyPair& pair, double deeperThan, const std::function<bool()>& stop)
      : pair_(pair),
        bodyA_(*pair.a->solid),
        bodyB_(*pair.b->solid),
        inA_(bodyA_.model()),
        inB_(bodyB_.model()),
        onA_(bodyA_.outer()),
        onB_(bodyB_.outer()),
        deeperThan_(deeperThan),
        reach_(1.25 * deeperThan),
        stop_(stop) {
    size_ =
        2 * std::min(norm(bodyA_.mesh().bounds().halfExtent()), norm(bodyB_.mesh().bounds().halfExtent()));
    senseB_ = placement().aFromB.determinant() < 0 ? -1 : 1;
  }

  std::optional<CommonPoint> run() {
    const Aabb &a = bodyA_.mesh().bounds(), &b = bodyB_.mesh().bounds();
    const Aabb aInB = placement().transformedToB(a);
    if (!fits(2 * deeperThan_, b, aInB) || !fits(2 * deeperThan_, a, placement().carriedToA(b)))
      return std::nullopt;
    const Aabb region = grown(b.intersection(aInB), reach_);
    const std::size_t count = bodyB_.mesh().triangleCount();
    const std::size_t stride = std::max<std::size_t>(1, count / tuning::roundOf);
    for (std::size_t begin = 0; begin < stride && !deepest_ && !stopped_; ++begin)
      for (std::size_t i = begin; i < count && !stopped_; i += stride) {
        const TriangleId id{static_cast<std::uint32_t>(i)};
        if (bodyB_.mesh().triangleBounds(id).overlaps(region)) lookBehind(id);
      }
    if (!deepest_) return std::nullopt;
    const Probe probe = ascend(*deepest_);
    const Vec3 way = pair_.a->worldFromPart.applyToVector(probe.nearest - probe.p);
    return CommonPoint{pair_.a->inWorld(probe.p), probe.depth, normalized(way)};
  }

 private:
  /// A point inside both bodies, in the frame of A.
  struct Probe {
    Vec3 p, nearest;
    double depth = 0;
  };

  [[nodiscard]] const PairPlacement& placement() const noexcept { return pair_.frame.placement; }

  /// Returns nothing if the point is less deep than `least`, which a search for a near surface finds quickly.
  std::optional<Probe> probe(const Vec3& p, double least) {
    const Vec3 q = placement().bFromA.apply(p);
    if (onA_.closest(p, least) || onB_.closest(q, least)) return std::nullopt;
    if (inA_.side(p, bodyA_.watertightness()) != PointSide::inside) return std::nullopt;
    if (inB_.side(q, bodyB_.watertightness()) != PointSide::inside) return std::nullopt;
    const auto onA = onA_.closest(p);
    const auto onB = onB_.closest(q, onA->distance);
    return onB ? Probe{p, placement().aFromB.apply(onB->point), onB->distance}
               : Probe{p, onA->point, onA->distance};
  }

  /// Tries points behind a triangle of B where a triangle of A lies in its plane and faces the same way.
  void lookBehind(TriangleId id) {
    if (++asked_ % 32 == 1 && stop_ && stop_()) stopped_ = true;
    if (stopped_) return;
    const Triangle t = pair_.triangle(1, id);
    const Vec3 normal =
        cross(t.v[1] - t.v[0], t.v[2] - t.v[0]) * (senseB_ * bodyB_.watertightness().outward(id));
    if (!(norm(normal) > 0)) return;
    const Vec3 outward = normalized(normal);
    inA_.near(t, reach_, near_);
    std::erase_if(near_, [&](TriangleId other) {
      const Vec3 n = normalOfA(other);
      const double along = dot(n, outward) * bodyA_.watertightness().outward(other);
      return !(along > 0 && along * along > sameWay * sameWay * dot(n, n));
    });
    std::sort(near_.begin(), near_.end());  // so that the order of the tree does not matter
    for (const TriangleId other : near_) {
      const ConvexPolygon common = commonOf(t, other);
      const double least = 0.5 * leastShareOfArea * std::min(norm(normal), norm(normalOfA(other)));
      if (common.count < 3 || !(common.area() > least)) continue;
      const Vec3 middle = common.middle();
      tryRay(middle, outward * -1.0);
      for (std::size_t k = 0; k < common.count; ++k) tryRay(0.5 * (middle + common.p[k]), outward * -1.0);
    }
  }

  [[nodiscard]] Vec3 normalOfA(TriangleId id) const noexcept {
    const Triangle t = bodyA_.mesh().triangle(id);
    return cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  }

  /// Returns the part of a triangle that lies over a triangle of A and near its plane.
  [[nodiscard]] ConvexPolygon commonOf(const Triangle& t, TriangleId id) const noexcept {
    const Triangle over = bodyA_.mesh().triangle(id);
    const Vec3 normal = normalOfA(id), up = normalized(normal) * reach_;
    std::array<std::pair<Vec3, Vec3>, 5> planes{std::pair(over.v[0] - up, up),
                                                std::pair(over.v[0] + up, up * -1.0)};
    for (std::size_t k = 0; k < 3; ++k)
      planes[2 + k] = {over.v[k], cross(normal, over.v[(k + 1) % 3] - over.v[k])};
    // Most triangles are neighbours and lie beside one of the planes.
    for (const auto& [at, inward] : planes)
      if (std::none_of(std::begin(t.v), std::end(t.v),
                       [&](const Vec3& p) { return dot(inward, p - at) > 0; }))
        return {};
    ConvexPolygon common = ConvexPolygon::of(t.v[0], t.v[1], t.v[2]);
    for (const auto& [at, inward] : planes) common = common.cut(at, inward).first;
    return common;
  }

  void tryRay(const Vec3& from, const Vec3& inward) {
    std::optional<Probe> best;
    for (double way = std::max(deeperThan_ * (17.0 / 16), 0x1p-40 * size_); way < size_; way *= 2) {
      const auto found = probe(from + inward * way, tuning::minDepthForAscent * deeperThan_);
      // The surface of A may lie deeper by the tolerance.
      if (!found && way > reach_) break;
      if (found && (!best || found->depth > best->depth)) best = found;
    }
    if (best && !(best->depth > deeperThan_) && ascents_ < tuning::mostAscents) {
      ++ascents_;
      best = ascend(*best);
    }
    if (best && best->depth > deeperThan_ && (!deepest_ || best->depth > deepest_->depth)) deepest_ = best;
  }

  /// Climbs the gradient of the depth. Steps go along axes and diagonals, and are halved if none leads up.
  Probe ascend(Probe at) {
    unsigned moves = 0;
    for (double step = at.depth; step > at.depth / 32 && moves < 64;) {
      std::optional<Probe> best;
      for (int x : {-1, 0, 1})
        for (int y : {-1, 0, 1})
          for (int z : {-1, 0, 1}) {
            if (x == 0 && y == 0 && z == 0) continue;
            const Vec3 p = at.p + normalized(Vec3{double(x), double(y), double(z)}) * step;
            if (const auto found = probe(p, best ? best->depth : at.depth * (1 + 1.0 / 256))) best = found;
          }
      if (best) {
        at = *best;
        ++moves;
      } else {
        step /= 2;
      }
    }
    return at;
  }

  const BodyPair& pair_;
  const SolidModel &bodyA_, &bodyB_;
  PointQuery inA_, inB_;
  PointQuery onA_, onB_;  ///< distances
  double deeperThan_;
  /// Largest distance between planes that count as one. Surfaces may lie in the other body by up to an eighth
  /// more than the tolerance (`PenetrationRequest::accuracy`).
  double reach_;
  const std::function<bool()>& stop_;
  double size_ = 0, senseB_ = 1;
  std::vector<TriangleId> near_;
  std::optional<Probe> deepest_;
  unsigned asked_ = 0, ascents_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::optional<CommonPoint> commonPoint(const PosedSolid& first, const PosedSolid& second, double deeperThan,
                                       const std::function<bool()>& stop) {
  for (const PosedSolid* posed : {&first, &second})
    if (!posed->solid->watertightness().hasInside()) return std::nullopt;
  if (needsBakedSolids(first, second)) {
    // Copies cost more than everything else.
    if (!fits(2 * deeperThan, placedBox(first.worldFromPart, first.solid->mesh().boundsInPart()),
              placedBox(second.worldFromPart, second.solid->mesh().boundsInPart())))
      return std::nullopt;
    const std::shared_ptr<const SolidModel> a = bakedSolid(first), b = bakedSolid(second);
    return commonPoint({a, {}}, {b, {}}, deeperThan, stop);
  }
  return Search(BodyPair::of(first, second), deeperThan, stop).run();
}

}  // namespace fitup

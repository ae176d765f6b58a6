#include <fitup/query/middles.h>

#include <algorithm>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/detail/equally_near.h>
#include <fitup/query/detail/triangles_inside.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/verdict.h>

namespace fitup {
namespace {

using detail::bakedSolid;
using detail::equallyNear;
using detail::needsBakedSolids;

/// Pieces of surface after which nothing is said.
constexpr int mostPieces = 5000;
/// Triangles near a piece from which on it is divided before they are compared with each other.
constexpr std::size_t mostNear = 96;
/// Walls are searched for only near the other body if fewer triangles than this fraction are there; the
/// answer for all triangles is kept for other pairs.
constexpr std::size_t fewTriangles = 4;
/// A piece is divided down to this share of the clearance.
constexpr double finest = 0.125;

/// The thickness of walls that have a middle, with the slack twice.
double widthOf(double t) { return 2 * t * (1 + equallyNear) * (1 + equallyNear); }

class MiddleClearance {
 public:
  MiddleClearance(const SolidModel& target, double t, double clearance, const std::function<bool()>& stop)
      : target_(target),
        query_(target.model()),
        ofWalls_(target.model()),
        walls_(target.walls().thinTo(widthOf(t))),
        t_(t),
        clearance_(clearance),
        stop_(stop) {}

  /// `piece` in the local frame of the target.
  bool keepsOff(const Triangle& piece) {
    if (++pieces_ > mostPieces || (pieces_ % 16 == 0 && stop_ && stop_())) return false;
    // A nearest boundary point is at most the depth t away from the middle, with the slack twice.
    const double reach = t_ * (1 + equallyNear) * (1 + equallyNear) + clearance_;
    query_.near(piece, reach, near_);
    thin_.clear();
    for (const TriangleId id : near_)
      if (target_.walls().mayBeThin(id, walls_, ofWalls_)) thin_.push_back(id);
    if (thin_.size() < 2) return true;
    const double size = std::max(
        {norm(piece.v[1] - piece.v[0]), norm(piece.v[2] - piece.v[1]), norm(piece.v[0] - piece.v[2])});
    if (thin_.size() <= mostNear || size <= finest * clearance_) {
      if (!opposedAmong(thin_) || !opposedAmong(nearestOf(piece, size, reach))) return true;
      if (isBeyondClearance(piece, size) && isOutside(piece.v[0])) return true;
    }
    if (size <= finest * clearance_) return false;
    // Halved at the longest edge.
    int k = 0;
    for (int i : {1, 2})
      if (norm(piece.v[(i + 1) % 3] - piece.v[i]) > norm(piece.v[(k + 1) % 3] - piece.v[k])) k = i;
    const Vec3 from = piece.v[k], to = piece.v[(k + 1) % 3], apex = piece.v[(k + 2) % 3];
    const Vec3 half = 0.5 * (from + to);
    return keepsOff({{from, half, apex}}) && keepsOff({{half, to, apex}});
  }

 private:
  bool opposedAmong(const std::vector<TriangleId>& some) const {
    for (std::size_t i = 0; i < some.size(); ++i)
      for (std::size_t k = i + 1; k < some.size(); ++k)
        if (target_.walls().opposed(some[i], some[k])) return true;
    return false;
  }

  /// Those of `thin_` that may be nearest to a point within the clearance of the piece.
  const std::vector<TriangleId>& nearestOf(const Triangle& piece, double size, double reach) {
    double deepest = reach;
    if (const auto nearest = query_.closest(middleOf(piece), reach + size)) {
      // The distance from a convex set is a convex function, largest at a corner.
      const Triangle other = target_.mesh().triangle(nearest->triangle);
      double farthest = 0;
      for (const Vec3& p : piece.v) farthest = std::max(farthest, distancePointTriangle(p, other).distance);
      deepest = std::min(deepest, farthest);
    }
    const double within = std::min(reach, (deepest + clearance_) * (1 + equallyNear) + clearance_);
    nearest_.clear();
    for (const TriangleId id : thin_) {
      const Triangle other = target_.mesh().triangle(id);
      if (isNearer(piece, other, within)) nearest_.push_back(id);
    }
    return nearest_;
  }

  bool isBeyondClearance(const Triangle& piece, double size) {
    const auto nearest = query_.closest(middleOf(piece), clearance_ + size);
    if (!nearest) return true;
    if (nearest->distance <= clearance_) return false;
    return std::ranges::none_of(
        near_, [&](TriangleId id) { return isNearer(piece, target_.mesh().triangle(id), clearance_); });
  }

  /// True if the distance of the two is at most `within`. That of points decides most of the time.
  static bool isNearer(const Triangle& piece, const Triangle& other, double within) {
    const Vec3 middle = middleOf(piece);
    double radius = 0;
    for (const Vec3& p : piece.v) radius = std::max(radius, norm(p - middle));
    const double distance = distancePointTriangle(middle, other).distance;
    return distance <= within ||
           (distance - radius <= within && distanceTriangleTriangle(piece, other).distance <= within);
  }

  static Vec3 middleOf(const Triangle& t) { return (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]); }

  bool isOutside(const Vec3& p) { return query_.side(p, target_.watertightness()) == PointSide::outside; }

  const SolidModel& target_;
  PointQuery query_, ofWalls_;
  const Walls::Thin& walls_;
  double t_, clearance_;
  const std::function<bool()>& stop_;
  std::vector<TriangleId> near_, thin_, nearest_;
  int pieces_ = 0;
};

/// True if both bodies may be thin, by `mayBeThin(body, other)`. The smaller one is asked first. Of an open
/// part, it is not known which side is material.
template <class MayBeThin>
bool eachMayBeThin(const PosedSolid& first, const PosedSolid& second, const MayBeThin& mayBeThin) {
  const auto isOpen = [](const PosedSolid& posed) { return !posed.solid->watertightness().closed(); };
  const bool firstIsSmaller = first.solid->mesh().triangleCount() <= second.solid->mesh().triangleCount();
  const PosedSolid &small = firstIsSmaller ? first : second, &large = firstIsSmaller ? second : first;
  return (isOpen(small) || mayBeThin(small, large)) && (isOpen(large) || mayBeThin(large, small));
}

}  // namespace

bool mayPierce(const PosedSolid& first, const PosedSolid& second, double t) {
  if (needsBakedSolids(first, second)) return true;
  return eachMayBeThin(first, second, [&](const PosedSolid& posed, const PosedSolid&) {
    return posed.solid->walls().mayBeThinnerThan(widthOf(t));
  });
}

bool mayPierceHere(const PosedSolid& first, const PosedSolid& second, double t) {
  if (needsBakedSolids(first, second)) return true;
  const PairFrame frame = PairFrame::of(first.posed(), second.posed());
  return eachMayBeThin(first, second, [&](const PosedSolid& posed, const PosedSolid& other) {
    const bool isA = (&posed == &first) != frame.swapped;
    const Transform& otherFromPosed = isA ? frame.placement.bFromA : frame.placement.aFromB;
    PointQuery inOther(other.solid->model());
    // Where the other body reaches a middle, a triangle of the wall is that near to it.
    const std::vector<TriangleId> near = detail::trianglesInside(
        *posed.solid, *other.solid, inOther, otherFromPosed,
        detail::placedBounds(other.solid->mesh(), otherFromPosed.inverse()), widthOf(t) / 2, {});
    const Walls& walls = posed.solid->walls();
    return near.size() < posed.solid->mesh().triangleCount() / fewTriangles
               ? walls.mayBeThinnerThan(widthOf(t), near)
               : walls.mayBeThinnerThan(widthOf(t));
  });
}

bool keepsOffMiddle(const PosedSolid& source, const PosedSolid& target, double t, double clearance,
                    const std::function<bool()>& stop) {
  if (needsBakedSolids(source, target))
    return keepsOffMiddle({bakedSolid(source), {}}, {bakedSolid(target), {}}, t, clearance, stop);
  const PairFrame frame = PairFrame::of(target.posed(), source.posed());
  const PlacedTree tree(source.solid->sharedModel(),
                        frame.swapped ? frame.placement.bFromA : frame.placement.aFromB);
  const double kept = clearance + coordinateRounding(source, target);
  const Aabb& bounds = target.solid->mesh().bounds();
  Box box;
  for (const auto& corner : {bounds.min, bounds.max}) {
    box.extend(toVec3(corner) - Vec3{kept, kept, kept});
    box.extend(toVec3(corner) + Vec3{kept, kept, kept});
  }
  MiddleClearance search(*target.solid, t, kept, stop);
  return std::ranges::all_of(tree.inBox(box),
                             [&](TriangleId id) { return search.keepsOff(tree.triangle(id)); });
}

}  // namespace fitup

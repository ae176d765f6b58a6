#include <fitup/query/intersection_marks.h>

#include <algorithm>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/intersect.h>

namespace fitup {
namespace {

Vec3 middleOf(const Triangle& t) { return (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]); }

/// The triangle halved at its longest edge, and the length of that.
struct Halves {
  double length = 0;
  Triangle one, other;
};
Halves halved(const Triangle& t) {
  std::size_t longest = 0;
  Halves halves;
  for (std::size_t k = 0; k < 3; ++k) {
    const double length = norm(t.v[(k + 1) % 3] - t.v[k]);
    if (length <= halves.length) continue;
    halves.length = length;
    longest = k;
  }
  const Vec3 &from = t.v[longest], &to = t.v[(longest + 1) % 3], &apex = t.v[(longest + 2) % 3];
  const Vec3 middle = 0.5 * (from + to);
  halves.one = {{from, middle, apex}};
  halves.other = {{middle, to, apex}};
  return halves;
}

class RegionFinder {
 public:
  RegionFinder(const PosedSolid& around, double finest, std::size_t most)
      : watertightness_(around.solid->watertightness()),
        inside_(around.solid->model()),
        localFromWorld_(
            (around.worldFromPart * Transform::translation(around.solid->mesh().origin())).inverse()),
        finest_(finest),
        most_(most) {}

  /// Adds what of a triangle in the world is inside. Returns true if that is all of it, as one piece.
  bool add(const Triangle& t) {
    if (region.isCut) return false;
    if (++pieces_ > most_) {
      region.isCut = true;
      return false;
    }
    Triangle local;
    for (std::size_t k = 0; k < 3; ++k) local.v[k] = localFromWorld_.apply(t.v[k]);
    const Halves halves = halved(t);
    const bool meets = inside_.meets(local);
    if ((!meets || halves.length <= 4 * finest_) && isInSurface(local)) return false;
    if (meets && halves.length > finest_) {
      const bool isWhole = add(halves.one), isOtherWhole = add(halves.other);
      if (!isWhole || !isOtherWhole) return false;
      region.pieces.resize(region.pieces.size() - 2);  // the halves
    } else if (inside_.side(middleOf(local), watertightness_) != PointSide::inside) {
      return false;
    }
    region.pieces.push_back(t);
    return true;
  }

  IntersectionRegion region;

 private:
  /// Whether the two surfaces coincide there, but for rounding: the piece is not inside, and its halves would
  /// go on meeting the other surface down to the finest.
  bool isInSurface(const Triangle& local) {
    const double within = 1e-3 * finest_;
    const auto isNear = [&](const Vec3& p) { return inside_.closest(p, within).has_value(); };
    return std::ranges::all_of(local.v, isNear) && isNear(middleOf(local));
  }

  const Watertightness& watertightness_;
  PointQuery inside_;
  Transform localFromWorld_;
  double finest_;
  std::size_t most_, pieces_ = 0;
};

Box worldBounds(const PosedModel& placed) {
  return placedBox(placed.worldFromPart, placed.model->mesh().boundsInPart());
}

Box common(const Box& a, const Box& b) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.min[k] = std::max(a.min[k], b.min[k]);
    box.max[k] = std::min(a.max[k], b.max[k]);
    if (box.min[k] > box.max[k]) return {};
  }
  return box;
}

}  // namespace

IntersectionRegion regionInside(const PosedModel& part, const PosedSolid& around, const Progress& progress,
                                std::size_t mostPieces) {
  requireModels(part, part);
  requireSolids(around, around);
  if (!around.solid->watertightness().closed()) return {};
  const Box box = common(worldBounds(part), worldBounds(around.posed()));
  if (box.empty()) return {};
  const WorkMeter meter(progress);
  constexpr double share = 0.01;
  RegionFinder finder(around, share * 2 * norm(box.halfExtent()), mostPieces);
  const PlacedTree tree = PlacedTree::inWorld(part.model, part.worldFromPart);
  for (const TriangleId id : tree.inBox(box)) {
    meter.poll();
    finder.add(tree.triangle(id));
  }
  return std::move(finder.region);
}

IntersectionMarks intersectionMarks(const PosedSolid& first, const PosedSolid& second,
                                    const Progress& progress, std::size_t mostPieces) {
  requireSolids(first, second);
  const PosedModel a = first.posedPart(), b = second.posedPart();
  IntersectionRequest request;
  request.limits.cancel = progress.stopToken();
  std::vector<IntersectionLine> lines = intersectionLines(a, b, intersect(a, b, request));
  // Borders of coplanar triangles are mostly lines of the tessellation. Where faces end, others cross.
  const auto isArea = [](const IntersectionLine& line) {
    return line.common.kind == TriangleIntersection::Kind::polygon;
  };
  if (!std::ranges::all_of(lines, isArea)) std::erase_if(lines, isArea);
  return {std::move(lines),
          {regionInside(a, second, progress, mostPieces), regionInside(b, first, progress, mostPieces)}};
}

}  // namespace fitup

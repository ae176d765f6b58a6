#include <viewer/core/finding_marks.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/intersect.h>

namespace fitup::viewer {
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
  /// `source` in the frame of the solid's mesh.
  RegionFinder(const SolidModel& around, const Transform& aroundFromWorld)
      : around_(around), inside_(around.model()), aroundFromWorld_(aroundFromWorld) {}

  /// `t` in the world.
  void add(const Triangle& t, double finest, std::size_t most, std::vector<Triangle>& region, bool& isCut) {
    if (isCut) return;
    if (++pieces_ > most) {
      isCut = true;
      return;
    }
    Triangle local;
    for (std::size_t k = 0; k < 3; ++k) local.v[k] = aroundFromWorld_.apply(t.v[k]);
    const Halves halves = halved(t);
    if (halves.length > finest && inside_.meets(local)) {
      add(halves.one, finest, most, region, isCut);
      add(halves.other, finest, most, region, isCut);
    } else if (inside_.side(middleOf(local), around_.watertightness()) == PointSide::inside) {
      region.push_back(t);
    }
  }

 private:
  const SolidModel& around_;
  PointQuery inside_;
  Transform aroundFromWorld_;
  std::size_t pieces_ = 0;
};

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

FindingMarks marksOf(const Scene& scene, const Poses& poses, NodeId a, NodeId b, const Progress& progress,
                     std::size_t mostPieces) {
  const std::array parts{scene.assembly().partOf(a), scene.assembly().partOf(b)};
  scene.prepareModels(parts, progress);
  scene.prepareSolids(parts, progress);
  FindingMarks marks;
  const PosedModel first = scene.posed(a, poses), second = scene.posed(b, poses);
  marks.lines = intersectionLines(first, second, intersect(first, second));
  const Box box = common(scene.worldBounds(a, poses), scene.worldBounds(b, poses));
  if (box.empty()) return marks;
  constexpr double share = 0.01;
  const double finest = share * 2 * norm(box.halfExtent());
  for (const auto& [side, source, target] : {std::tuple{0U, a, b}, std::tuple{1U, b, a}}) {
    const SolidModel& around = scene.solidOf(target);
    if (!around.watertightness().closed()) continue;
    const Transform worldFromLocal =
        scene.worldFromPart(target, poses) * Transform::translation(around.mesh().origin());
    RegionFinder finder(around, worldFromLocal.inverse());
    const PlacedTree tree = PlacedTree::inWorld(scene.collisionModel(scene.assembly().partOf(source)),
                                                scene.worldFromPart(source, poses));
    for (const TriangleId id : tree.inBox(box))
      finder.add(tree.triangle(id), finest, mostPieces, marks.regions[side], marks.isCut);
  }
  return marks;
}

Vec3 clearestSight(const Scene& scene, const Poses& poses, NodeId a, NodeId b, const Vec3& point,
                   const Vec3& present) {
  std::vector<PlacedTree> trees;
  for (const NodeId node : {a, b})
    trees.push_back(PlacedTree::inWorld(scene.collisionModel(scene.assembly().partOf(node)),
                                        scene.worldFromPart(node, poses)));
  const auto hiding = [&](const Vec3& sight) {
    std::size_t hits = 0;
    for (const PlacedTree& tree : trees) hits += tree.allHits({point, -sight}).size();
    return hits;
  };
  Vec3 best = present;
  std::size_t fewest = hiding(present);
  double nearest = 1;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 sight = normalized(Vec3(x, y, z));
        const std::size_t hits = hiding(sight);
        const double cosine = dot(sight, present);
        if (hits > fewest || (hits == fewest && cosine <= nearest)) continue;
        best = sight;
        fewest = hits;
        nearest = cosine;
      }
  return best;
}

}  // namespace fitup::viewer

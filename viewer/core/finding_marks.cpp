#include <viewer/core/finding_marks.h>

#include <array>

#include <fitup/hierarchy/tree_queries.h>
#include <fitup/scene/clash_depths.h>

namespace fitup::viewer {

std::vector<InstancePair> pairsToMark(const InterferenceReport& report, const std::set<NodeId>& hidden,
                                      std::size_t most) {
  std::vector<InstancePair> pairs;
  for (const PairInterference& pair : report.pairs) {
    const bool isSeen = !hidden.contains(pair.a) || !hidden.contains(pair.b);
    if (isSeen && pair.needsAction() && !needsDepth(pair) && !pair.report.surfacePairs.empty())
      pairs.emplace_back(pair.a, pair.b);
    if (pairs.size() > most) return {};
  }
  return pairs;
}

IntersectionMarks marksOf(const Scene& scene, const Poses& poses, NodeId a, NodeId b,
                          const Progress& progress, std::size_t mostPieces) {
  const std::array parts{scene.assembly().partOf(a), scene.assembly().partOf(b)};
  scene.prepareModels(parts, progress);
  scene.prepareSolids(parts, progress);
  return intersectionMarks(scene.posedSolid(a, poses), scene.posedSolid(b, poses), progress, mostPieces);
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

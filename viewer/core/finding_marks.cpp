#include <viewer/core/finding_marks.h>

#include <array>

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

}  // namespace fitup::viewer

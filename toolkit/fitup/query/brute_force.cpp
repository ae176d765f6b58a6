#include <fitup/query/brute_force.h>

#include <fitup/query/detail/collect.h>

namespace fitup {

IntersectionReport bruteForce(const PosedModel& first, const PosedModel& second,
                              const IntersectionRequest& request) {
  std::vector<TrianglePair> found;
  const auto traverse = [](const TraversalTask& task, const CollisionModel&, const CollisionModel&) {
    const bool bySurface = task.mode != QueryMode::allTrianglePairs;
    std::vector<bool> known(bySurface ? task.a.surfaces().size() * task.b.surfaces().size() : 0);
    for (std::uint32_t j = 0; j < task.b.triangleCount(); ++j) {
      const TriangleId inB{j};
      const Triangle placed = task.placement.placed(task.b.triangle(inB));
      for (std::uint32_t i = 0; i < task.a.triangleCount(); ++i) {
        if (task.stop.stop()) return;
        const TriangleId inA{i};
        const std::size_t pair =
            bySurface ? index(task.a.surfaceOf(inA)) * task.b.surfaces().size() + index(task.b.surfaceOf(inB))
                      : 0;
        if (bySurface && known[pair]) continue;
        ++task.stats.triangleTests;
        if (!intersectTriangleTriangle(task.a.triangle(inA), placed, task.touching)) continue;
        if (bySurface) known[pair] = true;
        if (task.add(inA, inB)) return;
      }
    }
  };
  return detail::answerPair(first, second, request, found, traverse);
}

}  // namespace fitup

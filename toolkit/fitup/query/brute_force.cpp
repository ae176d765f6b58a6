#include <fitup/query/brute_force.h>

#include <fitup/query/detail/collect.h>

namespace fitup {

IntersectionReport bruteForce(const PosedModel& first, const PosedModel& second,
                              const IntersectionRequest& request) {
  detail::AnswerScratch scratch;
  const auto traverse = [](const TraversalTask& task, const CollisionModel&, const CollisionModel&) {
    const bool bySurface = task.mode != QueryMode::allTrianglePairs;
    // Triangles of B come surface by surface. For each surface of A, this holds the last surface of B found
    // with it, plus one.
    std::vector<std::uint32_t> foundWith(task.a.surfaces().size(), 0);
    for (std::uint32_t j = 0; j < task.b.triangleCount(); ++j) {
      const TriangleId inB{j};
      const Triangle placed = task.placement.placed(task.b.triangle(inB));
      for (std::uint32_t i = 0; i < task.a.triangleCount(); ++i) {
        if (task.stop.stop()) return;
        const TriangleId inA{i};
        std::uint32_t& found = foundWith[index(task.a.surfaceOf(inA))];
        const auto surfaceB = static_cast<std::uint32_t>(task.b.surfaceOf(inB)) + 1;
        if (bySurface && found == surfaceB) continue;
        ++task.stats.triangleTests;
        if (!intersectTriangleTriangle(task.a.triangle(inA), placed, task.touching)) continue;
        found = surfaceB;
        if (task.add(inA, inB)) return;
      }
    }
  };
  IntersectionReport report;
  detail::answerPair(detail::PairRoles::of(first, second), first, second, request, scratch, traverse, report);
  return report;
}

}  // namespace fitup

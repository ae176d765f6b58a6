#include <fitup/query/sort_and_sweep.h>

#include <set>

#include <fitup/query/detail/collect.h>
#include <fitup/query/triangle_sweep.h>

namespace fitup {

IntersectionReport sweepIntersect(const PosedModel& first, const PosedModel& second,
                                  const IntersectionRequest& request) {
  detail::AnswerScratch scratch;
  const auto traverse = [](const TraversalTask& task, const CollisionModel&, const CollisionModel&) {
    const TriangleSweep sweep(task.a, task.b, task.placement);
    std::set<SurfacePair> known;
    const double reach = 0;
    sweep.visit(
        reach,
        [&](const TriangleSweep::Entry& inA, const TriangleSweep::Entry& inB) {
          if (task.stop.stop()) return false;
          const SurfacePair surfaces{task.a.surfaceOf(inA.id), task.b.surfaceOf(inB.id)};
          const bool bySurface = task.mode != QueryMode::allTrianglePairs;
          if (bySurface && known.contains(surfaces)) return true;
          ++task.stats.triangleCandidates;
          ++task.stats.triangleTests;
          if (!intersectTriangleTriangle(inA.corners, inB.corners, task.touching)) return true;
          if (bySurface) known.insert(surfaces);
          return !task.add(inA.id, inB.id);
        },
        [&] { return !task.stop.stop(); });
  };
  IntersectionReport report;
  detail::answerPair(detail::PairRoles::of(first, second), first, second, request, scratch, traverse, report);
  return report;
}

}  // namespace fitup

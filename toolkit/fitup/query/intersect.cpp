#include <fitup/query/intersect.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/hierarchy/scd_traversal.h>
#include <fitup/hierarchy/wide_traversal.h>
#include <fitup/query/detail/boxes_apart.h>
#include <fitup/query/detail/collect.h>
#include <fitup/query/detail/query_scratch.h>
#include <fitup/query/pair_frame.h>

namespace fitup {

QueryContext::QueryContext() : scratch_(std::make_unique<Scratch>()) {}
QueryContext::~QueryContext() = default;
QueryContext::QueryContext(QueryContext&&) noexcept = default;
QueryContext& QueryContext::operator=(QueryContext&&) noexcept = default;

namespace {

void requireTriangleTrees(const CollisionModel& model) {
  if (!model.hasTriangleTrees())
    throw NotBuiltError("part '" + model.mesh().name() +
                        "' was built without the triangle trees that 'scd' needs");
}

/// The first pair as far as the queries before tell it; false if they do not.
bool recalled(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
              const IntersectionRequest& request, WideScratch& scratch, IntersectionReport& report) {
  if (request.coherence == Coherence::off || request.mode != QueryMode::firstSurfacePair ||
      request.hierarchy != HierarchyKind::wide)
    return false;
  // A limit of no pairs, and a part at its own place, have answers of their own.
  if (request.limits.maxPairs == 0U || first.worldFromPart == second.worldFromPart) return false;
  const CollisionModel &a = roles.swapped ? second.model : first.model,
                       &b = roles.swapped ? first.model : second.model;
  const WideRecollection known =
      recall(a.wide(), a.mesh(), b.wide(), b.mesh(), roles.aFromB, request.touching, scratch);
  if (known.answer == WideRecollection::Answer::unknown) return false;
  report.reset(request.mode);
  if (known.answer == WideRecollection::Answer::apart) return true;
  report.stats.triangleCandidates = report.stats.triangleTests = 1;
  const TrianglePair pair = roles.swapped ? TrianglePair{known.witness.b, known.witness.a} : known.witness;
  report.trianglePairs.push_back(pair);
  report.surfacePairs.push_back(
      {first.model.mesh().surfaceOf(pair.a), second.model.mesh().surfaceOf(pair.b)});
  return true;
}

/// Parts whose boxes are apart. S-CD counts the tests of its paper, and a limit has a status of its own.
bool needsNoTraversal(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request) {
  const QueryLimits& limits = request.limits;
  return request.hierarchy == HierarchyKind::wide && first.model.hasWide() && second.model.hasWide() &&
         !limits.timeBudget && !limits.cancel.stop_requested() && detail::boxesApart(first, second);
}
void countBoxesApart(IntersectionReport& report) { report.stats.boxTests = report.stats.boxUpdates = 2; }

/// By itself, so that parts that are apart need no room for it.
[[gnu::noinline]] void traverse(const PosedModel& first, const PosedModel& second,
                                const IntersectionRequest& request, QueryContext& context,
                                IntersectionReport& report) {
  QueryContext::Scratch& scratch = context.scratch();
  const PairRoles roles = PairRoles::of(first, second);
  if (recalled(roles, first, second, request, scratch.wide, report)) return;
  detail::answerPair(
      roles, first, second, request, scratch.answer,
      [&](const TraversalTask& task, const CollisionModel& a, const CollisionModel& b) {
        switch (request.hierarchy) {
          case HierarchyKind::wide:
            return traverseWide(task, a.wide(), b.wide(), scratch.wide);
          case HierarchyKind::scd:
            requireTriangleTrees(a);
            requireTriangleTrees(b);
            return traverseScd(task, a.scd(), b.scd(), scratch.scd);
          default:
            return a.tree(request.hierarchy).traverse(task, b.tree(request.hierarchy), scratch.tree);
        }
      },
      report);
}

}  // namespace

void intersect(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request,
               QueryContext& context, IntersectionReport& report) {
  if (!needsNoTraversal(first, second, request)) return traverse(first, second, request, context, report);
  report.reset(request.mode);
  countBoxesApart(report);
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context) {
  IntersectionReport report;
  report.mode = request.mode;
  // A new report needs no `reset`, which is a sixth of what it takes to tell that parts are apart.
  if (needsNoTraversal(first, second, request))
    countBoxesApart(report);
  else
    traverse(first, second, request, context, report);
  return report;
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request) {
  QueryContext context;
  return intersect(first, second, request, context);
}

}  // namespace fitup

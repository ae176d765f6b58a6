#include <fitup/query/intersect.h>

#include <algorithm>
#include <optional>

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

/// The first pair as far as the queries before tell it.
std::optional<IntersectionReport> recalled(const PairRoles& roles, const PosedModel& first,
                                           const PosedModel& second, const IntersectionRequest& request,
                                           WideScratch& scratch) {
  if (request.coherence == Coherence::off || request.mode != QueryMode::firstSurfacePair ||
      request.hierarchy != HierarchyKind::wide)
    return std::nullopt;
  // A limit of no pairs, and a part at its own place, have answers of their own.
  if (request.limits.maxPairs == 0U || first.worldFromPart == second.worldFromPart) return std::nullopt;
  const CollisionModel &a = roles.swapped ? second.model : first.model,
                       &b = roles.swapped ? first.model : second.model;
  const WideRecollection known =
      recall(a.wide(), a.mesh(), b.wide(), b.mesh(), roles.aFromB, request.touching, scratch);
  if (known.answer == WideRecollection::Answer::unknown) return std::nullopt;
  IntersectionReport report;
  report.mode = request.mode;
  if (known.answer == WideRecollection::Answer::apart) return report;
  report.stats.triangleCandidates = report.stats.triangleTests = 1;
  const TrianglePair pair = roles.swapped ? TrianglePair{known.witness.b, known.witness.a} : known.witness;
  report.trianglePairs.push_back(pair);
  report.surfacePairs.push_back(
      {first.model.mesh().surfaceOf(pair.a), second.model.mesh().surfaceOf(pair.b)});
  return report;
}

/// Parts whose boxes are apart. S-CD counts the tests of its paper, and a limit has a status of its own.
bool needsNoTraversal(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request) {
  const QueryLimits& limits = request.limits;
  return request.hierarchy == HierarchyKind::wide && first.model.hasWide() && second.model.hasWide() &&
         !limits.timeBudget && !limits.cancel.stop_requested() && detail::boxesApart(first, second);
}
/// By itself, so that the report is made where the caller has it: moving one costs a third of the answer.
IntersectionReport reportOfBoxesApart(QueryMode mode) {
  IntersectionReport report;
  report.mode = mode;
  report.stats.boxTests = report.stats.boxUpdates = 2;
  return report;
}

/// By itself, so that parts that are apart need no room for it.
[[gnu::noinline]] IntersectionReport traversed(const PosedModel& first, const PosedModel& second,
                                               const IntersectionRequest& request, QueryContext& context) {
  QueryContext::Scratch& scratch = context.scratch();
  const PairRoles roles = PairRoles::of(first, second);
  if (std::optional<IntersectionReport> known = recalled(roles, first, second, request, scratch.wide))
    return std::move(*known);
  return detail::answerPair(
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
      });
}

}  // namespace

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context) {
  if (needsNoTraversal(first, second, request)) return reportOfBoxesApart(request.mode);
  return traversed(first, second, request, context);
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request) {
  QueryContext context;
  return intersect(first, second, request, context);
}

}  // namespace fitup

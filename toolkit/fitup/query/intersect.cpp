#include <fitup/query/intersect.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/hierarchy/scd_traversal.h>
#include <fitup/hierarchy/wide_traversal.h>
#include <fitup/query/detail/boxes_apart.h>
#include <fitup/query/detail/collect.h>
#include <fitup/query/detail/query_scratch.h>
#include <fitup/query/detail/separation.h>
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

/// Parts whose boxes are apart. S-CD counts the tests of its paper, and a limit has a status of its own.
bool needsNoTraversal(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request) {
  const QueryLimits& limits = request.limits;
  return request.hierarchy == HierarchyKind::wide && first.model.hasWide() && second.model.hasWide() &&
         !limits.timeBudget && !limits.cancel.stop_requested() && detail::boxesApart(first, second);
}
void countBoxesApart(IntersectionReport& report) { report.stats.boxTests = report.stats.boxUpdates = 2; }

void traverse(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
              const IntersectionRequest& request, QueryContext::Scratch& scratch,
              IntersectionReport& report) {
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
/// By itself, so that parts that are apart need no room for it.
[[gnu::noinline]] void traverse(const PosedModel& first, const PosedModel& second,
                                const IntersectionRequest& request, QueryContext& context,
                                IntersectionReport& report) {
  traverse(PairRoles::of(first, second), first, second, request, context.scratch(), report);
}

// ---- coherence ----

/// A limit of no pairs has an answer of its own.
bool remembers(const IntersectionRequest& request) {
  return request.coherence == Coherence::on && request.mode == QueryMode::firstSurfacePair &&
         request.hierarchy == HierarchyKind::wide && request.limits.maxPairs != 0U;
}

bool isRigid(const PosedModel& posed) { return posed.worldFromPart.offOrthonormal() < orthonormalTolerance; }

/// Gaps are looked for that are not used up by so many questions at the present pace.
constexpr double questionsToLast = 3;

/// The first pair as far as the queries before tell it; false if they do not.
bool recalled(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
              const IntersectionRequest& request, WideScratch& scratch, IntersectionReport& report) {
  // A part at its own place has an answer of its own.
  if (first.worldFromPart == second.worldFromPart) return false;
  const CollisionModel &a = roles.swapped ? second.model : first.model,
                       &b = roles.swapped ? first.model : second.model;
  const WideRecollection known = recall(a.wide(), a.mesh(), b.wide(), b.mesh(), roles.aFromB,
                                        request.touching, request.vectorUse, scratch);
  if (known.answer == WideRecollection::Answer::unknown) return false;
  report.reset(request.mode);
  if (known.answer == WideRecollection::Answer::apart) return true;
  report.stats.triangleCandidates = report.stats.triangleTests = known.triangleTests;
  const TrianglePair pair = roles.swapped ? TrianglePair{known.witness.b, known.witness.a} : known.witness;
  report.trianglePairs.push_back(pair);
  report.surfacePairs.push_back(
      {first.model.mesh().surfaceOf(pair.a), second.model.mesh().surfaceOf(pair.b)});
  return true;
}

/// Asks what the queries before leave to be known, from the cheapest to the dearest, before the trees.
[[gnu::noinline]] void intersectFromMemory(const PosedModel& first, const PosedModel& second,
                                           const IntersectionRequest& request, QueryContext& context,
                                           IntersectionReport& report) {
  QueryContext::Scratch& scratch = context.scratch();
  detail::Separation& separation = scratch.separation;
  const bool mayShortCut = first.model.hasWide() && second.model.hasWide() && !request.limits.timeBudget &&
                           !request.limits.cancel.stop_requested();
  if (mayShortCut && separation.holds(first, second)) return report.reset(request.mode);
  const double motion = separation.motionPerQuestion();
  if (mayShortCut && !hasWitness(scratch.wide)) {
    const auto enough = static_cast<float>(std::min(questionsToLast * motion, 0x1p60));
    if (const float gap = detail::gapBetweenBoxes(first, second, enough); gap > 0) {
      separation.keep(first, second, gap);
      report.reset(request.mode);
      return countBoxesApart(report);
    }
  }
  separation.forget();
  const PairRoles roles = PairRoles::of(first, second);
  if (recalled(roles, first, second, request, scratch.wide, report)) return;
  wantGap(scratch.wide, questionsToLast * motion);
  traverse(roles, first, second, request, scratch, report);
  // A gap is in the axes of A, and placements relative to it are orthonormal then.
  if (const double gap = gapFound(scratch.wide); gap > 0 && isRigid(roles.swapped ? second : first))
    separation.keep(first, second, gap);
}

}  // namespace

void intersect(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request,
               QueryContext& context, IntersectionReport& report) {
  if (remembers(request)) return intersectFromMemory(first, second, request, context, report);
  if (!needsNoTraversal(first, second, request)) return traverse(first, second, request, context, report);
  report.reset(request.mode);
  countBoxesApart(report);
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context) {
  IntersectionReport report;
  report.mode = request.mode;
  if (remembers(request)) {
    intersectFromMemory(first, second, request, context, report);
    return report;
  }
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

#include <fitup/query/intersect.h>

#include <algorithm>
#include <optional>

#include <fitup/base/error.h>
#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/wide_memory-inl.h>
#include <fitup/query/detail/collect.h>
#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/detail/query_scratch.h>

namespace fitup {

QueryContext::QueryContext() : scratch_(std::make_unique<Scratch>()) {}
QueryContext::~QueryContext() = default;
QueryContext::QueryContext(QueryContext&&) noexcept = default;
QueryContext& QueryContext::operator=(QueryContext&&) noexcept = default;
void QueryContext::renew() { scratch_ = std::make_unique<Scratch>(); }

namespace {

using detail::PairRoles;

/// A time budget or a cancellation gives a status of its own, so such queries go to the trees.
bool canSkipTraversal(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request) {
  return first.model->hasWide() && second.model->hasWide() && !request.limits.timeBudget &&
         !request.limits.cancel.stop_requested();
}

void countBoxesApart(IntersectionReport& report) { report.stats.boxTests = report.stats.boxUpdates = 2; }

void traverse(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
              const IntersectionRequest& request, QueryContext::Scratch& scratch,
              IntersectionReport& report) {
  detail::answerPair(
      roles, first, second, request, scratch.answer,
      [&](const TraversalTask& task, const CollisionModel& a, const CollisionModel& b) {
        a.tree(request.hierarchy).traverse(task, b.tree(request.hierarchy), scratch.tree);
      },
      report);
}
/// Traverses the trees of parts that are not separated along the connection of their centres. A function of
/// its own, so that separated parts need no stack space for it. Returns false, and does nothing, if the boxes
/// are separated.
[[gnu::noinline]] bool traversed(const PosedModel& first, const PosedModel& second,
                                 const IntersectionRequest& request, QueryContext& context,
                                 IntersectionReport& report) {
  const std::optional<PairRoles> roles = PairRoles::ifBoxesOverlap(first, second);
  if (roles) traverse(*roles, first, second, request, context.scratch(), report);
  return roles.has_value();
}
[[gnu::noinline]] void traverseWithoutBoxTest(const PosedModel& first, const PosedModel& second,
                                              const IntersectionRequest& request, QueryContext& context,
                                              IntersectionReport& report) {
  traverse(PairRoles::of(first, second), first, second, request, context.scratch(), report);
}
/// Returns false, and does nothing, if the boxes are separated. S-CD always traverses, so that it counts the
/// tests of its paper.
bool answered(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request,
              QueryContext& context, IntersectionReport& report) {
  if (request.hierarchy != HierarchyKind::wide || !canSkipTraversal(first, second, request)) {
    traverseWithoutBoxTest(first, second, request, context, report);
    return true;
  }
  return !detail::areSeparatedAlongCentres(first, second) &&
         traversed(first, second, request, context, report);
}

// ---- coherence ----

/// Returns true if the query uses coherence. A limit of zero pairs has an answer of its own.
bool remembers(const IntersectionRequest& request) {
  return request.coherence == Coherence::on && request.mode == QueryMode::firstSurfacePair &&
         request.hierarchy == HierarchyKind::wide && request.limits.maxPairs != 0U;
}

/// Returns the first pair from the witness of earlier queries. Returns false if there is none.
bool recalled(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
              const IntersectionRequest& request, WideScratch& scratch, IntersectionReport& report) {
  // A part at its own place has an answer of its own.
  if (first.model->mesh().contentHash() == second.model->mesh().contentHash() &&
      first.worldFromPart == second.worldFromPart)
    return false;
  const CollisionModel &a = *(roles.swapped ? second : first).model,
                       &b = *(roles.swapped ? first : second).model;
  const auto witness = detail::recallWitness(a.wide(), a.mesh(), b.wide(), b.mesh(), roles.aFromB,
                                             request.touching, request.vectorUse, scratch);
  if (!witness) return false;
  report.reset(request.mode);
  report.stats.triangleCandidates = report.stats.triangleTests = witness->triangleTests;
  const TrianglePair pair = roles.swapped ? TrianglePair{witness->pair.b, witness->pair.a} : witness->pair;
  report.trianglePairs.push_back(pair);
  report.surfacePairs.push_back(
      {first.model->mesh().surfaceOf(pair.a), second.model->mesh().surfaceOf(pair.b)});
  return true;
}

/// Traverses the trees and keeps what the next query can use.
void traverseAndKeep(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
                     const IntersectionRequest& request, QueryContext::Scratch& scratch,
                     IntersectionReport& report) {
  detail::Separation& separation = scratch.separation;
  // Where a witness was lost, another pair is probably near.
  const bool wanted = !detail::hasWitness(scratch.tree.wide()) && separation.isWanted();
  const auto pace = wanted ? std::optional(separation.pace(first, second)) : std::nullopt;
  detail::requestSafeSteps(scratch.tree.wide(), pace);
  traverse(roles, first, second, request, scratch, report);
  if (report.intersects()) return separation.end();
  separation.keep(first, second, roles.swapped,
                  pace ? std::optional(detail::RatedSafeSteps{*pace, detail::safeSteps(scratch.tree.wide())})
                       : std::nullopt);
}

/// Returns true if the hulls are still separated. Boxes may separate the parts again, which is faster, so
/// they are tested now and then.
[[gnu::noinline]] bool hullsStillApart(const PosedModel& first, const PosedModel& second,
                                       QueryContext::Scratch& scratch) {
  if (!scratch.hulls.areApart(first, second, tuning::directionsKept)) return false;
  if (scratch.hulls.question() % tuning::askBoxesEach == 0)
    if ((scratch.separatingAxis = detail::findSeparatingAxis(first, second))) scratch.hulls.leave();
  return true;
}

/// Handles parts whose boxes are no longer separated along the axis of the last query.
[[gnu::noinline]] void intersectNearby(const PosedModel& first, const PosedModel& second,
                                       const IntersectionRequest& request, QueryContext::Scratch& scratch,
                                       IntersectionReport& report) {
  const bool mayBeShort = canSkipTraversal(first, second, request);
  std::optional<Vec3>& direction = scratch.separatingAxis;
  direction.reset();
  const bool hullsHeld = mayBeShort && scratch.hulls.holds();
  if (hullsHeld && hullsStillApart(first, second, scratch)) return report.reset(request.mode);
  if (mayBeShort && scratch.separation.holds(first, second)) return report.reset(request.mode);
  if (!mayBeShort || detail::hasWitness(scratch.tree.wide())) {
    const PairRoles roles = PairRoles::of(first, second);
    // Where a witness was lost, another pair is probably near.
    if (!recalled(roles, first, second, request, scratch.tree.wide(), report))
      traverseAndKeep(roles, first, second, request, scratch, report);
    return;
  }
  const std::optional<PairRoles> roles = PairRoles::ifBoxesOverlap(first, second);
  if (!roles) {
    direction = detail::findSeparatingAxis(first, second);
    report.reset(request.mode);
    return countBoxesApart(report);
  }
  if (!hullsHeld && scratch.hulls.isWanted() &&
      scratch.hulls.areApart(first, second, tuning::directionsSought)) {
    // The safe steps of an earlier search were just found to be used up. Hulls take their place.
    scratch.separation.end();
    return report.reset(request.mode);
  }
  traverseAndKeep(*roles, first, second, request, scratch, report);
}

/// Tests what earlier queries left, from the cheapest to the most expensive, before it goes to the trees.
[[gnu::noinline]] void intersectFromMemory(const PosedModel& first, const PosedModel& second,
                                           const IntersectionRequest& request, QueryContext& context,
                                           IntersectionReport& report) {
  QueryContext::Scratch& scratch = context.scratch();
  scratch.separation.countQuestion();
  scratch.hulls.countQuestion();
  // The other tests are functions of their own, so that most queries of a drag need no stack space for them.
  if (!scratch.separatingAxis || !canSkipTraversal(first, second, request) ||
      !detail::isSeparatingAxis(first, second, *scratch.separatingAxis))
    return intersectNearby(first, second, request, scratch, report);
  report.reset(request.mode);
  countBoxesApart(report);
}

}  // namespace

void intersect(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request,
               QueryContext& context, IntersectionReport& report) {
  requireModels(first, second);
  if (remembers(request)) return intersectFromMemory(first, second, request, context, report);
  if (answered(first, second, request, context, report)) return;
  report.reset(request.mode);
  countBoxesApart(report);
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context) {
  requireModels(first, second);
  IntersectionReport report;
  report.mode = request.mode;
  if (remembers(request)) {
    intersectFromMemory(first, second, request, context, report);
    return report;
  }
  // A new report needs no `reset`, which takes a sixth of the time of a query for separated parts.
  if (!answered(first, second, request, context, report)) countBoxesApart(report);
  return report;
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request) {
  QueryContext context;
  return intersect(first, second, request, context);
}

}  // namespace fitup

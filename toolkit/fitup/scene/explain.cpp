#include <fitup/scene/explain.h>

#include <algorithm>
#include <set>
#include <string>

#include <fitup/base/error.h>
#include <fitup/query/nearness.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/triangle_sweep.h>
#include <fitup/scene/copies.h>
#include <fitup/scene/detail/judge_clearance.h>
#include <fitup/scene/detail/judge_shapes.h>

namespace fitup {
namespace {

/// Boxes of surfaces in one frame, empty ones included.
using SurfaceBoxes = std::vector<Box>;

bool holds(const std::optional<SurfaceId>& only, SurfaceId surface) { return !only || *only == surface; }

template <typename Place>
SurfaceBoxes surfaceBoxes(const TriangleMesh& mesh, const std::optional<SurfaceId>& only, Place&& place) {
  SurfaceBoxes boxes(mesh.surfaces().size());
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const SurfaceId surface = mesh.surfaceOf(TriangleId{i});
    if (!holds(only, surface)) continue;
    for (const Vec3& v : mesh.triangle(TriangleId{i}).v) boxes[index(surface)].extend(place(v));
  }
  return boxes;
}

Box unionOf(const SurfaceBoxes& boxes) {
  Box all;
  for (const Box& box : boxes) all.extend(box);
  return all;
}

void requireSurface(const Assembly& assembly, NodeId node, SurfaceId surface) {
  const std::size_t count = assembly.meshOf(node).surfaces().size();
  if (index(surface) >= count)
    throw InputError("'" + assembly.path(node) + "'", "surface " + std::to_string(index(surface)),
                     "does not exist; there are " + std::to_string(count));
}

/// Explains the pair in the frame of the query: boxes, candidates, hits.
void explainTriangles(const PosedModel& first, const PosedModel& second, const ExplainQuestion& question,
                      const Progress& progress, Explanation& result) {
  const PairFrame frame = PairFrame::of(first, second);
  result.aStays = !frame.swapped;
  const TriangleMesh &a = (frame.swapped ? second : first).model->mesh(),
                     &b = (frame.swapped ? first : second).model->mesh();
  std::optional<SurfacePair> only = question.surfaces;
  if (only && frame.swapped) std::swap(only->a, only->b);
  const SurfaceBoxes inA = surfaceBoxes(a, only ? std::optional(only->a) : std::nullopt,
                                        [](const Vec3&v) { return v; }),
                     ofB = surfaceBoxes(b, only ? std::optional(only->b) : std::nullopt,
                                        [&](const Vec3&v) { return frame.placement.aFromB.apply(v); });
  const Box all[2] = {unionOf(inA), unionOf(ofB)};
  if (!all[0].empty() && !all[1].empty() && all[0].overlaps(all[1]))
    for (int k = 0; k < 3; ++k) {
      result.overlapBox.min[k] = std::max(all[0].min[k], all[1].min[k]);
      result.overlapBox.max[k] = std::min(all[0].max[k], all[1].max[k]);
    }
  for (const Box& s : inA)
    for (const Box& t : ofB) {
      if (s.empty() || t.empty()) continue;
      ++result.surfacePairs;
      result.surfaceCandidates += s.overlaps(t);
    }
  if (result.surfaceCandidates == 0) return;

  const TriangleSweep sweep(a, b, frame.placement, only);
  std::set<SurfacePair> surfaces;
  const double reach = 0;
  sweep.visit(
      reach,
      [&](const TriangleSweep::Entry& s, const TriangleSweep::Entry& t) {
        ++result.triangleCandidates;
        TriangleTester tester(s.corners, question.options.request.touching);
        if (tester.intersects(t.corners)) {
          ++result.hits;
          surfaces.insert({a.surfaceOf(s.id), b.surfaceOf(t.id)});
        }
        result.exactTests += tester.exactTests();
        return true;
      },
      [&] { return !progress.cancelled(); });
  result.hitSurfaces = surfaces.size();
}

std::optional<ToleranceOrigin> originOf(const std::optional<double>& given, const PosedSolid& a,
                                        const PosedSolid& b) {
  const double rounding = minimumTolerance(a, b);
  if (given) return *given < rounding ? ToleranceOrigin::rounding : ToleranceOrigin::given;
  if (!a.solid->mesh().deflection() || !b.solid->mesh().deflection()) return std::nullopt;
  const double chord = 2 * std::max(deflectionInWorld(a.solid->mesh(), a.worldFromPart),
                                    deflectionInWorld(b.solid->mesh(), b.worldFromPart));
  return chord < rounding ? ToleranceOrigin::rounding : ToleranceOrigin::chordError;
}

ExplainedOutcome outcomeOf(const Explanation& e, const Rule* rule) {
  if (!e.selected) return ExplainedOutcome::unselected;
  if (rule != nullptr && rule->action == RuleAction::ignore) return ExplainedOutcome::ignored;
  if (e.boxA.empty() || e.boxB.empty()) return ExplainedOutcome::noTriangles;
  if (e.hits > 0) return ExplainedOutcome::intersect;
  if (std::any_of(e.gaps.begin(), e.gaps.end(), [](double gap) { return gap > 0; }))
    return ExplainedOutcome::boxesApart;
  return e.surfaceCandidates == 0 ? ExplainedOutcome::surfacesApart : ExplainedOutcome::trianglesApart;
}

}  // namespace

std::string_view name(ExplainedOutcome outcome) noexcept {
  switch (outcome) {
    case ExplainedOutcome::unselected:
      return "unselected";
    case ExplainedOutcome::ignored:
      return "ignored";
    case ExplainedOutcome::noTriangles:
      return "noTriangles";
    case ExplainedOutcome::boxesApart:
      return "boxesApart";
    case ExplainedOutcome::surfacesApart:
      return "surfacesApart";
    case ExplainedOutcome::trianglesApart:
      return "trianglesApart";
    case ExplainedOutcome::intersect:
      return "intersect";
  }
  return {};
}

std::string_view name(ToleranceOrigin origin) noexcept {
  switch (origin) {
    case ToleranceOrigin::given:
      return "given";
    case ToleranceOrigin::chordError:
      return "chordError";
    case ToleranceOrigin::faces:
      return "faces";
    case ToleranceOrigin::rounding:
      return "rounding";
    case ToleranceOrigin::rule:
      return "rule";
  }
  return {};
}

void requireAnswerable(const Assembly& assembly, const ExplainQuestion& question) {
  for (const NodeId node : {question.a, question.b}) (void)assembly.partOf(node);
  if (question.a == question.b)
    throw InputError("explain", "'" + assembly.path(question.a) + "'", "is named twice");
  if (question.surfaces) {
    requireSurface(assembly, question.a, question.surfaces->a);
    requireSurface(assembly, question.b, question.surfaces->b);
  }
}

Explanation explain(const Scene& scene, const Poses& poses, const ExplainQuestion& question,
                    const Progress& progress) {
  const Assembly& assembly = scene.assembly();
  scene.requireInstances(poses);
  requireAnswerable(assembly, question);
  const TriangleMesh &meshA = assembly.meshOf(question.a), &meshB = assembly.meshOf(question.b);
  Explanation result;
  const Rules& rules = question.options.rules;
  const std::string pathA = assembly.path(question.a), pathB = assembly.path(question.b);
  const PairSelection& selection = question.options.selection;
  selection.requireSize(scene.instances().size());
  result.selected = rules.selects(pathA, pathB) &&
                    selection.selects(scene.positionOf(question.a), scene.positionOf(question.b));
  const Rule* rule = rules.find(pathA, pathB);
  if (rule != nullptr) result.rule = static_cast<std::size_t>(rule - rules.rules.data());

  const PosedModel first = scene.posed(question.a, poses), second = scene.posed(question.b, poses);
  const auto worldBox = [](const TriangleMesh& mesh, const Transform& worldFromPart,
                           const std::optional<SurfaceId>& only) {
    return unionOf(
        surfaceBoxes(mesh, only, [&](const Vec3& v) { return worldFromPart.apply(mesh.origin() + v); }));
  };
  const auto& surfaces = question.surfaces;
  result.boxA = worldBox(meshA, first.worldFromPart, surfaces ? std::optional(surfaces->a) : std::nullopt);
  result.boxB = worldBox(meshB, second.worldFromPart, surfaces ? std::optional(surfaces->b) : std::nullopt);
  if (result.boxA.empty() || result.boxB.empty()) {
    result.outcome = outcomeOf(result, rule);
    return result;
  }
  for (int k = 0; k < 3; ++k)
    result.gaps[static_cast<std::size_t>(k)] =
        std::max(result.boxA.min[k], result.boxB.min[k]) - std::min(result.boxA.max[k], result.boxB.max[k]);
  explainTriangles(first, second, question, progress, result);

  IntersectionRequest request = question.options.request;
  request.coherence = Coherence::off;
  if (!request.limits.cancel.stop_possible()) request.limits.cancel = progress.stopToken();
  QueryContext context;
  const IntersectionReport report = intersect(first, second, request, context);
  result.stats = report.stats;
  result.status = report.status;
  DistanceRequest near;
  near.limits.cancel = request.limits.cancel;
  const DistanceReport distances =
      surfaces ? distance(first, second, *surfaces, near, context) : distance(first, second, near, context);
  result.nearest = distances.nearest;
  if (result.nearest)
    result.nearestError = surfaces
                              ? distanceError(first, second, *surfaces)
                              : distanceError(first, second, result.nearest->distance, near.limits, context);
  result.status = std::max(result.status, distances.status);

  const PosedSolid solidA = scene.posedSolid(question.a, poses), solidB = scene.posedSolid(question.b, poses);
  result.closedA = solidA.solid->watertightness().closed();
  result.closedB = solidB.solid->watertightness().closed();
  if (!surfaces) {
    VerdictRequest judge;
    const VerdictOptions options = question.options.verdict.value_or(VerdictOptions{});
    judge.tolerance = options.tolerance;
    judge.overlaps = true;
    judge.limits.cancel = request.limits.cancel;
    result.toleranceOrigin = originOf(judge.tolerance, solidA, solidB);
    if (options.tolerancesOfFaces && result.toleranceOrigin == ToleranceOrigin::chordError) {
      judge.tolerance = toleranceOfFaces(solidA, solidB, judge.limits, context);
      if (*judge.tolerance < effectiveTolerance({}, solidA, solidB))
        result.toleranceOrigin = ToleranceOrigin::faces;
    }
    if (result.toleranceOrigin) {
      const double before = effectiveTolerance(judge.tolerance, solidA, solidB);
      judge.tolerance = toleranceByRule(judge.tolerance, rule, solidA, solidB);
      if (judge.tolerance && *judge.tolerance > before) result.toleranceOrigin = ToleranceOrigin::rule;
      result.verdict = detail::judgeShapes(scene, question.a, solidA, question.b, solidB, judge, options,
                                           context, progress);
      result.status = std::max(result.status, result.verdict->status);
      if (rule == nullptr && !result.verdict->isOpen())
        result.areCopies = judgeCopies(solidA, solidB, *result.verdict);
    }
  }
  if (result.selected && !surfaces && (rule == nullptr || rule->action != RuleAction::ignore)) {
    result.verdictCounts = question.options.verdict && result.verdict;
    if (rule != nullptr && rule->action == RuleAction::clearance) {
      const detail::ClearanceJudgement judged = detail::judgeClearance(
          rule->distance, first, second, question.options.verdict, near.limits, context, result.status,
          detail::measureShapes(scene, question.a, question.b, solidA.worldFromPart, solidB.worldFromPart,
                                rule->distance, question.options.verdict, near.limits, progress, context));
      result.tooNear = judged.tooNear.has_value();
      if (result.verdict) detail::applyClearance(judged, *result.verdict);
      result.clearanceIsOpen = judged.open.has_value();
    }
  }
  if (progress.cancelled()) result.status = ReportStatus::cancelled;
  result.outcome = outcomeOf(result, rule);
  return result;
}

}  // namespace fitup

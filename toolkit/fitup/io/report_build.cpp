#include <fitup/io/report_build.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include <fitup/base/hash.h>
#include <fitup/io/detail/rule_review.h>
#include <fitup/io/detail/step_placements.h>
#include <fitup/io/former_reviews.h>
#include <fitup/query/intersection_lines.h>
#include <fitup/scene/face_assessment.h>

namespace fitup {
namespace {

using detail::StepPlacements;

Vec3 middleOf(const TriangleIntersection& common) {
  Vec3 sum;
  for (const Vec3& p : common.corners()) sum = sum + p;
  return sum * (1.0 / common.count);
}

/// Converts the ids of a report to the user's terms.
class Translation {
 public:
  Translation(const Model& model, const ReportContext& context, const Track* track, bool withPoints)
      : model_(model),
        rules_(context.options.rules),
        reviews_(context.reviews),
        formerReviews_(model.assembly),
        placements_(model.assembly, context.poses, track),
        withPoints_(withPoints) {}

  ReportedRun run(const InterferenceReport& report, std::size_t step) {
    ReportedRun result;
    result.step = step;
    result.status = report.status;
    result.consideredPairs = report.consideredPairs;
    result.excludedPairs = report.excludedPairs;
    result.unselectedPairs = report.unselectedPairs;
    result.narrowPairs = report.narrowPairs;
    result.milliseconds = report.milliseconds;
    result.stats = report.stats;
    for (const auto& [pair, copies] : listedPairs(report))
      result.pairs.push_back(copies ? setOf(*pair, *copies) : pairOf(*pair, step));
    return result;
  }

 private:
  const std::string& path(NodeId node) {
    const auto [found, isNew] = paths_.try_emplace(static_cast<std::uint32_t>(node));
    if (isNew) found->second = model_.assembly.path(node);
    return found->second;
  }

  /// The pair without its findings.
  ReportedPair headOf(const PairInterference& pair) {
    ReportedPair result;
    result.a = path(pair.a);
    result.b = path(pair.b);
    result.id = pairId(result.a, result.b);
    result.status = pair.report.status;
    result.rule = pair.rule;
    result.assessment = pair.assessment();
    if (pair.verdict) result.undecidedBecause = pair.verdict->undecidedBecause;
    if (pair.volume) result.volumeUnknownBecause = pair.volume->unknownBecause;
    result.review =
        formerReviews_.find(reviews_, pair.a, pair.b, std::nullopt).value_or(reviewByRule(rules_, pair));
    return result;
  }

  ReportedPair setOf(const PairInterference& first, const CopySet& set) {
    ReportedPair result = headOf(first);
    for (const NodeId node : set.instances) result.copies.push_back(path(node));
    result.copyPairs = set.pairs;
    return result;
  }

  ReportedPair pairOf(const PairInterference& pair, std::size_t step) {
    const TriangleMesh& meshA = model_.assembly.meshOf(pair.a);
    const TriangleMesh& meshB = model_.assembly.meshOf(pair.b);
    ReportedPair result = headOf(pair);
    const Review byRule = reviewByRule(rules_, pair);
    const auto& surfacePairs = pair.report.surfacePairs;  // sorted
    for (const SurfacePair& s : surfacePairs) {
      ReportedFinding finding;
      finding.a = reportedSurface(meshA, s.a);
      finding.b = reportedSurface(meshB, s.b);
      finding.id = findingId(result.a, finding.a, result.b, finding.b);
      finding.assessment = faceAssessment(pair, s);
      finding.region = regionOf(pair, s);
      finding.review = formerReviews_.find(reviews_, pair.a, pair.b, s).value_or(byRule);
      result.findings.push_back(std::move(finding));
    }
    const auto findingOf = [&](const TrianglePair& t) -> ReportedFinding* {
      const SurfacePair key{meshA.surfaceOf(t.a), meshB.surfaceOf(t.b)};
      const auto found = std::lower_bound(surfacePairs.begin(), surfacePairs.end(), key);
      if (found == surfacePairs.end() || *found != key) return nullptr;
      return &result.findings[static_cast<std::size_t>(found - surfacePairs.begin())];
    };
    for (const TrianglePair& t : pair.report.trianglePairs)
      if (ReportedFinding* finding = findingOf(t))
        finding->triangles.emplace_back(meshA.sourceTriangle(t.a), meshB.sourceTriangle(t.b));
    if (withPoints_ && !pair.report.trianglePairs.empty()) addPoints(pair, step, findingOf);
    return result;
  }

  template <typename FindingOf>
  void addPoints(const PairInterference& pair, std::size_t step, FindingOf findingOf) const {
    const auto posed = [&](NodeId node) {
      return PosedModel{model_.collisionModels[index(model_.assembly.partOf(node))],
                        placements_.at(node, step)};
    };
    const auto lines = intersectionLines(posed(pair.a), posed(pair.b), pair.report);
    for (const IntersectionLine& line : lines)
      if (ReportedFinding* finding = findingOf(line.triangles); finding && line.common.count > 0) {
        if (!finding->extent) finding->extent.emplace();
        for (const Vec3& p : line.common.corners()) finding->extent->extend(p);
      }
    std::unordered_map<const ReportedFinding*, double> nearest;
    for (const IntersectionLine& line : lines) {
      ReportedFinding* finding = findingOf(line.triangles);
      if (finding == nullptr || line.common.count == 0) continue;
      const Vec3 middle = middleOf(line.common);
      const double away = norm(middle - finding->extent->centre());
      const auto [found, isNew] = nearest.try_emplace(finding, away);
      if (!isNew && !(away < found->second)) continue;
      found->second = away;
      finding->assessment.point = middle;
    }
  }

  const Model& model_;
  const Rules& rules_;
  const std::map<std::string, Review>& reviews_;
  FormerReviews formerReviews_;
  StepPlacements placements_;
  bool withPoints_;
  std::unordered_map<std::uint32_t, std::string> paths_;
};

/// The contribution of an instance to a pair's own tolerance; 0 if its part has none.
double ownToleranceOf(const Assembly& assembly, const Poses& poses, NodeId node) {
  const TriangleMesh& mesh = assembly.meshOf(node);
  const Transform* placed = poses.find(node);
  return mesh.deflection()
             ? 2 * deflectionInWorld(mesh, placed != nullptr ? *placed : assembly.worldFromNode(node))
             : 0;
}

/// Hash of the moved paths and their poses and ways at all steps, independent of the order of the paths.
std::uint64_t hashOfMotion(const Track& track) {
  std::vector<std::size_t> order(track.moved.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return track.moved[i] < track.moved[j]; });
  ContentHash hash;
  for (const std::size_t i : order) {
    hash.addText(track.moved[i]);
    for (std::size_t k = 0; k < track.steps.size(); ++k) {
      const auto& [q, t] = track.steps[k][i];
      for (const double number : {q.x, q.y, q.z, q.w, t.x, t.y, t.z}) hash.addValue(number);
      const StepWay way = track.wayTo(k, i);
      if (const auto& p = way.pivot)
        for (const double number : {p->x, p->y, p->z}) hash.addValue(number);
      if (const auto& turn = way.turn) {
        const auto& [p, d, degrees, advance] = *turn;
        for (const double number : {p.x, p.y, p.z, d.x, d.y, d.z, degrees, advance}) hash.addValue(number);
      }
    }
  }
  return hash.value();
}

/// The instances that lack geometry; empty if a warning does not name them.
std::optional<std::vector<std::string>> incompleteInstances(const Model& model) {
  // Warnings name parts, alone or with the face after a colon, or instances by their paths.
  std::unordered_multimap<std::string, std::size_t> byPart, byPath;
  std::vector<char> isNamed;
  for (const ImportWarning& warning : model.warnings) {
    if (!warning.incomplete) continue;
    const std::size_t at = isNamed.size();
    const std::string& element = warning.element;
    isNamed.push_back(0);
    byPath.emplace(element, at);
    if (element.starts_with("part '") && element.ends_with('\''))
      byPart.emplace(element.substr(6, element.size() - 7), at);
    for (std::size_t end = element.find(": "); end != std::string::npos; end = element.find(": ", end + 1))
      byPart.emplace(element.substr(0, end), at);
  }
  std::vector<std::string> paths;
  for (NodeId node : model.assembly.instances()) {
    const std::string path = model.assembly.path(node);
    const auto ofPart = byPart.equal_range(model.assembly.meshOf(node).name());
    const auto ofPath = byPath.equal_range(path);
    for (const auto& [from, to] : {ofPart, ofPath})
      for (auto named = from; named != to; ++named) isNamed[named->second] = 1;
    if (ofPart.first != ofPart.second || ofPath.first != ofPath.second) paths.push_back(path);
  }
  if (std::find(isNamed.begin(), isNamed.end(), 0) != isNamed.end()) return std::nullopt;
  return paths;
}

ReportedPlacement placementOf(const Assembly& assembly, NodeId node, const Transform& worldFromPart) {
  ReportedPlacement result{assembly.path(node), worldFromPart};
  const Transform designed = assembly.worldFromNode(node);
  const Vec3 centre = assembly.meshOf(node).boundsInPart().centre();
  result.distance = norm(worldFromPart.apply(centre) - designed.apply(centre));
  if (const Transform turn = worldFromPart * designed.inverse(); turn.kind() == TransformKind::rigid) {
    const Quaternion q = rotationOf(turn);
    result.angle = 2 * std::atan2(norm(Vec3{q.x, q.y, q.z}), std::abs(q.w));
  }
  return result;
}

ReportDocument head(ReportKind kind, const ReportContext& context, const Model& model, ReportStatus status) {
  ReportDocument document;
  document.kind = kind;
  document.program = context.program;
  document.model = {context.modelFile,
                    model.assembly.contentHash(),
                    model.assembly.unit(),
                    model.source.path,
                    digestText(model.source.digest),
                    model.source.importOptions,
                    std::vector<std::string>{},
                    {}};
  document.model.fromCache = model.fromCache;
  for (NodeId node : model.assembly.instances())
    document.model.instances.push_back(model.assembly.path(node));
  for (const auto& [node, worldFromPart] : context.poses)
    if (worldFromPart != model.assembly.worldFromNode(node))
      document.model.placed.push_back(placementOf(model.assembly, node, worldFromPart));
  document.track = context.trackFile;
  if (context.track != nullptr) {
    document.moved = context.track->moved;
    document.trackHash = hashOfMotion(*context.track);
  }
  const IntersectionRequest& request = context.options.request;
  // Checks that end at the first pair of parts request only one pair of its surfaces.
  document.request.mode = name(context.options.stopAtFirstPair ? QueryMode::firstSurfacePair : request.mode);
  document.request.hierarchy = name(request.hierarchy);
  document.request.touching = request.touching == Touching::include ? "include" : "exclude";
  document.request.overlapBox = name(request.overlapBox);
  document.request.stopAtFirstPair = context.options.stopAtFirstPair;
  document.request.maxPairs = request.limits.maxPairs;
  if (request.limits.timeBudget)
    document.request.timeBudgetMilliseconds = static_cast<double>(request.limits.timeBudget->count()) * 1e-6;
  if (const auto& verdict = context.options.verdict) {
    document.request.verdicts = true;
    document.request.tolerance = verdict->tolerance;
    document.request.exactShapes = verdict->judgesExactShapes();
    if (!verdict->tolerance)
      for (NodeId node : model.assembly.instances())
        document.model.ownTolerances.push_back(ownToleranceOf(model.assembly, context.poses, node));
  }
  document.request.rules = context.options.rules;
  document.status = status;
  document.geometryIncomplete =
      std::any_of(model.warnings.begin(), model.warnings.end(), [](const auto& w) { return w.incomplete; });
  if (document.geometryIncomplete) document.model.incomplete = incompleteInstances(model);
  document.warnings = model.warnings;
  return document;
}

/// Clear pairs with open parts are not certainly clear, so the report must say so.
void warnOfOpenParts(std::size_t parts, ReportDocument& document) {
  if (parts > 0) document.warnings.push_back({"", openPartsText(parts), false});
}

ReportedMotionClearance reportedClearance(const Assembly& assembly, const MotionClearanceReport& report) {
  ReportedMotionClearance result{report.range,
                                 report.resolution,
                                 report.status,
                                 report.consideredPairs,
                                 report.queries,
                                 report.milliseconds,
                                 {}};
  for (const LeastClearance& part : report.parts) {
    const NodeId a = part.pair.a, b = part.pair.b;
    const NearestPair& nearest = part.pair.nearest;
    result.parts.push_back({part.time, assembly.path(a), assembly.path(b),
                            reportedSurface(assembly.meshOf(a), nearest.surfaces.a),
                            reportedSurface(assembly.meshOf(b), nearest.surfaces.b), nearest.distance,
                            part.atLeast, part.pair.chordError, part.pair.rounding, nearest.pointA,
                            nearest.pointB});
  }
  return result;
}

bool hasModels(const Model& model) { return model.collisionModels.size() == model.assembly.partCount(); }

}  // namespace

ReportedSurface reportedSurface(const TriangleMesh& mesh, SurfaceId id) {
  const Surface& surface = mesh.surfaces()[index(id)];
  return {static_cast<std::uint32_t>(index(id)), surface.name,
          surface.description ? text(*surface.description) : std::string(), surface.fingerprint};
}

Review reviewByRule(const Rules& rules, const PairInterference& pair) {
  return detail::reviewByRule(rules, pair.rule, pair.assessment().verdict);
}

ReportDocument buildReport(const ReportContext& context, const Model& model,
                           const InterferenceReport& report) {
  ReportDocument document = head(ReportKind::check, context, model, report.status);
  warnOfOpenParts(report.openParts.size(), document);
  if (const std::string nothing = nothingCheckedText(report); !nothing.empty()) {
    document.status = ReportStatus::truncated;
    document.warnings.push_back({"", nothing, true});
  }
  document.runs.push_back(Translation(model, context, nullptr, hasModels(model)).run(report, 0));
  return document;
}

ReportDocument buildReport(const ReportContext& context, const Model& model, const ReplayReport& report) {
  ReportDocument document = head(ReportKind::replay, context, model, report.status);
  warnOfOpenParts(report.openParts().size(), document);
  if (context.track != nullptr)
    for (const std::string& warning : trackWarnings(*context.track))
      document.warnings.push_back({context.trackFile, warning, false});
  if (context.motionClearance != nullptr) {
    document.motionClearance = reportedClearance(model.assembly, *context.motionClearance);
    document.status = std::max(document.status, context.motionClearance->status);
  }
  Translation translation(model, context, context.track, context.track != nullptr && hasModels(model));
  for (const ReplayStep& step : report.steps)
    document.runs.push_back(translation.run(step.interference, step.step));
  return document;
}

}  // namespace fitup

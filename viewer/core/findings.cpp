#include <viewer/core/findings.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fitup/io/report_build.h>
#include <fitup/scene/clash_depths.h>
#include <fitup/scene/copies.h>
#include <fitup/scene/face_assessment.h>

namespace fitup::viewer {
namespace {

/// Returns the witness of each pair of surfaces: triangle pairs are sorted by triangles, and triangles by
/// surface.
std::optional<TrianglePair> witnessOf(const Assembly& assembly, const PairInterference& pair,
                                      std::size_t position) {
  const IntersectionReport& report = pair.report;
  if (report.mode != QueryMode::allTrianglePairs)
    return position < report.trianglePairs.size() ? std::optional(report.trianglePairs[position])
                                                  : std::nullopt;
  const TriangleMesh &meshA = assembly.meshOf(pair.a), &meshB = assembly.meshOf(pair.b);
  const SurfacePair wanted = report.surfacePairs[position];
  const auto found = std::ranges::find_if(report.trianglePairs, [&](const TrianglePair& t) {
    return meshA.surfaceOf(t.a) == wanted.a && meshB.surfaceOf(t.b) == wanted.b;
  });
  return found == report.trianglePairs.end() ? std::nullopt : std::optional(*found);
}

ContainedPart innerAndOuter(const Assembly& assembly, NodeId a, NodeId b) {
  const auto size = [&](NodeId node) { return norm(assembly.meshOf(node).boundsInPart().halfExtent()); };
  return size(a) < size(b) ? ContainedPart{a, b} : ContainedPart{b, a};
}

/// The result for a pair of surfaces as in reports; without a verdict while it is not known which surfaces
/// clash.
Assessment ofFaces(const PairInterference& pair, const SurfacePair& surfaces) {
  if (!pair.verdict) return pair.assessment();
  if (!needsDepth(pair)) return faceAssessment(pair, surfaces);
  Assessment open;
  open.tolerance = pair.verdict->tolerance;
  return open;
}

Finding ofPair(const PairInterference& pair, const Rules& rules) {
  Finding finding;
  finding.a = pair.a;
  finding.b = pair.b;
  finding.found = pair.assessment();
  finding.severity = finding.ofPair = pair.severity();
  finding.undecidedBecause = pair.verdict ? pair.verdict->undecidedBecause : std::string();
  finding.intersects = pair.report.intersects();
  finding.depthIsOpen = needsDepth(pair);
  finding.rule = pair.rule;
  if (pair.tooNear && pair.rule && *pair.rule < rules.rules.size())
    finding.clearance = rules.rules[*pair.rule].distance;
  finding.byRule = reviewByRule(rules, pair);
  return finding;
}

void addFaces(PairFindings& findings, const Assembly& assembly, const PairInterference& pair) {
  const std::vector<SurfacePair>& surfaces = pair.report.surfacePairs;
  Finding finding = findings.pair;
  bool isShown = false;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    finding.surfaces = surfaces[i];
    finding.witness = witnessOf(assembly, pair, i);
    finding.found = ofFaces(pair, surfaces[i]);
    if (pair.verdict && !finding.depthIsOpen) finding.severity = finding.found.severity();
    isShown |= finding.severity >= finding.ofPair && !finding.depthIsOpen;
    findings.faces.push_back(finding);
  }
  // A place to look at.
  if (!findings.pair.found.point) findings.pair.witness = findings.faces.front().witness;
  findings.isFinding = !isShown;
  findings.pairsOfFaces = surfaces.size();
}

/// See `changesBetween`; `precedes` orders both lists.
template <typename Listed, typename Precedes>
std::vector<FindingsChange> changes(std::span<const Listed> before, std::span<const Listed> after,
                                    Precedes precedes) {
  std::vector<FindingsChange> found;
  const auto add = [&](bool inserts, std::size_t oldAt, std::size_t newAt) {
    if (!found.empty()) {
      FindingsChange& last = found.back();
      const bool follows = inserts ? last.newAt + last.count == newAt && last.oldAt == oldAt
                                   : last.oldAt + last.count == oldAt;
      if (last.inserts == inserts && follows) {
        ++last.count;
        return;
      }
    }
    found.push_back({inserts, oldAt, newAt, 1});
  };
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (j == after.size() || (i < before.size() && precedes(before[i], after[j]))) {
      add(false, i, j);
      ++i;
    } else if (i == before.size() || precedes(after[j], before[i])) {
      add(true, i, j);
      ++j;
    } else {
      ++i;
      ++j;
    }
  }
  return found;
}

}  // namespace

int rankOf(Severity severity) noexcept {
  switch (severity) {
    case Severity::clash:
    case Severity::intersection:
      return 0;
    case Severity::tooNear:
      return 1;
    case Severity::undecided:
      return 2;
    case Severity::contact:
      return 3;
    case Severity::clear:
      break;
  }
  return 4;
}

FaceCounts countFaces(const InterferenceReport& report) {
  FaceCounts counts;
  for (const auto& [pair, copies] : listedPairs(report)) {
    if (copies) continue;
    const std::vector<SurfacePair>& all = pair->report.surfacePairs;
    counts.all += all.size();
    if (needsDepth(*pair)) {
      counts.open += all.size();
      continue;
    }
    for (const SurfacePair& surfaces : all) {
      const std::optional<Verdict> verdict = ofFaces(*pair, surfaces).verdict;
      counts.clashes += verdict == Verdict::clash;
      counts.undecided += verdict == Verdict::undecided;
      counts.contacts += verdict == Verdict::contact;
    }
  }
  return counts;
}

bool isListed(const PairInterference& pair) noexcept {
  return !pair.report.surfacePairs.empty() || pair.assessment().verdict || pair.tooNear;
}

std::vector<PairFindings> listPairs(const Assembly& assembly, const InterferenceReport& report,
                                    const Rules& rules) {
  std::vector<PairFindings> all;
  for (const auto& [listed, copies] : listedPairs(report)) {
    if (!copies && !isListed(*listed)) continue;
    PairFindings& findings = all.emplace_back();
    findings.pair = ofPair(*listed, rules);
    findings.isFinding = true;
    if (copies)
      findings.pair.copies = copies->instances;
    else if (!listed->report.surfacePairs.empty())
      addFaces(findings, assembly, *listed);
  }
  return all;
}

std::vector<Finding> listFindings(const Assembly& assembly, const InterferenceReport& report,
                                  const Rules& rules) {
  std::vector<Finding> all;
  for (PairFindings& findings : listPairs(assembly, report, rules)) {
    if (findings.isFinding) all.push_back(std::move(findings.pair));
    std::ranges::move(findings.faces, std::back_inserter(all));
  }
  return all;
}

std::optional<ContainedPart> containedPart(const Assembly& assembly, const PairInterference& pair) {
  if (!pair.is(Verdict::clash) || !pair.report.surfacePairs.empty()) return std::nullopt;
  return innerAndOuter(assembly, pair.a, pair.b);
}

std::optional<ContainedPart> containedPart(const Assembly& assembly, const Finding& finding) {
  if (finding.found.verdict != Verdict::clash || finding.surfaces || finding.intersects) return std::nullopt;
  return innerAndOuter(assembly, finding.a, finding.b);
}

std::string idOf(const Assembly& assembly, const Finding& finding) {
  const std::string a = assembly.path(finding.a), b = assembly.path(finding.b);
  if (!finding.surfaces) return pairId(a, b);
  return findingId(a, reportedSurface(assembly.meshOf(finding.a), finding.surfaces->a), b,
                   reportedSurface(assembly.meshOf(finding.b), finding.surfaces->b));
}

bool isSameFinding(const Finding& a, const Finding& b) noexcept {
  return a.a == b.a && a.b == b.b && a.surfaces == b.surfaces;
}

std::vector<FindingsChange> changesBetween(std::span<const Finding> before, std::span<const Finding> after) {
  return changes(before, after, [](const Finding& x, const Finding& y) {
    return std::tie(x.a, x.b, x.surfaces) < std::tie(y.a, y.b, y.surfaces);
  });
}

std::vector<FindingsChange> changesBetween(std::span<const PairFindings> before,
                                           std::span<const PairFindings> after) {
  return changes(before, after, [](const PairFindings& x, const PairFindings& y) {
    return std::tie(x.pair.a, x.pair.b) < std::tie(y.pair.a, y.pair.b);
  });
}

}  // namespace fitup::viewer

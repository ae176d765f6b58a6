#include <viewer/core/findings.h>

#include <tuple>

#include <algorithm>

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

}  // namespace

int rankOf(Severity severity) noexcept {
  switch (severity) {
    case Severity::clash:
    case Severity::intersection:
      return 0;
    case Severity::undecided:
      return 1;
    case Severity::tooNear:
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

std::vector<Finding> listFindings(const Assembly& assembly, const InterferenceReport& report,
                                  const Rules& rules) {
  std::vector<Finding> findings;
  for (const auto& [listed, copies] : listedPairs(report)) {
    const PairInterference& pair = *listed;
    Finding finding;
    finding.a = pair.a;
    finding.b = pair.b;
    finding.found = pair.assessment();
    finding.severity = finding.ofPair = pair.severity();
    finding.undecidedBecause = pair.verdict ? pair.verdict->undecidedBecause : std::string();
    finding.intersects = pair.report.intersects();
    finding.depthIsOpen = needsDepth(pair);
    if (pair.tooNear && pair.rule && *pair.rule < rules.rules.size())
      finding.clearance = rules.rules[*pair.rule].distance;
    finding.byRule = reviewByRule(rules, pair);
    if (copies) {
      finding.copies = copies->instances;
      findings.push_back(finding);
      continue;
    }
    if (pair.report.surfacePairs.empty() && (finding.found.verdict || pair.tooNear))
      findings.push_back(finding);
    const Finding ofPair = finding;
    const auto first = static_cast<std::ptrdiff_t>(findings.size());
    bool isShown = pair.report.surfacePairs.empty();
    for (std::size_t i = 0; i < pair.report.surfacePairs.size(); ++i) {
      finding.surfaces = pair.report.surfacePairs[i];
      finding.witness = witnessOf(assembly, pair, i);
      finding.found = ofFaces(pair, *finding.surfaces);
      if (pair.verdict && !ofPair.depthIsOpen) finding.severity = finding.found.severity();
      isShown |= finding.severity >= ofPair.severity && !ofPair.depthIsOpen;
      findings.push_back(finding);
    }
    if (!isShown) findings.insert(findings.begin() + first, ofPair);
  }
  return findings;
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
  const auto precedes = [](const Finding& x, const Finding& y) {
    return std::tie(x.a, x.b, x.surfaces) < std::tie(y.a, y.b, y.surfaces);
  };
  std::vector<FindingsChange> changes;
  const auto add = [&](bool inserts, std::size_t oldAt, std::size_t newAt) {
    if (!changes.empty()) {
      FindingsChange& last = changes.back();
      const bool follows = inserts ? last.newAt + last.count == newAt && last.oldAt == oldAt
                                   : last.oldAt + last.count == oldAt;
      if (last.inserts == inserts && follows) {
        ++last.count;
        return;
      }
    }
    changes.push_back({inserts, oldAt, newAt, 1});
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
  return changes;
}

}  // namespace fitup::viewer

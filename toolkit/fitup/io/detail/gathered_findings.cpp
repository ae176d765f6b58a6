#include <fitup/io/detail/gathered_findings.h>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

namespace fitup::detail {
namespace {

/// Distance of the parts; 0 if they meet.
double distanceOf(const Assessment& a) {
  return a.distance.value_or(a.verdict == Verdict::clear ? std::numeric_limits<double>::infinity() : 0);
}

bool isWorse(const Assessment& a, const Assessment& b) {
  if (a.severity() != b.severity()) return a.severity() > b.severity();
  if (a.depth.value_or(0) != b.depth.value_or(0)) return a.depth.value_or(0) > b.depth.value_or(0);
  return distanceOf(a) < distanceOf(b);
}

ReportedPair withWholeParts(ReportedPair pair) {
  if (needsWholePartFinding(pair)) pair.findings.push_back(wholePartsOf(pair));
  return pair;
}

}  // namespace

bool needsWholePartFinding(const ReportedPair& pair) {
  const Severity ofPair = pair.assessment.severity();
  return ofPair >= Severity::contact &&
         std::none_of(pair.findings.begin(), pair.findings.end(), [&](const ReportedFinding& finding) {
           return finding.change || isBetweenWholeParts(finding) || finding.assessment.severity() >= ofPair;
         });
}

bool isBetweenWholeParts(const ReportedFinding& finding) { return finding.a.ordinal == wholePart; }

ReportedFinding wholePartsOf(const ReportedPair& pair) {
  ReportedFinding finding;
  finding.id = pair.id;
  finding.a.ordinal = finding.b.ordinal = wholePart;
  finding.assessment = pair.assessment;
  finding.review = pair.review;
  return finding;
}

bool isWorse(const ReportedFinding& a, const ReportedFinding& b) {
  if (isWorse(a.assessment, b.assessment)) return true;
  if (isWorse(b.assessment, a.assessment)) return false;
  return a.triangles.size() > b.triangles.size();
}

std::vector<ReportedPair> gatherPairs(const ReportDocument& report,
                                      std::unordered_map<std::string, std::size_t>* worstSteps) {
  std::vector<ReportedPair> result;
  if (report.kind != ReportKind::replay) {
    if (report.runs.empty()) return result;
    for (const ReportedPair& pair : report.runs.front().pairs) result.push_back(withWholeParts(pair));
    return result;
  }
  std::unordered_map<std::string, std::size_t> pairAt;
  std::vector<std::unordered_map<std::string, std::size_t>> findingAt;
  for (const ReportedRun& run : report.runs)
    for (const ReportedPair& listed : run.pairs) {
      const ReportedPair pair = withWholeParts(listed);
      const auto [at, isNewPair] = pairAt.try_emplace(pair.id, result.size());
      if (isNewPair) {
        result.push_back(pair);
        result.back().findings.clear();
        findingAt.emplace_back();
      }
      ReportedPair& gathered = result[at->second];
      if (gathered.status == ReportStatus::complete) gathered.status = pair.status;
      if (isWorse(pair.assessment, gathered.assessment)) {
        gathered.assessment = pair.assessment;
        gathered.review = pair.review;
        gathered.rule = pair.rule;
        gathered.copies = pair.copies;
        gathered.copyPairs = pair.copyPairs;
      }
      for (const ReportedFinding& finding : pair.findings) {
        const auto [place, isNewFinding] =
            findingAt[at->second].try_emplace(finding.id, gathered.findings.size());
        if (isNewFinding) gathered.findings.push_back(finding);
        ReportedFinding& kept = gathered.findings[place->second];
        std::vector<std::size_t> steps = std::move(kept.steps);
        steps.push_back(run.step);
        if (!isNewFinding && isWorse(finding, kept)) {
          kept = finding;
          if (worstSteps != nullptr) (*worstSteps)[finding.id] = run.step;
        } else if (isNewFinding && worstSteps != nullptr) {
          worstSteps->emplace(finding.id, run.step);
        }
        kept.steps = std::move(steps);
      }
    }
  std::unordered_map<std::string, std::size_t> instanceAt;
  for (std::size_t i = 0; i < report.model.instances.size(); ++i) instanceAt[report.model.instances[i]] = i;
  std::stable_sort(result.begin(), result.end(), [&](const ReportedPair& p, const ReportedPair& q) {
    return std::pair(instanceAt[p.a], instanceAt[p.b]) < std::pair(instanceAt[q.a], instanceAt[q.b]);
  });
  for (ReportedPair& pair : result)
    std::sort(pair.findings.begin(), pair.findings.end(),
              [](const ReportedFinding& f, const ReportedFinding& g) {
                return std::pair(f.a.ordinal, f.b.ordinal) < std::pair(g.a.ordinal, g.b.ordinal);
              });
  return result;
}

}  // namespace fitup::detail

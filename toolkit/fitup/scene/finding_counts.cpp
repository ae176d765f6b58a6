#include <fitup/scene/finding_counts.h>

namespace fitup {

void FindingCounts::add(const Assessment& assessment, std::size_t faces, std::size_t triangles,
                        bool isCopySet) noexcept {
  clashes += assessment.verdict == Verdict::clash;
  undecided += assessment.verdict == Verdict::undecided;
  contacts += assessment.verdict == Verdict::contact;
  clear += assessment.verdict == Verdict::clear;
  tooNear += assessment.tooNear;
  copySets += isCopySet;
  if (isCopySet) return;
  pairsOfParts += faces > 0;
  pairsOfFaces += faces;
  pairsOfTriangles += triangles;
}

FindingCounts countFindings(const InterferenceReport& report) {
  FindingCounts counts;
  for (const auto& [pair, copies] : listedPairs(report))
    counts.add(pair->assessment(), pair->report.surfacePairs.size(), pair->report.trianglePairs.size(),
               copies.has_value());
  return counts;
}

}  // namespace fitup

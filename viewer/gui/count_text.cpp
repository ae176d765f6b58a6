#include <viewer/gui/count_text.h>

#include <algorithm>

#include <fitup/scene/finding_counts.h>
#include <viewer/core/findings.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString countsText(const InterferenceReport& report) {
  const FindingCounts parts = countFindings(report);
  const FaceCounts faces = countFaces(report);
  const bool hasVerdicts = std::ranges::any_of(
      report.pairs, [](const PairInterference& pair) { return pair.verdict.has_value(); });
  const QString ofParts =
      countText(hasVerdicts ? parts.clashes + parts.undecided + parts.contacts : parts.pairsOfParts,
                tr("pair of parts"), tr("pairs of parts"));
  const QString ofFaces = countText(faces.all, tr("pair of faces"), tr("pairs of faces"));
  if (!hasVerdicts) return tr("%1, %2").arg(ofParts, ofFaces);
  if (faces.open > 0)
    return tr("%1 of %2 clash, %3 (the depth tells which of them clash)")
        .arg(parts.clashes)
        .arg(ofParts, ofFaces);
  return tr("%1 of %2 and %3 of %4 clash").arg(parts.clashes).arg(ofParts).arg(faces.clashes).arg(ofFaces);
}

}  // namespace fitup::viewer

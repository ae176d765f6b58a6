#include <viewer/gui/count_text.h>

#include <algorithm>
#include <map>
#include <utility>

#include <QStringList>

#include <fitup/scene/copies.h>
#include <viewer/core/findings.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString countsText(const InterferenceReport& report) {
  std::map<int, std::size_t> ofRank;
  std::size_t parts = 0;
  for (const auto& [pair, copies] : listedPairs(report)) {
    if (!copies && !isListed(*pair)) continue;
    ++parts;
    ++ofRank[rankOf(pair->severity())];
  }
  QString text = countText(parts, tr("pair of parts"), tr("pairs of parts"));
  const bool hasVerdicts = std::ranges::any_of(
      report.pairs, [](const PairInterference& pair) { return pair.verdict.has_value(); });
  QStringList verdicts;
  for (const auto& [severity, of] : {std::pair(Severity::clash, hasVerdicts ? tr("%1 clash") : QString()),
                                     {Severity::tooNear, tr("%1 too near")},
                                     {Severity::undecided, tr("%1 undecided")},
                                     {Severity::contact, tr("%1 in contact")}})
    if (const auto found = ofRank.find(rankOf(severity)); found != ofRank.end() && !of.isEmpty())
      verdicts << of.arg(found->second);
  if (!verdicts.isEmpty()) text += QStringLiteral(": ") + verdicts.join(QStringLiteral(", "));
  const FaceCounts faces = countFaces(report);
  if (faces.all == 0) return text;
  const QString ofFaces = countText(faces.all, tr("pair of faces"), tr("pairs of faces"));
  if (!hasVerdicts || faces.open > 0) return tr("%1; %2").arg(text, ofFaces);
  return tr("%1; %2 of %3 clash").arg(text).arg(faces.clashes).arg(ofFaces);
}

}  // namespace fitup::viewer

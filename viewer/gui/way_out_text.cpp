#include <viewer/gui/way_out_text.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/bounded_text.h>
#include <viewer/core/selection_facts.h>
#include <viewer/gui/finding_text.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// Lengths in these texts are for people, who measure where they want more digits.
QString roughLength(double length, const LengthUnit& unit) {
  constexpr int digits = 4;
  return tr("%1 %2").arg(lengthNumber(length, unit, leastShown, digits), unit.name);
}

/// Offsets that suffice are not rounded down.
constexpr double roundedUp = 1 + 1e-3;

QString secondsText(double seconds) { return tr("%1 s").arg(numberText(std::round(10 * seconds) / 10)); }

/// "bolt, nut and 3 more"
QString namesText(const Session& session, std::span<const NodeId> instances, std::size_t most) {
  QStringList names;
  for (const NodeId node : instances.first(std::min(instances.size(), most)))
    names << shown(session.nameOf(node));
  if (instances.size() <= most) return names.join(QStringLiteral(", "));
  return tr("%1 and %2 more").arg(names.join(QStringLiteral(", ")), QString::number(instances.size() - most));
}

QString certainText(const RemovalReport& report, const LengthUnit& unit) {
  if (report.length <= report.way->resolution) return tr("The parts are out already.");
  const std::size_t pieces = report.way->certificate.track.steps.size() - 1;
  QString text = tr("Way out found: certified, %1 long").arg(roughLength(report.length, unit));
  if (pieces > 1) text = tr("%1, in %2 pieces").arg(text).arg(pieces);
  const auto kept = report.profile ? report.profile->atLeast : std::nullopt;
  // Nearer than the search can tell, a distance is no clearance to speak of.
  if (kept && *kept > report.way->resolution)
    text = tr("%1, keeps %2").arg(text, tr("%1 %2").arg(lengthNumber(*kept, unit, leastShown, 2), unit.name));
  return text;
}

QString undecidedText(const WayOut::Answer& answer, const LengthUnit& unit) {
  const RemovalReport& report = answer.report;
  const QString time = secondsText(report.milliseconds / 1000);
  if (answer.isStopped || !report.way) return tr("Undecided: stopped after %1.").arg(time);
  return tr("Undecided: nothing is known to stop a way of %1, but it is not certified.")
      .arg(roughLength(report.length, unit));
}

QString notFoundText(const WayOut::Answer& answer) {
  const auto guide = blockedGuide(answer.question, answer.report);
  if (!guide) return tr("No way found, which does not show that there is none.");
  if (answer.report.search.leg == 0)
    return tr("No way found: at guide point %1, or where they begin, the parts are not free.")
        .arg(*guide + 1);
  return tr("No way found: at guide point %1, the parts are not free.").arg(*guide + 1);
}

QString faceOf(const Session& session, const WayOutClue::Face& face) {
  return tr("%1 of %2")
      .arg(faceText(session.assembly(), face.first, face.second), shown(session.nameOf(face.first)));
}

}  // namespace

QString partsText(const Session& session, std::span<const NodeId> instances) {
  if (instances.size() == 1) return shown(session.nameOf(instances.front()));
  if (const auto node = factsOf(session.scene(), {instances.begin(), instances.end()}).node)
    return shown(session.assembly().node(*node).name);
  return namesText(session, instances, 1);
}

QString stateText(const WayOut& wayOut, const LengthUnit& unit) {
  if (wayOut.isSearching()) {
    const auto sight = wayOut.sight();
    return tr("Searching: %1, %2")
        .arg(countText(sight ? sight->ways : 0, tr("way tried"), tr("ways tried")),
             tr("%1 s").arg(static_cast<int>(wayOut.elapsed())));
  }
  if (!wayOut.answer()) return {};
  switch (wayOut.answer()->report.answer) {
    case RemovalAnswer::certain:
      return certainText(wayOut.answer()->report, unit);
    case RemovalAnswer::notFound:
      return notFoundText(*wayOut.answer());
    case RemovalAnswer::undecided:
      break;
  }
  return undecidedText(*wayOut.answer(), unit);
}

QString worthText(const WayOut& wayOut, const LengthUnit& unit) {
  if (!wayOut.answer() || wayOut.isSearching()) return {};
  const RemovalReport& report = wayOut.answer()->report;
  QStringList lines;
  if (wayOut.isStale()) lines << tr("Something has changed since. Search again.");
  if (report.way && report.way->chordErrors > 0)
    lines << tr("Exact shapes may be nearer to each other by up to %1.")
                 .arg(tr("%1 %2").arg(lengthNumber(report.way->chordErrors, unit, leastShown, 2), unit.name));
  lines << tr("%1 in %2.")
               .arg(countText(report.tried, tr("way tried"), tr("ways tried")),
                    secondsText(report.milliseconds / 1000));
  return lines.join(QLatin1Char(' '));
}

QString clueText(const Session& session, const WayOutClue& clue, const LengthUnit& unit) {
  const QString along = QString::fromStdString(directionText(clue.direction));
  constexpr std::size_t mostNamed = 2;
  switch (clue.kind) {
    case WayOutClue::Kind::without: {
      QStringList ways{along};
      for (const Vec3& direction : clue.also) ways << QString::fromStdString(directionText(direction));
      return tr("Without %1 there is a way along %2")
          .arg(namesText(session, clue.parts, mostNamed), ways.join(QStringLiteral(", ")));
    }
    case WayOutClue::Kind::yields: {
      QStringList faces;
      for (const ReliefFace& face : clue.yielding)
        faces << tr("%1 by %2")
                     .arg(faceOf(session, {face.instance, face.surfaces.front()}),
                          roughLength(roundedUp * face.offset, unit));
      return tr("Set back %1: there is a way along %2").arg(faces.join(QStringLiteral(", ")), along);
    }
    case WayOutClue::Kind::straight: {
      const QString reached = roughLength(clue.reached, unit), wanted = roughLength(clue.wanted, unit);
      if (!clue.faces) return tr("Along %1: free for %2 of %3, then not known").arg(along, reached, wanted);
      return tr("Along %1: free for %2 of %3, then stopped by %4")
          .arg(along, reached, wanted, shown(session.nameOf(clue.faces->second.first)));
    }
    case WayOutClue::Kind::faces:
      return tr("%1 stops %2")
          .arg(shown(session.nameOf(clue.faces->second.first)), countText(clue.count, tr("way"), tr("ways")));
    case WayOutClue::Kind::holding:
      break;
  }
  return tr("Held by %1, unless there is play").arg(shown(session.nameOf(clue.faces->second.first)));
}

QString clueTip(const Session& session, const WayOutClue& clue, const LengthUnit& unit) {
  QString text = clueText(session, clue, unit);
  if (clue.kind == WayOutClue::Kind::without) {
    text += QLatin1Char('\n') + tr("A click selects these parts:");
    for (const NodeId node : clue.parts) text += QLatin1Char('\n') + shown(session.assembly().path(node));
    return text;
  }
  if (!clue.faces) return text;
  return text + QLatin1Char('\n') +
         tr("A click lights these faces:\n%1\n%2")
             .arg(faceOf(session, clue.faces->first), faceOf(session, clue.faces->second));
}

}  // namespace fitup::viewer

#include <viewer/gui/finding_text.h>

#include <fitup/base/rounding.h>
#include <fitup/io/report_build.h>
#include <viewer/gui/depth_text.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/rule_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// "bolt* and plate: allow contact, welded".
QString ruleText(const Rule& rule, const LengthUnit& unit) {
  QString text = tr("%1 and %2: %3").arg(shown(rule.a), shown(rule.b), effectText(rule, unit));
  for (const QString& more : {requirementsShown(rule), shown(rule.reason)})
    if (!more.isEmpty()) text += QStringLiteral(", ") + more;
  return text;
}

}  // namespace

QString verdictText(const Finding& finding, const LengthUnit& unit) {
  if (finding.severity == Severity::tooNear && finding.clearance)
    return tr("too near: %1 of %2")
        .arg(measuredText(finding.found.distance.value_or(0), finding.found, unit),
             lengthNumber(*finding.clearance, unit));
  if (finding.depthIsOpen && finding.surfaces) return tr("clash or contact");
  return translated(finding.found.verdict ? name(*finding.found.verdict) : "intersects");
}

QString verdictTip(const Finding& finding, const LengthUnit& unit) {
  if (finding.depthIsOpen && finding.surfaces)
    return tr("The parts clash. Which of their faces do is known when the depth is.");
  if (!finding.undecidedBecause.empty()) return tipOf(translated(finding.undecidedBecause));
  if (finding.found.chordError > 0)
    return tr("Judged on the exact shapes; chord errors may change depths and distances by %1")
        .arg(numberText(roundedUp(unit.shown(finding.found.chordError))));
  return {};
}

QString depthText(const Finding& finding, const LengthUnit& unit) {
  return depthText(finding.found, finding.depthIsOpen, unit);
}

QString depthTip(const Finding& finding, const LengthUnit& unit) {
  const Assessment& found = finding.found;
  if (!found.depth) return {};
  if (finding.depthIsOpen) return tr("Deeper than the tolerance; the depth is being computed");
  if (found.depthIsLowerBound) return tr("A part is not closed: the overlap may be deeper");
  if (found.chordError > 0)
    return tr("The depth of the exact shapes differs by at most %1").arg(depthBoundText(found, unit));
  if (found.depthErrorBound > 0) return tr("± %1").arg(depthBoundText(found, unit));
  return {};
}

QString faceText(const Assembly& assembly, NodeId instance, SurfaceId surface) {
  return translated(fitup::faceText(reportedSurface(assembly.meshOf(instance), surface)));
}

QString statusText(ReviewStatus status) { return translated(name(status)); }

std::vector<ValueList::Line> linesOf(const Session& session, const FindingDetails& details,
                                     const Rules& rules, const LengthUnit& unit) {
  const Finding& finding = details.finding;
  const Assessment& found = finding.found;
  const Assembly& assembly = session.assembly();
  std::vector<ValueList::Line> lines;
  QString group = tr("Finding, in %1").arg(unitAfterIn(unit));
  const auto add = [&](const QString& name, const QString& value) {
    if (!value.isEmpty()) lines.push_back({group, name, value});
  };
  add(tr("Verdict"), verdictText(finding, unit));
  add(tr("Undecided because"), translated(finding.undecidedBecause));
  add(tr("Depth"), depthText(finding, unit));
  if (found.distance && !found.depth) add(tr("Distance"), measuredText(*found.distance, found, unit));
  if (finding.clearance) add(tr("Required distance"), lengthNumber(*finding.clearance, unit));
  if (found.point)
    add(found.depth ? tr("Deepest place") : tr("Place"), placeText(*found.point, unit, found.rounding));
  if (found.tolerance) add(tr("Tolerance"), lengthNumber(*found.tolerance, unit));
  add(tr("Status"), details.status);
  add(tr("Comment"), details.comment);
  if (finding.rule && *finding.rule < rules.rules.size())
    add(tr("Rule"), ruleText(rules.rules[*finding.rule], unit));
  if (!finding.copies.empty()) {
    group = tr("Copies in one place");
    for (const NodeId copy : finding.copies) add(tr("Path"), shown(assembly.path(copy)));
    return lines;
  }
  if (!finding.surfaces && details.faceB.isEmpty()) add(tr("Faces"), details.faceA);
  for (const bool isFirst : {true, false}) {
    const NodeId node = isFirst ? finding.a : finding.b;
    group = isFirst ? tr("Part A") : tr("Part B");
    add(tr("Name"), shown(assembly.node(node).name));
    add(tr("Path"), shown(assembly.path(node)));
    if (!details.faceB.isEmpty()) add(tr("Face"), isFirst ? details.faceA : details.faceB);
  }
  return lines;
}

}  // namespace fitup::viewer

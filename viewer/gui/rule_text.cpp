#include <viewer/gui/rule_text.h>

#include <viewer/core/rule_length.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString actionText(RuleAction action) {
  switch (action) {
    case RuleAction::ignore:
      return tr("ignore");
    case RuleAction::allowContact:
      return tr("allow contact");
    case RuleAction::allowOverlap:
      return tr("allow overlap up to");
    case RuleAction::clearance:
      break;
  }
  return tr("keep a distance of");
}

QString effectText(const Rule& rule, const LengthUnit& unit) {
  if (!hasLength(rule.action)) return actionText(rule.action);
  return tr("%1 %2 %3").arg(actionText(rule.action), lengthNumber(lengthOf(rule), unit), unit.name);
}

QString requirementsShown(const Rule& rule) {
  constexpr qsizetype separator = 2;  // the library's text follows another one, after ", "
  return shown(requirementsText(rule)).mid(separator);
}

QString problemText(const RuleProblem& problem) { return tr("This %1").arg(shown(problem.text)); }

}  // namespace fitup::viewer

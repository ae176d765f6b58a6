#pragma once

#include <QString>

#include <fitup/io/rules_file.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

/// Returns the action in words, without its length: "allow overlap up to".
QString actionText(RuleAction action);
/// Returns the action with its length: "allow overlap up to 0.7 mm".
QString effectText(const Rule& rule, const LengthUnit& unit);
/// Returns what the rule requires besides its patterns: "same subassembly, thread". Empty if nothing.
QString requirementsShown(const Rule& rule);
/// Returns a sentence to stand beside the field.
QString problemText(const RuleProblem& problem);

}  // namespace fitup::viewer

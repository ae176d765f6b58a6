#pragma once

#include <optional>

#include <QWidget>

#include <viewer/core/rule_suggestion.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

/// Lets the user edit the session's rules, with a new rule if one is proposed. Empty if the user changes
/// nothing. Lengths are shown and typed in `unit`.
std::optional<Rules> askRules(QWidget* parent, const Session& session, const LengthUnit& unit,
                              const std::optional<RuleSuggestion>& proposed = {});

}  // namespace fitup::viewer

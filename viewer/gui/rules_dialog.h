#pragma once

#include <optional>

#include <QWidget>

#include <viewer/core/rule_suggestion.h>

namespace fitup::viewer {

/// Lets the user edit the session's rules, with a new rule if one is proposed. Empty if the user changes
/// nothing.
std::optional<Rules> askRules(QWidget* parent, const Session& session,
                              const std::optional<RuleSuggestion>& proposed = {});

}  // namespace fitup::viewer

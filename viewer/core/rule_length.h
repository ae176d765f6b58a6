#pragma once

#include <fitup/scene/rules.h>

namespace fitup::viewer {

/// True for actions with a length: the depth of `allowOverlap`, the distance of `clearance`.
constexpr bool hasLength(RuleAction action) noexcept {
  return action == RuleAction::allowOverlap || action == RuleAction::clearance;
}
/// The length of the rule's action; 0 if it has none.
inline double lengthOf(const Rule& rule) noexcept {
  if (!hasLength(rule.action)) return 0;
  return rule.action == RuleAction::clearance ? rule.distance : rule.depth;
}
/// Sets the action with its length, which other actions do not use.
inline void setAction(Rule& rule, RuleAction action, double length) noexcept {
  rule.action = action;
  rule.distance = action == RuleAction::clearance ? length : 0;
  rule.depth = action == RuleAction::allowOverlap ? length : 0;
}

}  // namespace fitup::viewer

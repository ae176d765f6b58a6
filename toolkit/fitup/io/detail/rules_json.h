#pragma once

#include <fitup/io/detail/json_fields.h>
#include <fitup/io/rules_file.h>
#include <fitup/scene/rules.h>

namespace fitup::detail {

/// The latest version of rules files.
inline constexpr int latestRulesVersion = 4;

/// A rule with only the attributes of this entry (`partA` and so on).
Rule ruleAttributes(const JsonField& entry);
/// A rule of a file of the latest version; fails as `readRules`.
Rule ruleFrom(const JsonField& entry);
/// The text of a pattern or a reason; fails if it is longer than `longestPattern`.
std::string shortText(const JsonField& field);
/// Why a pattern, a reason, a colour, or a distance or depth that the action needs cannot have this value;
/// empty if it can.
std::string patternProblem(const std::string& pattern);
std::string reasonProblem(const std::string& reason);
std::string colourProblem(const std::string& colour);
std::string lengthProblem(double length);
/// The parts of a rule that the format cannot hold, whatever their values: `requireWritable` for one rule.
std::vector<RuleProblem> unwritableParts(const Rule& rule, bool wholePaths);
/// Rules from a rules file (docs/reference/rules.md), with its format and version; fails as `readRules`.
Rules rulesFrom(const JsonField& root);
/// Throws InputError, which names `file`, for rules that a file cannot hold. With whole paths it holds only
/// pairs to ignore, and only clearances have a distance.
void requireWritable(const Rules& rules, const std::string& file);
nlohmann::ordered_json rulesFileJson(const Rules& rules);
/// The rules alone, as a list.
nlohmann::ordered_json ruleListJson(const Rules& rules);

}  // namespace fitup::detail

#pragma once

#include <fitup/io/detail/json_fields.h>
#include <fitup/scene/rules.h>

namespace fitup::detail {

/// The text of a pattern or a reason; fails for one that is longer than `longestPattern`.
std::string shortText(const JsonField& field);
/// What a rules file holds (docs/reference/rules.md), with its format and version; fails as `readRules` says.
Rules rulesFrom(const JsonField& root);
/// Throws InputError that names `file` for rules that a file cannot hold: of whole paths it holds pairs to
/// ignore alone, and a distance belongs to clearances.
void requireWritable(const Rules& rules, const std::string& file);
nlohmann::ordered_json rulesFileJson(const Rules& rules);
/// The rules alone, as a list.
nlohmann::ordered_json ruleListJson(const Rules& rules);

}  // namespace fitup::detail

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// Reads the rules of a check from JSON, versions 1 to 3 (docs/reference/rules.md). Throws FileError, or
/// InputError that names the file, the rule and the field.
Rules readRules(const std::filesystem::path& file);
/// Reads one rule from JSON text, as an element of `rules` in a file of version 3. `name` stands for the text
/// in messages. Throws InputError.
Rule readRule(const std::string& json, const std::string& name);
/// Writes rules atomically, in the oldest version that can hold them. Throws FileError. Throws InputError for
/// rules that a file of that version cannot hold or that `readRules` would refuse; nothing is then written.
void writeRules(const std::filesystem::path& file, const Rules& rules);

/// A value of a rule that rules files cannot have.
struct RuleProblem {
  std::string field;  ///< the member in files: "a", "partB", "depth"
  std::string text;   ///< for people, to follow the field's name: "must be above 0"
};
/// Returns everything that `writeRules` would refuse in a rule, in the order of the fields. `wholePaths` as
/// in `Rules`.
std::vector<RuleProblem> problemsOf(const Rule& rule, bool wholePaths = false);

}  // namespace fitup

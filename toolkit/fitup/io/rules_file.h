#pragma once

#include <filesystem>

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

}  // namespace fitup

#pragma once

#include <filesystem>

#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// Reads the rules of a check from JSON, version 1 or 2 (docs/reference/rules.md). Throws FileError, or
/// InputError that names the file, the rule and the field.
Rules readRules(const std::filesystem::path& file);
/// Writes rules atomically, in the version that they have. Throws FileError. Throws InputError for rules that
/// a file of that version cannot hold or that `readRules` would refuse; nothing is then written.
void writeRules(const std::filesystem::path& file, const Rules& rules);

}  // namespace fitup

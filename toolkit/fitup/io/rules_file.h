#pragma once

#include <filesystem>

#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// Reads the rules of a check from JSON, version 1 or 2; docs/reference/rules.md describes them. Throws
/// FileError, or InputError that names file, rule and field.
Rules readRules(const std::filesystem::path& file);
/// Writes atomically, in the version that the rules have. Throws FileError; InputError for what a file of
/// that version cannot hold or `readRules` would refuse: nothing is written then.
void writeRules(const std::filesystem::path& file, const Rules& rules);

}  // namespace fitup

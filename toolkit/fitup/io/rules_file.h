#pragma once

#include <filesystem>

#include <fitup/scene/rules.h>

namespace fitup {

/// Reads the rules of a check from JSON; docs/formats/rules.md describes it. Throws FileError, or InputError
/// that names file, rule and field.
ExclusionRules readRules(const std::filesystem::path& file);

}  // namespace fitup

#pragma once

#include <cstddef>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/rules.h>

namespace fitup::cli {

/// Looks whether the patterns of rules read from `file` match instances of the model. A set to check that
/// nothing matches, or two that are one and the same instance, leave nothing to check: throws InputError.
/// Other patterns that match nothing get a line of warning each, since files of rules are made for several
/// models.
void requirePatternsMatch(const std::string& file, const Rules& rules, const Model& model);

/// A motion in which no pair of parts is looked at proves nothing: throws InputError that names the track.
void requirePairs(const std::string& track, std::size_t consideredPairs);

}  // namespace fitup::cli

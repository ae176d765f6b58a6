#pragma once

#include <cstddef>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/rules.h>

namespace fitup::cli {

/// Checks that the patterns of rules read from `file` match instances of the model. If a set to check matches
/// nothing, or two sets are the same single instance, there is nothing to check: throws InputError. Each
/// other pattern that matches nothing causes a warning, because rules files are made for several models.
void requirePatternsMatch(const std::string& file, const Rules& rules, const Model& model);

/// Throws InputError, which names the track, if a motion checks no pair of parts, because it would prove
/// nothing.
void requirePairs(const std::string& track, std::size_t consideredPairs);

}  // namespace fitup::cli

#pragma once

#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/rules.h>

namespace fitup::cli {

/// Looks whether the patterns of rules read from `file` match instances of the model. A set to check that
/// nothing matches leaves nothing to check: throws InputError. Other patterns that match nothing get a line
/// of warning each, since files of rules are made for several models.
void requirePatternsMatch(const std::string& file, const Rules& rules, const Model& model);

}  // namespace fitup::cli

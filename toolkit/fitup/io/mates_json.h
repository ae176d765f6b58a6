#pragma once

#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/mates.h>

namespace FITUP_EXPORT fitup {

/// Suggestions as JSON (docs/reference/mates.md), with a final line break.
std::string matesJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                          const MateTolerances& tolerances, const MateReport& report);

}  // namespace fitup

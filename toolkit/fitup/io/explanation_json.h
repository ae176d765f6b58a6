#pragma once

#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/explain.h>

namespace FITUP_EXPORT fitup {

/// An explanation as JSON (docs/reference/explain.md), with a final line break.
std::string explanationJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                                const ExplainQuestion& question, const Explanation& explanation);

}  // namespace fitup

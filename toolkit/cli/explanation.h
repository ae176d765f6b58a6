#pragma once

#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/scene/explain.h>

namespace fitup::cli {

/// Two sides, each an instance's path or PATH:FACE (both or none with a face). A subassembly stands for its
/// only instance. Throws InputError.
ExplainQuestion explainQuestion(const Model& model, const std::vector<std::string>& sides,
                                const InterferenceOptions& options);

/// For people. `rulesFile` is where the rules stand; may be empty.
void printExplanation(const Model& model, const ExplainQuestion& question, const Explanation& explanation,
                      const std::string& rulesFile);

}  // namespace fitup::cli

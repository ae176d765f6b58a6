#pragma once

#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/scene/explain.h>

namespace fitup::cli {

/// Parses two sides, each the path of an instance or PATH:FACE (both or none with a face). The path of a
/// subassembly stands for its only instance. Throws InputError.
ExplainQuestion explainQuestion(const Model& model, const std::vector<std::string>& sides,
                                const InterferenceOptions& options);

/// Prints the explanation for people. `rulesFile` is the file with the rules; may be empty.
void printExplanation(const Model& model, const ExplainQuestion& question, const Explanation& explanation,
                      const std::string& rulesFile);

}  // namespace fitup::cli

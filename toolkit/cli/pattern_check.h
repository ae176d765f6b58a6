#pragma once

#include <cstddef>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/poses.h>
#include <fitup/scene/rules.h>
#include <fitup/scene/scene.h>

namespace fitup::cli {

/// Checks that the patterns of rules read from `file` match instances of the model. If a set to check matches
/// nothing, or two sets are the same single instance, there is nothing to check: throws InputError. Each
/// other pattern that matches nothing causes a warning, because rules files are made for several models.
void requirePatternsMatch(const std::string& file, const Rules& rules, const Model& model);

/// Resolves rules with attributes for the model at these poses (`resolveAttributes`), and checks patterns as
/// `requirePatternsMatch`. An attribute or a fastener that nothing has causes a warning, too. Throws
/// CancelledError.
void prepareRules(const std::string& file, Rules& rules, const Model& model, const Scene& scene,
                  const Poses& poses, const Progress& progress);

/// The length of the assembly's unit in millimetres; 1 for an unknown unit.
double millimetresOf(const Assembly& assembly);

/// Throws InputError, which names the track, if a motion checks no pair of parts, because it would prove
/// nothing.
void requirePairs(const std::string& track, std::size_t consideredPairs);

}  // namespace fitup::cli

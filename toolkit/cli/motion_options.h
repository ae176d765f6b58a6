#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/scene.h>

#include "console.h"
#include "options.h"
#include "pattern_check.h"

namespace fitup::cli {

/// A motion to search between its steps, and what is asked of it.
struct MotionInput {
  ProjectModel project;
  Scene scene;
  Track track;
  std::string trackSource;
  Poses poses;  ///< of instances that the track does not move
  Rules rules;  ///< prepared for the model
};

/// The options of commands that search a motion between its steps.
struct MotionOptions {
  InputOptions input;
  std::string track, rules;
  std::vector<Rule> given;
  TimeBudget timeBudget;
  bool force = false, skipHidden = false;

  /// Adds the files, before the options of the command.
  void addFilesTo(CLI::App& app);
  /// Adds the rules, `--force` and the budget, after these.
  void addTo(CLI::App& app);
  /// The files that the command reads, for `requireSafeOutputs`.
  [[nodiscard]] std::vector<NamedFile> named() const;
  /// Throws as `matchTrackToModel` and `prepareRules`.
  [[nodiscard]] MotionInput read(Console& console) const;
};

/// Adds the options that say what pairs keep on a motion that is certified (`CertifyOptions`).
void addKeptOptions(CLI::App& app, double& clearance, std::optional<double>& tolerance, bool& isExact);

}  // namespace fitup::cli

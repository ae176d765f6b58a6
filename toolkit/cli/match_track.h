#pragma once

#include <string>

#include <fitup/io/project_model.h>
#include <fitup/motion/track.h>

#include "options.h"

namespace fitup::cli {

/// A track that matches a model.
struct MatchedTrack {
  Track track;
  std::string source;  ///< the file, or "work.fitup-project: name", for reports and errors
  Poses poses;         ///< of instances that the track does not move, as in the project
};

/// Adds the argument TRACK, which may be omitted for a project with a motion.
void addTrackOption(CLI::App& app, std::string& track);
/// Throws InputError for an omitted track without a project.
void requireTrack(const InputOptions& input, const std::string& track);

/// Reads a track (.json, .csv), or takes the motion of that name from a project (without a name, the only
/// one), and checks that it matches the model. Throws as `readTrack` and `resolve`, always with the track's
/// source. `force` accepts a track that was recorded on another model.
MatchedTrack matchTrackToModel(const std::string& track, const InputOptions& options,
                               const ProjectModel& input, bool force);

/// Prints the warnings of a track, with its source, to the error stream.
void printTrackWarnings(const Track& track, const std::string& source);

}  // namespace fitup::cli

#pragma once

#include <string>

#include <fitup/io/project_model.h>
#include <fitup/motion/track.h>

#include "options.h"

namespace fitup::cli {

/// A track that fits a model.
struct MatchedTrack {
  Track track;
  std::string source;  ///< its file, or "work.fitup-project: its name", for reports and errors
  Poses poses;         ///< of what it does not move: as a project has it
};

/// TRACK, which may be left out if there is a project that has a motion.
void addTrackOption(CLI::App& app, std::string& track);
/// Throws InputError for none where there is no project.
void requireTrack(const InputOptions& input, const std::string& track);

/// Reads a track (.json, .csv), or takes the motion of that name from a project, without a name the only one,
/// and looks whether it fits. Throws as `readTrack` and `resolve`, always with the track's source; `force`
/// accepts one that was recorded on another model.
MatchedTrack matchTrackToModel(const std::string& track, const InputOptions& options,
                               const ProjectModel& input, bool force);

}  // namespace fitup::cli

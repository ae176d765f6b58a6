#include "match_track.h"

#include <vector>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/track_file.h>
#include <fitup/motion/replay.h>

#include "console.h"

namespace fitup::cli {
namespace {

/// The motion of that name in a project, or the only one.
Track motionOf(const std::string& file, const std::vector<Track>& tracks, const std::string& name) {
  std::vector<const Track*> found;
  std::string names;
  for (const Track& track : tracks) {
    if (name.empty() || track.name == name) found.push_back(&track);
    names += (names.empty() ? "'" : ", '") + track.name + "'";
  }
  if (found.size() == 1) return *found.front();
  if (tracks.empty()) throw InputError(file, "tracks", "the project has no motion");
  throw InputError(file, name.empty() ? "tracks" : "track '" + name + "'",
                   fmt::format("{}; the project has {}",
                               name.empty()    ? "TRACK must name one of them"
                               : found.empty() ? "there is no motion of this name"
                                               : "appears more than once",
                               names));
}

}  // namespace

void addTrackOption(CLI::App& app, std::string& track) {
  app.add_option("TRACK", track,
                 "Track: " + trackExtensions() +
                     ". For a project also the name of one of its motions; if it has only one, the\nname may "
                     "be left out")
      ->type_name("TEXT");
}

void requireTrack(const InputOptions& input, const std::string& track) {
  if (track.empty() && !input.isProject()) throw CLI::RequiredError("TRACK");
}

MatchedTrack matchTrackToModel(const std::string& track, const InputOptions& options,
                               const ProjectModel& input, bool force) {
  const Assembly& design = input.model.assembly;
  MatchedTrack fitting;
  // A file is recognised by its extension, so that its name alone never hides a motion.
  if (options.isProject() && !isTrackFile(track)) {
    fitting.track = motionOf(options.fileList(), input.project.tracks, track);
    fitting.source = options.fileList() + ": " + fitting.track.name;
  } else {
    fitting.track = readTrack(track);
    fitting.source = track;
  }
  if (!force && fitting.track.modelHash && *fitting.track.modelHash != design.contentHash())
    throw InputError(fitting.source, "modelHash",
                     "recorded on another model (" + hashText(*fitting.track.modelHash) + ", this one is " +
                         hashText(design.contentHash()) + "); --force uses it anyway");
  fitting.poses = input.moved;
  try {
    for (const MovedGroup& group : resolve(fitting.track, design, true))
      for (const NodeId instance : group.instances) fitting.poses.reset(instance);
  } catch (const InputError& error) {
    throw InputError(fitting.source, "", error.what());
  }
  return fitting;
}

void printTrackWarnings(const Track& track, const std::string& source) {
  for (const std::string& warning : trackWarnings(track)) sayTo(stderr, "warning: {}: {}\n", source, warning);
}

}  // namespace fitup::cli

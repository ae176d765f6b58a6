#include "motion_options.h"

#include <utility>

#include <fitup/io/rules_file.h>

#include "match_track.h"

namespace fitup::cli {

void MotionOptions::addFilesTo(CLI::App& app) {
  input.addTo(app, false);
  addTrackOption(app, track);
  app.callback([this] { requireTrack(input, track); });
}

void MotionOptions::addTo(CLI::App& app) {
  addRuleOption(app, given);
  addSkipHiddenOption(app, skipHidden);
  app.add_option("--rules", rules, "JSON file with pairs to ignore, clearances to keep, and sets to check");
  app.add_flag("--force", force, "Accept a track that was recorded on another model");
  timeBudget.addTo(app);
}

void addKeptOptions(CLI::App& app, double& clearance, std::optional<double>& tolerance, bool& isExact) {
  app.add_option("--clearance", clearance,
                 "Parts that are not in contact at the start keep more than this, in the model's unit")
      ->check(numberFrom0());
  app.add_option("--tolerance", tolerance,
                 "Overlap that counts as contact of parts in contact at the start, in the model's unit "
                 "(default: twice\nthe chord error of the parts)")
      ->check(numberFrom0());
  app.add_flag("--exact-shapes", isExact,
               "Add the chord errors of both parts to every clearance, so that the exact shapes of CAD "
               "parts keep it too");
}

std::vector<NamedFile> MotionOptions::named() const {
  std::vector<NamedFile> files = input.named();
  files.push_back({"TRACK", track});
  files.push_back({"--rules", rules});
  return files;
}

MotionInput MotionOptions::read(Console& console) const {
  MotionInput motion;
  if (!rules.empty()) motion.rules = readRules(rules);
  motion.project = input.loadProject(console.progress());
  takeOverRules(motion.project.project, rules, given, skipHidden, motion.rules);
  MatchedTrack matched = matchTrackToModel(track, input, motion.project, force);
  motion.track = std::move(matched.track);
  motion.trackSource = std::move(matched.source);
  motion.poses = std::move(matched.poses);
  console.clear();
  motion.scene = sceneOf(motion.project.model);
  prepareRules(input.rulesSource(rules, given), motion.rules, motion.project.model, motion.scene,
               motion.poses, console.progress());
  return motion;
}

}  // namespace fitup::cli

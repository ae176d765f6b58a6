#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/text.h>
#include <fitup/io/clearance_json.h>
#include <fitup/motion/first_contact.h>

#include "commands.h"
#include "console.h"
#include "match_track.h"
#include "motion_contact.h"
#include "motion_options.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct FirstContactArguments {
  MotionOptions motion;
  double clearance = 0;
  std::optional<double> tolerance, resolution, accuracy;
  bool ignoreInitial = false, json = false;
};

/// A time to six decimals, rounded down or up, so that it stays a bound.
std::string boundOfTime(double time, bool down) {
  constexpr double decimals = 1e6;
  return numberText((down ? std::floor(time * decimals) : std::ceil(time * decimals)) / decimals);
}

/// When the exact shapes of CAD parts are first in contact, or as near as `what` says; empty if chord errors
/// do not matter.
std::string exactText(const FirstContactReport& report, const std::string& what) {
  if (!report.exactClearUntil) return {};
  const std::string from = boundOfTime(*report.exactClearUntil, true);
  const char* const aside = report.initialContacts.empty() ? "" : ", contacts of the start aside";
  if (!report.contact) {
    if (*report.exactClearUntil >= report.clearUntil) return {};
    return fmt::format("by their chord errors, exact shapes may be {} from step {} on{}", what, from, aside);
  }
  if (!report.contact->exactLatest)
    return fmt::format("the exact shapes are not {} before step {}{}; by when they are is not bounded", what,
                       from, aside);
  const std::string to = boundOfTime(*report.contact->exactLatest, false);
  if (from == to) return fmt::format("the exact shapes are first {} at step {}{}", what, from, aside);
  return fmt::format("the exact shapes are first {} between step {} and step {}{}", what, from, to, aside);
}

void print(const Model& model, const Track& track, const FirstContactReport& report, bool isGeometryMissing) {
  const Assembly& assembly = model.assembly;
  const std::string& unit = assembly.unit();
  sayPairs(assembly, "in contact at the start, which may stay so but not get deeper", report.initialContacts);
  sayPairs(assembly, "of these, not followed (a part is not closed, or they may pierce each other already)",
           report.unknownContacts);
  const double clearance = report.contact ? report.contact->clearance : report.clearance;
  const char* const nothing = report.initialContacts.empty() ? "nothing" : "nothing else";
  std::string what = clearance > 0 ? fmt::format("nearer than {:.6g} {}", clearance, unit) : "in contact";
  if (!report.contact && report.longestClearance > clearance) what += " or nearer than the rules allow";
  if (report.contact) {
    const std::size_t last = track.steps.empty() ? 0 : track.steps.size() - 1;
    sayMotionContact(assembly, *report.contact, "first " + what, report.resolution, last);
  } else if (report.status == ReportStatus::complete) {
    say("{} is {} from step 0 to step {:.9g}\n", nothing, what, report.clearUntil);
  } else {
    say("{} is {} up to step {:.9g}\n", nothing, what, report.clearUntil);
  }
  const std::string exact = exactText(report, what);
  if (!exact.empty()) say("{}\n", exact);
  const bool isFollowed = report.unknownContacts.empty() || report.status != ReportStatus::complete;
  say("{}\n{}, to within {:.3g} {}; {:.2f} ms\n",
      isFollowed ? statusText(report.status, isGeometryMissing)
                 : "incomplete: some contacts of the start were not followed",
      countText(report.queries, "distance"), report.resolution, unit, report.milliseconds);
}

}  // namespace

Command addFirstContact(CLI::App& app) {
  auto options = std::make_shared<FirstContactArguments>();
  CLI::App* command = app.add_subcommand(
      "first-contact", "Find when a recorded motion first touches something, including between steps");
  options->motion.addFilesTo(*command);
  command
      ->add_option("--clearance", options->clearance,
                   "Parts nearer than this count as touching, in the model's unit")
      ->check(numberFrom0());
  command->add_flag("--ignore-initial", options->ignoreInitial,
                    "Let parts that are in contact at the start slide and separate, but get no deeper");
  command
      ->add_option(
          "--tolerance", options->tolerance,
          "With --ignore-initial: overlap that counts as contact, in the model's unit (default: twice "
          "the chord error of the parts)")
      ->check(numberFrom0());
  command
      ->add_option(
          "--resolution", options->resolution,
          "Largest error of the distance at the reported time (default: a millionth of the assembly's size)")
      ->check(numberFrom0());
  command
      ->add_option("--accuracy", options->accuracy,
                   "Find the contact of the exact shapes of CAD parts: make what comes near finer until its "
                   "chord errors\nare at most this, in the model's unit")
      ->check(numberAbove0());
  options->motion.addTo(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "The motion between steps is checked too, however far apart they are: before the reported\ntime "
      "nothing touches. Exit codes: 0 no contact, 1 contact, 2 error, 3 no contact so far but "
      "the answer is incomplete.\nExamples:\n  fitup first-contact plant.fitup plant.track.json "
      "--ignore-initial\n  fitup first-contact assembly.step removal.json --clearance 5");
  return [options] {
    FirstContactOptions request;
    request.clearance = options->clearance;
    request.tolerance = options->tolerance;
    request.resolution = options->resolution;
    request.force = true;  // `MotionOptions::read` checks that the track belongs to the model
    if (options->ignoreInitial) request.initialContacts = InitialContacts::keepLimits;
    request.limits.timeBudget = options->motion.timeBudget.asDuration();
    const InputOptions& files = options->motion.input;
    Console console(files.quiet);
    MotionInput motion = options->motion.read(console);
    const Model& model = motion.project.model;
    request.rules = std::move(motion.rules);
    if (options->accuracy)
      request.exact = ExactDistances{*options->accuracy, refinementOf(model, files.read)};
    const FirstContactReport report =
        firstContact(motion.scene, motion.poses, motion.track, request, console.progress());
    console.clear();
    requirePairs(motion.trackSource, report.consideredPairs);
    const bool incomplete = printWarnings(model, files.verbose);
    printTrackWarnings(motion.track, motion.trackSource);
    if (options->json)
      sayLines(firstContactJsonText(programName(), files.fileList(), model, motion.track, report));
    else
      print(model, motion.track, report, incomplete);
    if (!options->json) sayHidden(motion.project, options->motion.skipHidden);
    return exitCodeFor(report.contact.has_value(), report.status,
                       incomplete || !report.unknownContacts.empty());
  };
}

}  // namespace fitup::cli

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>
#include <fitup/io/contact_map_file.h>
#include <fitup/io/report_file.h>
#include <fitup/motion/motion_clearance.h>
#include <fitup/motion/verify_replay.h>
#include <fitup/scene/finding_counts.h>

#include "commands.h"
#include "compare_settings.h"
#include "console.h"
#include "match_track.h"
#include "motion_contact.h"
#include "options.h"
#include "output_files.h"
#include "pattern_check.h"
#include "verification.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct Totals {
  std::size_t hitSteps = 0, surfacePairs = 0, trianglePairs = 0;
  std::size_t answeredSteps = 0;
  std::size_t askedSteps = 0;  ///< also those that were cut short; the times and counts below include them
  double milliseconds = 0, slowest = 0;
  QueryStats stats;
};

Totals totalsOf(const ReplayReport& report) {
  Totals totals;
  for (const ReplayStep& step : report.steps) {
    totals.hitSteps += step.interference.intersects();
    const FindingCounts counts = countFindings(step.interference);
    totals.surfacePairs += counts.pairsOfFaces;
    totals.trianglePairs += counts.pairsOfTriangles;
    totals.answeredSteps += step.interference.status == ReportStatus::complete;
    if (step.interference.status == ReportStatus::cancelled) continue;
    ++totals.askedSteps;
    totals.milliseconds += step.interference.milliseconds;
    totals.slowest = std::max(totals.slowest, step.interference.milliseconds);
    totals.stats += step.interference.stats;
  }
  return totals;
}

/// Qualifies a count of steps if some were cut short or never checked.
std::string answeredText(const ReplayReport& report, const Totals& totals) {
  if (totals.answeredSteps == report.steps.size()) return {};
  return fmt::format(" ({} answered in full)", countText(totals.answeredSteps, "step"));
}

/// Prints which instances intersect, and at which steps.
void printMeetings(const Assembly& assembly, const ReplayReport& report) {
  std::map<std::pair<NodeId, NodeId>, std::vector<std::size_t>> steps;
  for (const ReplayStep& step : report.steps)
    for (const PairInterference& p : step.interference.pairs)
      if (p.report.intersects()) steps[{p.a, p.b}].push_back(step.step);
  constexpr std::size_t mostLines = 20, mostRanges = 6;
  std::size_t lines = 0;
  for (const auto& [pair, at] : steps) {
    if (lines++ >= mostLines) continue;
    say("  {}  x  {}  at {}: {}\n", assembly.path(pair.first), assembly.path(pair.second),
        countText(at.size(), "step"), rangesText(at, mostRanges));
  }
  if (lines > mostLines) say("  ... and {} more; --steps and --report list all\n", lines - mostLines);
}

void printSteps(const Assembly& assembly, const ReplayReport& report, bool allTriangles) {
  say("{:>6} {:>9} {:>9} {:>9}  parts\n", "step", "ms", "faces", "triangles");
  for (const ReplayStep& step : report.steps) {
    const FindingCounts counts = countFindings(step.interference);
    std::string instances;
    for (const auto& [pair, copies] : listedPairs(step.interference)) {
      if (!pair->report.intersects()) continue;
      if (!instances.empty()) instances += "; ";
      instances += copies ? copiesText(copies->instances.size(), assembly.path(pair->a))
                          : fmt::format("{} x {}", assembly.path(pair->a), assembly.path(pair->b));
    }
    // Other modes find one witness for each pair of surfaces, which is not a count of triangles.
    say("{:>6} {:>9.4f} {:>9} {:>9}  {}{}\n", step.step, step.interference.milliseconds, counts.pairsOfFaces,
        allTriangles ? std::to_string(counts.pairsOfTriangles) : "-", instances.empty() ? "-" : instances,
        step.interference.status == ReportStatus::complete
            ? ""
            : fmt::format("  ({})", name(step.interference.status)));
  }
}

/// Prints how many steps clash, and where each clashing pair is deepest.
void printVerdicts(const Assembly& assembly, const ReplayReport& report, const Totals& totals) {
  struct Worst {
    std::size_t step = 0;
    double depth = 0;
    double chordError = 0, rounding = 0;  ///< of the depth
    std::vector<std::size_t> steps{};
    std::size_t copies = 0;  ///< of a set of copies: the most at any step
  };
  std::map<std::pair<NodeId, NodeId>, Worst> clashes;
  std::size_t clashSteps = 0, contactSteps = 0, undecidedSteps = 0;
  for (const ReplayStep& step : report.steps) {
    clashSteps += step.interference.count(Verdict::clash) > 0;
    contactSteps += step.interference.count(Verdict::contact) > 0;
    undecidedSteps += !step.interference.isDecided();
    for (const auto& [pair, copies] : listedPairs(step.interference)) {
      if (!pair->is(Verdict::clash)) continue;
      Worst& worst = clashes[{pair->a, pair->b}];
      worst.steps.push_back(step.step);
      if (copies) worst.copies = std::max(worst.copies, copies->instances.size());
      if (const std::optional<double>& depth = pair->verdict->depth; depth && *depth > worst.depth) {
        worst.step = step.step;
        worst.depth = *depth;
        worst.chordError = pair->verdict->chordError;
        worst.rounding = pair->verdict->rounding;
      }
    }
  }
  say("{} of {} clash, {} have contact{}{}\n", clashSteps, countText(report.steps.size(), "step"),
      contactSteps, undecidedSteps > 0 ? fmt::format(", {} are undecided", undecidedSteps) : "",
      answeredText(report, totals));
  constexpr std::size_t mostLines = 20, mostRanges = 6;
  std::size_t lines = 0;
  for (const auto& [pair, worst] : clashes) {
    if (lines++ >= mostLines) continue;
    if (worst.copies > 0) {
      say("  clash  {}; {}: {}\n", copiesText(worst.copies, assembly.path(pair.first)),
          countText(worst.steps.size(), "step"), rangesText(worst.steps, mostRanges));
      continue;
    }
    say("  clash  {}  x  {}: deepest {} at step {}; {}: {}\n", assembly.path(pair.first),
        assembly.path(pair.second),
        lengthText(worst.depth, worst.chordError, worst.rounding, assembly.unit(), 4), worst.step,
        countText(worst.steps.size(), "step"), rangesText(worst.steps, mostRanges));
  }
  if (lines > mostLines) say("  ... and {} more; --report lists all\n", lines - mostLines);
}

/// Prints pairs that violate the clearance of their rule at any step, each with the step of its least
/// distance.
void printClearances(const Model& model, const ReplayReport& report, const Rules& rules) {
  std::map<std::pair<NodeId, NodeId>, std::pair<std::size_t, const PairInterference*>> nearest;
  for (const ReplayStep& step : report.steps)
    for (const PairInterference& p : step.interference.pairs) {
      if (!p.tooNear) continue;
      const auto [at, isNew] = nearest.try_emplace({p.a, p.b}, step.step, &p);
      if (!isNew && distanceOf(p) < distanceOf(*at->second.second)) at->second = {step.step, &p};
    }
  if (nearest.empty()) return;
  say("{} nearer than rules allow\n", countedPairs(nearest.size(), "parts"));
  for (const auto& [pair, worst] : nearest)
    say("  {} at step {}  {}  x  {}\n",
        clearanceText(*worst.second, rules.rules[*worst.second->rule], model.assembly.unit()), worst.first,
        model.assembly.path(pair.first), model.assembly.path(pair.second));
}

/// Prints the least clearance of each moved part, smallest first.
void printMotionClearance(const Assembly& assembly, const MotionClearanceReport& report) {
  const std::string& unit = assembly.unit();
  std::vector<const LeastClearance*> parts;
  for (const LeastClearance& part : report.parts) parts.push_back(&part);
  std::ranges::stable_sort(parts, {}, [](const LeastClearance* p) { return p->pair.nearest.distance; });
  if (parts.empty())
    say("{}\n", report.consideredPairs == 0 ? std::string("no pair to measure the clearance of")
                : report.range ? fmt::format("nothing comes nearer than {:.6g} {}", *report.range, unit)
                               : std::string("no clearance was measured"));
  else
    say("least clearance along the motion, including between steps:\n");
  constexpr std::size_t mostLines = 20;
  for (std::size_t i = 0; i < std::min(parts.size(), mostLines); ++i) {
    const NodeId a = parts[i]->pair.a, b = parts[i]->pair.b;
    const NearestPair& nearest = parts[i]->pair.nearest;
    const InstanceDistance& pair = parts[i]->pair;
    say("  {} (at least {}{}) at step {:.6g}{}\n    {} at {}\n    {} at {}\n",
        lengthText(nearest.distance, {pair.chordError, pair.rounding}, unit),
        boundedNumber(parts[i]->atLeast, pair.rounding, 6),
        pair.chordError.value_or(0) > 0 ? " for the triangles" : "", parts[i]->time,
        nearest.distance == 0 ? ": they intersect" : "", surfaceText(assembly, a, nearest.surfaces.a),
        pointText(nearest.pointA, pair.rounding), surfaceText(assembly, b, nearest.surfaces.b),
        pointText(nearest.pointB, pair.rounding));
  }
  if (parts.size() > mostLines) say("  ... and {} more; a JSON report lists all\n", parts.size() - mostLines);
  say("{}, to within {:.3g} {} ({:.0f} ms)\n", countText(report.queries, "distance"), report.resolution, unit,
      report.milliseconds);
  if (report.status != ReportStatus::complete)
    say("the search for the least clearance, and so the answer, is {}: there may be something nearer\n",
        statusText(report.status));
}

/// The length of `--clearance`, which may be left out.
std::optional<double> lengthFrom(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::optional<double> length = numberFromText(text);
  if (!length || !(*length >= 0) || !std::isfinite(*length))
    throw InputError("--clearance", "'" + text + "'", "is not a number from 0");
  return length;
}

/// True if a moved part intersects another one at some time, and no rule allows it.
bool touches(const Assembly& assembly, const MotionClearanceReport& report, const Rules& rules) {
  return std::ranges::any_of(report.parts, [&](const LeastClearance& part) {
    if (part.pair.nearest.distance > 0) return false;
    const Rule* rule = rules.find(assembly.path(part.pair.a), assembly.path(part.pair.b));
    return rule == nullptr || rule->action == RuleAction::clearance;
  });
}

}  // namespace

Command addReplay(CLI::App& app) {
  struct Options {
    InputOptions input;
    QueryOptions query;
    VerificationOptions verification;
    std::string track;
    bool force = false, ignoreInitial = false, compare = false, paper = false, steps = false,
         firstOfStep = false, betweenSteps = false;
    int rounds = 5;
    bool verdict = false, refine = false;
    std::optional<double> tolerance, range;
    std::string contactMap, clearance;
    CLI::Option* clearanceOption = nullptr;
    std::optional<double> resolution;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "Check every step of a recorded motion");
  options->input.addTo(*command, false);
  addTrackOption(*command, options->track);
  options->query.addTo(*command);
  options->verification.addTo(*command);
  command->add_flag("--force", options->force, "Accept a track that was recorded on another model");
  command->add_flag(
      "--ignore-initial", options->ignoreInitial,
      "With --verdict: parts that overlap at the first step may stay as deep as they are there");
  command->add_flag("--steps", options->steps, "List every step");
  command->add_flag("--first-of-step", options->firstOfStep,
                    "End each step at its first intersecting pair of parts. With --coherence each step "
                    "begins with\nthe pair at which the previous step ended");
  command->add_flag("--verdict", options->verdict,
                    "Classify each pair at each step as clash, contact or clear, as 'fitup check' does.\nThe "
                    "exit code is then 1 only for clashes, and for pairs nearer than a rule allows");
  command
      ->add_option("--tolerance", options->tolerance,
                   "Overlaps up to this depth count as contact, in the assembly's unit (default: twice "
                   "the\nchord error). Implies --verdict")
      ->check(numberFrom0());
  command
      ->add_flag("--refine", options->refine,
                 "With --tolerance, judge the exact shapes of CAD parts at each step, as 'fitup check' does; "
                 "takes longer")
      ->needs("--tolerance");
  command->add_flag("--between-steps", options->betweenSteps,
                    "With --verdict: also certify the motion between the steps, as 'fitup certify' does. "
                    "Pairs in\ncontact at the first step may stay so but not get deeper");
  command->add_option("--contact-map", options->contactMap,
                      "Write the first contact and the least clearance of each surface: .json or .csv");
  command
      ->add_option("--range", options->range,
                   "The contact map lists clearances up to this distance (default: a fiftieth of the size "
                   "of\nthe moved parts)")
      ->check(numberFrom0())
      ->needs("--contact-map");
  options->clearanceOption =
      command
          ->add_option("--clearance", options->clearance,
                       "Find the least clearance of each moved part along the motion, including between "
                       "steps;\nwith a length: only of parts that something comes nearer to")
          ->type_name("[LENGTH]")
          ->expected(0, 1);
  command
      ->add_option("--resolution", options->resolution,
                   "With --clearance: largest difference between a clearance and its lower bound (default: a "
                   "thousandth of "
                   "the\nsize of the moved parts)")
      ->check(numberFrom0())
      ->needs(options->clearanceOption);
  CLI::Option* compare = command->add_flag(
      "--compare-settings", options->compare,
      "Print a table of times and counts for every mode and every setting of the overlap box");
  command
      ->add_flag("--paper", options->paper,
                 "With --compare-settings: also print the figures of the S-CD paper")
      ->needs(compare);
  command
      ->add_option("--rounds", options->rounds,
                   "With --compare-settings: number of rounds; the table shows medians")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000))
      ->needs(compare);
  command->footer(
      "Examples:\n  fitup replay plant.fitup plant.track.json --report out.json --report out.html\n  fitup "
      "replay plant.fitup plant.track.json --mode first --steps\n  fitup replay plant.fitup plant.track.json "
      "--verdict --tolerance 0.5 --contact-map contacts.csv\n  fitup replay plant.fitup plant.track.json "
      "--compare-settings --paper");
  command->callback([options] { requireTrack(options->input, options->track); });
  return [options]() -> int {
    // `matchTrackToModel` checks that the track belongs to the model.
    ReplayOptions replayOptions{options->query.resolve(), true};
    replayOptions.interference.stopAtFirstPair = options->firstOfStep;
    if (options->verdict || options->tolerance) {
      if (options->firstOfStep || replayOptions.interference.request.limits.maxPairs)
        throw InputError("--verdict", "--first-of-step or --max-pairs", "cannot be given together");
      if (options->compare) throw InputError("--verdict", "--compare-settings", "cannot be given together");
      replayOptions.interference.verdict = VerdictOptions{.tolerance = options->tolerance};
    }
    if (options->ignoreInitial) {
      if (!replayOptions.interference.verdict) throw InputError("--ignore-initial", "", "needs --verdict");
      replayOptions.initialContacts = InitialContacts::keepLimits;
    }
    if (options->betweenSteps && !replayOptions.interference.verdict)
      throw InputError("--between-steps", "", "needs --verdict");
    const std::optional<double> clearanceRange = lengthFrom(options->clearance);
    if (!options->contactMap.empty() && !isContactMapFile(options->contactMap))
      throw InputError("--contact-map", options->contactMap,
                       "has an unsupported extension; use .json or .csv");
    std::vector<NamedFile> outputs = namedFiles("--report", options->query.reportFiles);
    outputs.push_back({"--contact-map", options->contactMap});
    options->verification.addOutputs(outputs);
    std::vector<NamedFile> inputs = options->input.named();
    inputs.push_back({"TRACK", options->track});
    inputs.push_back({"--rules", options->query.rulesFile});
    requireSafeOutputs(inputs, outputs);
    Console console(options->input.quiet);
    options->query.requestTrees(options->input.read.build);
    if (options->compare) options->input.read.build.add(HierarchyKind::scd);
    const ProjectModel input = options->input.loadProject(console.progress());
    takeOver(input.project, options->query.rulesFile, options->query.rules, options->query.skipHidden,
             replayOptions.interference);
    const auto [track, trackSource, poses] =
        matchTrackToModel(options->track, options->input, input, options->force);
    const Model& model = input.model;
    const Scene scene = sceneOf(model);
    console.clear();
    prepareRules(options->input.rulesSource(options->query.rulesFile, options->query.rules),
                 replayOptions.interference.rules, model, scene, poses, console.progress());
    if (options->refine) judgeExactShapes(replayOptions.interference, model, options->input.read, true);
    console.clear();
    const ReplayReport report = replay(scene, poses, track, replayOptions, console.progress());
    console.clear();
    if (report.status == ReportStatus::complete) {
      std::size_t considered = 0;
      for (const ReplayStep& step : report.steps) considered += step.interference.consideredPairs;
      requirePairs(trackSource, considered);
    }
    const bool incomplete = printWarnings(model, options->input.verbose);
    printTrackWarnings(track, trackSource);
    sayHidden(input, options->query.skipHidden);
    const bool allTriangles = replayOptions.interference.request.mode == QueryMode::allTrianglePairs;
    if (report.depthLimits) {
      say("deep in each other at the start, and may stay so:\n");
      for (const auto& [pair, depth] : *report.depthLimits)
        say("  {}  x  {}: up to {:.6g} {}\n", model.assembly.path(pair.first),
            model.assembly.path(pair.second), depth, model.assembly.unit());
    }
    if (options->steps) printSteps(model.assembly, report, allTriangles);
    const Totals totals = totalsOf(report);
    const auto count = static_cast<double>(std::max<std::size_t>(1, totals.askedSteps));
    say("{} of {} intersect{}", totals.hitSteps, countText(report.steps.size(), "step"),
        answeredText(report, totals));
    if (totals.hitSteps > 0) say("; over all steps {}", countedPairs(totals.surfacePairs, "faces"));
    if (totals.hitSteps > 0 && allTriangles) say(", {}", countedPairs(totals.trianglePairs, "triangles"));
    say("\n");
    if (replayOptions.interference.verdict) {
      printVerdicts(model.assembly, report, totals);
      sayOpenParts(report.openParts().size());
    } else {
      printMeetings(model.assembly, report);
    }
    printClearances(model, report, replayOptions.interference.rules);
    say("{}\n", statusText(report.status, incomplete, report.isDecided()));
    say("{:.4f} ms per step (slowest {:.4f}); {:.0f} box tests, {:.0f} box updates, {:.0f} triangle tests "
        "per step\n",
        totals.milliseconds / count, totals.slowest, static_cast<double>(totals.stats.boxTests) / count,
        static_cast<double>(totals.stats.boxUpdates) / count,
        static_cast<double>(totals.stats.triangleTests) / count);
    bool finished = true;
    if (options->compare && report.status != ReportStatus::cancelled) {
      say("\n");
      finished = compareSettings(scene, poses, track, replayOptions, options->rounds, options->paper,
                                 console.progress());
      console.clear();
      if (!finished) say("cancelled: no table\n");
    }
    ReportContext context{programName(), options->input.fileList(), trackSource, replayOptions.interference,
                          &track};
    context.poses = poses;
    context.reviews = input.project.reviews;
    options->query.choosePictures(context);
    std::optional<MotionClearanceReport> clearance;
    if (options->clearanceOption->count() > 0) {
      MotionClearanceOptions clearanceOptions;
      clearanceOptions.range = clearanceRange;
      clearanceOptions.resolution = options->resolution;
      clearanceOptions.rules = replayOptions.interference.rules;
      clearanceOptions.vectorUse = replayOptions.interference.request.vectorUse;
      clearanceOptions.limits.timeBudget = options->query.timeBudget.asDuration(track.steps.size());
      clearanceOptions.force = true;
      clearance = motionClearance(scene, poses, track, clearanceOptions, console.progress());
      console.clear();
      printMotionClearance(model.assembly, *clearance);
      context.motionClearance = &*clearance;
    }
    for (const std::string& file : options->query.reportFiles) {
      writeReport(file, context, model, report, console.progress());
      console.clear();
      say("report: {}\n", file);
    }
    ReportStatus status = finished ? report.status : ReportStatus::cancelled;
    bool violates = false, isCertain = true;
    if (options->betweenSteps) {
      CertifyOptions certifyOptions;
      certifyOptions.tolerance = options->tolerance;
      certifyOptions.rules = replayOptions.interference.rules;
      certifyOptions.limits.timeBudget = options->query.timeBudget.asDuration(track.steps.size());
      certifyOptions.force = true;
      const CertifyReport between = certify(scene, poses, track, certifyOptions, console.progress());
      console.clear();
      say("between the steps too:\n");
      sayCertified(model.assembly, between, incomplete);
      violates = between.answer() == CertifyAnswer::violated;
      isCertain = between.answer() == CertifyAnswer::certain;
      status = std::max(status, between.status);
    }
    if (clearance) status = std::max(status, clearance->status);
    if (!options->contactMap.empty()) {
      ContactMapOptions mapOptions;
      mapOptions.range = options->range;
      mapOptions.rules = replayOptions.interference.rules;
      mapOptions.threads = replayOptions.interference.threads;
      mapOptions.vectorUse = replayOptions.interference.request.vectorUse;
      mapOptions.limits.timeBudget = options->query.timeBudget.asDuration(track.steps.size());
      mapOptions.force = true;
      const ContactMap map = contactMap(scene, poses, track, mapOptions, console.progress());
      console.clear();
      writeContactMap(options->contactMap, {programName(), options->input.fileList(), trackSource}, model,
                      map);
      say("contact map: {}, {} nearer than {:.6g} {} ({:.0f} ms)\n", options->contactMap,
          countText(map.surfaces.size(), "surface"), map.range, model.assembly.unit(), map.milliseconds);
      if (map.status != ReportStatus::complete)
        say("the contact map, and so the answer, is {} ({} of {} answered)\n", statusText(map.status),
            map.answeredSteps, countText(map.steps, "step"));
      status = std::max(status, map.status);
    }
    const bool needsAction = std::any_of(report.steps.begin(), report.steps.end(),
                                         [](const ReplayStep& s) { return s.interference.needsAction(); });
    const bool touchesBetween = clearance && !replayOptions.interference.verdict &&
                                touches(model.assembly, *clearance, replayOptions.interference.rules);
    const int exitCode = exitCodeFor(needsAction || touchesBetween || violates, status,
                                     incomplete || !report.isDecided() || !isCertain);
    if (!options->verification.verify) return exitCode;
    const VerificationReport verification =
        verifyReplay(scene, poses, track, replayOptions, report, {}, console.progress());
    console.clear();
    reportVerification(options->verification, verification, model, options->input.fileList(),
                       "fitup check {} --verify " + options->query.asArguments());
    return exitCodeAfter(exitCode, verification);
  };
}

}  // namespace fitup::cli

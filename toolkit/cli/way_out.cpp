#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/io/certificate_file.h>
#include <fitup/io/removal_json.h>
#include <fitup/io/rules_file.h>
#include <fitup/io/track_file.h>
#include <fitup/planning/tree_search.h>

#include "commands.h"
#include "console.h"
#include "motion_options.h"
#include "move.h"
#include "options.h"
#include "output_files.h"
#include "pattern_check.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct WayOutArguments {
  InputOptions input;
  std::vector<std::string> moved;
  std::string goal = "out", output, certificate, rules;
  std::vector<std::string> guides;
  std::optional<std::size_t> maxWork;
  std::vector<Rule> given;
  TimeBudget timeBudget;
  RemovalOptions request;
  bool skipHidden = false, json = false;
};

void sayDirection(const Assembly& assembly, const RemovalDirection& d) {
  const std::string& unit = assembly.unit();
  const std::string turn =
      d.source == RemovalSource::screw ? fmt::format(", turning by {:.6g} degrees", d.degrees) : "";
  say("  along {} ({}{}): certain for {:.6g} of {:.6g} {}\n", pointText(d.direction), name(d.source), turn,
      d.reached, d.wanted, unit);
  if (!d.stop) return;
  const char* const what = d.stop->event == MotionEvent::contact ? "then near"
                           : d.stop->event == MotionEvent::depth ? "then too deep"
                                                                 : "then about to pierce a wall";
  say("    {}: {}\n      {}\n", what, surfaceText(assembly, d.stop->a, d.stop->nearest.surfaces.a),
      surfaceText(assembly, d.stop->b, d.stop->nearest.surfaces.b));
}

void sayPiece(const Track& track, std::size_t k) {
  const StepWay way = track.wayTo(k, 0);
  if (way.turn) {
    const std::string advance =
        way.turn->advance == 0 ? "" : fmt::format(" with an advance of {:.6g}", way.turn->advance);
    say("  {}: turn by {:.6g} degrees about {} through {}{}\n", k, way.turn->degrees,
        pointText(way.turn->direction), pointText(way.turn->point), advance);
    return;
  }
  const RigidMotion &from = track.steps[k - 1].front(), &to = track.steps[k].front();
  const Vec3 centre = way.pivot.value_or(Vec3{});
  const Vec3 shift = to.transform().apply(centre) - from.transform().apply(centre);
  const double degrees = degreesBetween(from.rotation, to.rotation);
  const std::string turn = degrees < 1e-6 ? "" : fmt::format(" and turn by {:.4g} degrees", degrees);
  say("  {}: shift by {}{}\n", k, pointText(shift), turn);
}

void sayProfile(const Assembly& assembly, const WayProfile& profile) {
  if (!profile.clearances.empty()) {
    const WayClearance& least = *std::ranges::min_element(
        profile.clearances, {}, [](const WayClearance& c) { return c.pair.nearest.distance; });
    std::string certain;
    if (profile.atLeast)
      certain =
          fmt::format(", certainly {:.4g} {} at all times", std::max(0.0, *profile.atLeast), assembly.unit());
    say("  nearest parts that do not touch at the start: {:.4g} {} at step {:.4g}{}\n",
        least.pair.nearest.distance, assembly.unit(), least.time, certain);
    say("    {}  x  {}\n", assembly.path(least.pair.a), assembly.path(least.pair.b));
  }
  constexpr std::size_t mostSlides = 8;
  for (std::size_t k = 0; k < std::min(profile.slides.size(), mostSlides); ++k) {
    const WaySlide& slide = profile.slides[k];
    say("  touches from step {:.4g} to {:.4g}: {}\n    {}\n", slide.from, slide.to,
        surfaceText(assembly, slide.moved, slide.surfaces.a),
        surfaceText(assembly, slide.rest, slide.surfaces.b));
  }
  if (profile.slides.size() > mostSlides)
    say("  and {} that touch\n", countText(profile.slides.size() - mostSlides, "other pair"));
}

void sayWay(const Assembly& assembly, const RemovalReport& report) {
  const Track& track = report.way->certificate.track;
  const std::string& unit = assembly.unit();
  const bool isCertain = report.answer == RemovalAnswer::certain;
  say("{}: {} long, in {}\n", isCertain ? "certain way" : "a way that nothing is known to stop",
      lengthText(report.length, 0, 0, unit), countText(track.steps.size() - 1, "piece"));
  constexpr std::size_t mostPieces = 12;
  for (std::size_t k = 1; k < std::min(track.steps.size(), mostPieces + 1); ++k) sayPiece(track, k);
  if (track.steps.size() > mostPieces + 1)
    say("  and {}, which -o writes\n", countText(track.steps.size() - 1 - mostPieces, "other piece"));
  if (report.profile) sayProfile(assembly, *report.profile);
  for (const auto& [a, b] : report.way->certificate.unknown)
    say("  nothing is certain of {}  x  {}\n", assembly.path(a), assembly.path(b));
}

/// Rounded up to four digits: less may not suffice.
std::string offsetText(double offset) {
  const double digit = std::pow(10.0, std::floor(std::log10(offset)) - 3);
  return fmt::format("{:.4g}", std::ceil(offset / digit) * digit);
}

void sayReliefs(const Assembly& assembly, const RemovalReport& report) {
  constexpr std::size_t mostReliefs = 4;
  for (std::size_t k = 0; k < std::min(report.reliefs.size(), mostReliefs); ++k) {
    const RemovalRelief& relief = report.reliefs[k];
    say("relief: it suffices for a certified way along {} that\n",
        pointText(report.directions[relief.direction].direction));
    for (const ReliefFace& face : relief.faces) {
      say("  {} yields by {} {}\n", surfaceText(assembly, face.instance, face.surfaces.front()),
          offsetText(face.offset), assembly.unit());
      for (std::size_t i = 1; i < face.surfaces.size(); ++i)
        say("    with {}\n", surfaceText(assembly, face.instance, face.surfaces[i]));
    }
  }
}

void sayBlocked(const Assembly& assembly, const RemovalReport& report) {
  constexpr std::size_t mostLines = 6;
  say("no way found{}, which does not show that there is none\n",
      report.status == ReportStatus::complete ? "" : " in the budget");
  if (report.freedom.isHeld) {
    say("no first-order motion: exact contacts hold the part against every small motion, which play or a "
        "tolerance would void:\n");
    std::vector<std::string> seen;
    for (const std::size_t i : report.freedom.holding) {
      const ContactPlace& place = report.places[i];
      std::string line = surfaceText(assembly, place.moved, place.surfaces.a) + "  x  " +
                         surfaceText(assembly, place.rest, place.surfaces.b);
      if (std::ranges::find(seen, line) == seen.end()) seen.push_back(std::move(line));
    }
    for (const std::string& line : seen) say("  {}\n", line);
  }
  for (const RemovalWitness& witness : report.witnesses) {
    std::string names;
    for (const NodeId node : witness.without)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", assembly.path(node));
    say("witness: without {} there is a certified way along {}\n", names,
        pointText(report.directions[witness.direction].direction));
  }
  sayReliefs(assembly, report);
  if (!report.search.isEndFree)
    say("nothing was searched among poses: at an end of the way, or at a guide point, parts are too near "
        "each other\n");
  std::vector<const RemovalDirection*> far;
  for (const RemovalDirection& d : report.directions) far.push_back(&d);
  std::ranges::stable_sort(far, std::greater{},
                           [](const RemovalDirection* d) { return d->reached / d->wanted; });
  if (!far.empty()) say("straight ways that get farthest:\n");
  for (std::size_t k = 0; k < std::min(far.size(), mostLines); ++k) sayDirection(assembly, *far[k]);
  if (!report.hints.empty()) say("hint: faces that stop most ways:\n");
  for (std::size_t k = 0; k < std::min(report.hints.size(), mostLines); ++k) {
    const RemovalHint& hint = report.hints[k];
    say("  {}: {}\n    {}\n", countText(hint.count, "way"),
        surfaceText(assembly, hint.moved, hint.surfaces.a),
        surfaceText(assembly, hint.other, hint.surfaces.b));
  }
}

int exitCodeOf(RemovalAnswer answer, bool isGeometryMissing) {
  if (answer == RemovalAnswer::undecided || isGeometryMissing) return exitIncomplete;
  return answer == RemovalAnswer::certain ? exitNothingFound : exitInterference;
}

}  // namespace

Command addWayOut(CLI::App& app) {
  auto options = std::make_shared<WayOutArguments>();
  options->request.searches = 2;
  CLI::App* command =
      app.add_subcommand("way-out", "Find a certified motion that takes parts out of an assembly");
  options->input.addTo(*command, false);
  oneEachTime(command->add_option("--moved", options->moved,
                                  "Path of an instance or subassembly to take out. Given more than once: all "
                                  "move together"))
      ->required();
  command
      ->add_option("--to", options->goal,
                   "Where to: 'out', until the boxes of the parts and of everything else are apart,\nor "
                   "x,y,z[,ax,ay,az,degrees], a shift and a turn about the centre of the box of the parts")
      ->capture_default_str();
  oneEachTime(command->add_option("--guide", options->guides,
                                  "A pose that the way shall pass, as for --to. May be given more than once, "
                                  "in the order of the way"));
  command->add_option("-o,--output", options->output, "Write the way as a track: " + trackExtensions());
  command->add_option(
      "--certificate", options->certificate,
      "Write what shows that the way is free: .json, which 'fitup verify-certificate' checks");
  addKeptOptions(*command, options->request.clearance, options->request.tolerance,
                 options->request.exactShapes);
  command->add_flag("--shortest", options->request.shortest,
                    "Try all straight ways and take the shortest certain one");
  command
      ->add_option("--max-ways", options->request.maxWays,
                   "Try this number of straight ways and ways of a few pieces, before the search among poses")
      ->check(wholeNumber())
      ->capture_default_str();
  command
      ->add_option("--max-work", options->maxWork,
                   "Work of the search among poses, in distances measured (default: 500000, or no limit with "
                   "a budget of time)")
      ->check(wholeNumber());
  command
      ->add_option("--seed", options->request.seed,
                   "Of the search among poses: the same seed finds the same way")
      ->check(wholeNumber())
      ->capture_default_str();
  command
      ->add_option(
          "--searches", options->request.searches,
          "Search among poses with this number of seeds at the same time, each on a thread of its own. "
          "The one\nthat needs the least work wins, whatever the number of cores")
      ->check(CLI::Range(std::size_t{1}, mostRemovalSearches))
      ->capture_default_str();
  addRuleOption(*command, options->given);
  addSkipHiddenOption(*command, options->skipHidden);
  command->add_option("--rules", options->rules,
                      "JSON file with pairs to ignore, clearances to keep, and sets to check");
  options->timeBudget.addTo(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Tries straight ways along the axes and normals of faces, then ways of several pieces, then a search "
      "among "
      "poses. Parts in\ncontact at the start may slide and separate, but get no deeper. Not finding a way "
      "does not "
      "show that there is none.\nExit codes: 0 a certain way, 1 none found, 2 error, 3 "
      "undecided.\nExamples:\n  fitup way-out "
      "assembly.step --moved assembly/cover/bolt-1 -o removal.track.json\n  fitup way-out plant.fitup "
      "--moved process-plant/piping/spool --clearance 0.1 --time-budget 60");
  return [options] {
    RemovalOptions request = options->request;
    request.limits.timeBudget = options->timeBudget.asDuration();
    const NamedFile output{"-o", options->output}, certificate{"--certificate", options->certificate};
    if (!certificate.file.empty()) requireExtension(certificate, ".json");
    if (!output.file.empty() && !isTrackFile(output.file))
      throw InputError(output.file, output.option, "a track can be written as " + trackExtensions());
    std::vector<NamedFile> inputs = options->input.named();
    inputs.push_back({"--rules", options->rules});
    requireSafeOutputs(inputs, {output, certificate});
    const InputOptions& files = options->input;
    Console console(files.quiet);
    if (!options->rules.empty()) request.rules = readRules(options->rules);
    const ProjectModel read = files.loadProject(console.progress());
    takeOverRules(read.project, options->rules, options->given, options->skipHidden, request.rules);
    const Model& model = read.model;
    const Assembly& assembly = model.assembly;
    const Scene scene = sceneOf(model);
    const Poses& poses = read.moved;
    std::vector<NodeId> moved;
    Box box;
    for (const std::string& path : options->moved) {
      moved.push_back(assembly.at(path));
      for (const NodeId instance : assembly.instancesBelow(moved.back()))
        box.extend(scene.worldBounds(instance, poses));
    }
    if (options->goal != "out") request.goal = motionFrom("--to", options->goal, options->goal, box);
    for (const std::string& guide : options->guides)
      request.guides.push_back(motionFrom("--guide", guide, guide, box));
    if (hasTreeSearch()) request.search = treeSearch();
    if (options->maxWork)
      request.maxWork = *options->maxWork;
    else if (request.limits.timeBudget)
      request.maxWork = std::numeric_limits<std::size_t>::max();
    prepareRules(files.rulesSource(options->rules, options->given), request.rules, model, scene, poses,
                 console.progress());
    const RemovalReport report = findRemoval(scene, poses, moved, request, console.progress());
    console.clear();
    const bool incomplete = printWarnings(model, files.verbose);
    if (report.way && !output.file.empty()) writeTrack(output.file, report.way->certificate.track);
    if (report.way && !certificate.file.empty())
      writeCertificate(certificate.file, programName(), files.fileList(), assembly, *report.way);
    if (options->json) {
      sayLines(removalJsonText(programName(), files.fileList(), assembly, report));
    } else {
      if (report.way) sayWay(assembly, report);
      if (report.answer != RemovalAnswer::certain) sayBlocked(assembly, report);
      say("{}: {}\n{}, {}; {:.2f} ms\n", name(report.answer), statusText(report.status, incomplete),
          countText(report.tried, "way"), countText(report.queries, "distance"), report.milliseconds);
      if (report.search.steps > 0)
        say("search among poses: {}, {}, {}\n", countText(report.search.steps, "step"),
            countText(report.search.poses, "pose"), countText(report.search.checks, "way"));
      sayHidden(read, options->skipHidden);
    }
    return exitCodeOf(report.answer, incomplete);
  };
}

}  // namespace fitup::cli

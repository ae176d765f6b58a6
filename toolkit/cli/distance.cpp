#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/io/clearance_json.h>

#include "commands.h"
#include "console.h"
#include "move.h"
#include "options.h"
#include "output_files.h"
#include "verification.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct DistanceArguments {
  InputOptions input;
  VerificationOptions verification;
  std::optional<std::string> a, b;  ///< neither: all pairs
  std::optional<double> within, surfaces, accuracy;
  std::vector<std::string> moves;
  TimeBudget timeBudget;
  std::optional<std::size_t> maxPairs;
  std::size_t list = 40;
  bool json = false, scalar = false;

  [[nodiscard]] std::optional<double> clearance() const { return surfaces ? surfaces : within; }
};

DistanceRequest requestOf(const DistanceArguments& options) {
  DistanceRequest request;
  request.vectorUse = options.scalar ? VectorUse::scalar : VectorUse::best;
  request.limits.maxPairs = options.maxPairs;
  request.limits.timeBudget = options.timeBudget.asDuration();
  return request;
}

ClearanceQuestion questionOf(const DistanceArguments& options, const Assembly& assembly) {
  ClearanceQuestion question;
  question.request = requestOf(options);
  question.detail = options.surfaces ? ClearanceDetail::surfaces : ClearanceDetail::instances;
  if (options.surfaces || !options.a)
    question.listWithin = options.clearance();
  else
    question.request.ignoreBeyond = options.within;
  const auto below = [&](const std::string& path) {
    std::vector<NodeId> nodes = assembly.instancesBelow(assembly.at(path));
    if (nodes.empty()) throw InputError(path, "", "has no instances");
    return nodes;
  };
  if (options.a) {
    question.first = below(*options.a);
    question.second = below(*options.b);
  }
  return question;
}

ClearanceReport ask(const ClearanceQuestion& question, const Scene& scene, const Poses& poses,
                    const Progress& progress, const std::optional<ExactDistances>& exact) {
  if (question.first.empty())
    return pairsWithin(scene, poses, *question.listWithin, question.detail, question.request, progress,
                       exact);
  if (question.listWithin)
    return pairsWithin(scene, poses, question.first, question.second, *question.listWithin, question.detail,
                       question.request, progress, exact);
  return minimumDistance(scene, poses, question.first, question.second, question.request, progress, exact);
}

std::string distanceText(const InstanceDistance& pair, const std::string& unit) {
  return lengthText(pair.nearest.distance, {pair.chordError, pair.rounding}, unit);
}

void printPairs(const Model& model, const ClearanceReport& report, std::size_t mostLines) {
  const std::string& unit = model.assembly.unit();
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    if (i == mostLines) {
      say("  ... {} more; --list {} shows them, --json writes all\n", report.pairs.size() - i,
          report.pairs.size());
      return;
    }
    const InstanceDistance& p = report.pairs[i];
    say("  {}  {}  at {}\n      to  {}  at {}\n", distanceText(p, unit),
        surfaceText(model.assembly, p.a, p.nearest.surfaces.a), pointText(p.nearest.pointA, p.rounding),
        surfaceText(model.assembly, p.b, p.nearest.surfaces.b), pointText(p.nearest.pointB, p.rounding));
    if (!p.problem.empty()) say("      not as accurate as asked for: {}\n", p.problem);
  }
}

/// Whether a pair is within the requested clearance or, without one, intersects.
enum class Found { no, perhaps, yes };

/// Of exact shapes, chord errors that remain may leave it open.
Found isFound(const DistanceArguments& options, const InstanceDistance& pair) {
  const double limit = options.clearance().value_or(0), distance = pair.nearest.distance;
  const double error = options.accuracy ? pair.chordError.value_or(0) : 0;
  if (distance + error <= limit) return Found::yes;
  return distance - error <= limit ? Found::perhaps : Found::no;
}

Found isFound(const DistanceArguments& options, const ClearanceReport& report) {
  Found found = Found::no;
  for (const InstanceDistance& pair : report.pairs) found = std::max(found, isFound(options, pair));
  return found;
}

void print(const DistanceArguments& options, const Model& model, const ClearanceReport& report,
           bool isGeometryMissing) {
  const std::string& unit = model.assembly.unit();
  const std::optional<double> clearance = options.clearance();
  const bool listing = !options.a || options.surfaces;
  if (report.pairs.empty() && report.status != ReportStatus::complete)
    say("ended early, before anything was found\n");
  else if (report.pairs.empty())
    say("{}\n", clearance ? fmt::format("nothing is nearer than {:.6g} {}", *clearance, unit)
                          : std::string("nothing to measure: one side has no triangles"));
  else if (listing) {
    const auto open = std::ranges::count_if(
        report.pairs, [&](const InstanceDistance& pair) { return isFound(options, pair) == Found::perhaps; });
    say("{} at most {:.6g} {} apart{}\n",
        countedPairs(report.pairs.size(), options.surfaces ? "faces" : "parts"), *clearance, unit,
        open > 0 ? fmt::format("; for {} of them, chord errors leave that open", open) : "");
  } else {
    const InstanceDistance& nearest = report.pairs.front();
    say("minimum distance {}{}\n", distanceText(nearest, unit),
        nearest.nearest.distance > 0 ? ""
        : options.accuracy && nearest.chordError.value_or(0) > 0
            ? ": whether the exact shapes intersect is open; 'fitup check --tolerance' says how deep they "
              "overlap"
            : ": they intersect");
  }
  printPairs(model, report, options.list);
  say("{}\n", report.status == ReportStatus::complete || listing || report.pairs.empty()
                  ? statusText(report.status, isGeometryMissing)
                  : statusText(report.status) + ", and there may be something nearer");
  say("{} of {} measured; {:.2f} ms\n{} box tests, {} box updates, {} triangle distances\n",
      report.measuredPairs, countedPairs(report.consideredPairs, "parts"), report.milliseconds,
      report.stats.boxTests, report.stats.boxUpdates, report.stats.triangleDistances);
}

}  // namespace

Command addDistance(CLI::App& app) {
  auto options = std::make_shared<DistanceArguments>();
  CLI::App* command = app.add_subcommand(
      "distance", "Measure how far parts are apart, and where; list pairs nearer than a clearance");
  options->input.addTo(*command, false);
  CLI::Option* a = command->add_option(
      "A", options->a, "Path of an instance or subassembly; without A and B all pairs of instances");
  a->needs(command->add_option("B", options->b, "The other instance or subassembly"));
  command
      ->add_option("--within", options->within,
                   "List only pairs up to this distance apart, in the model's unit; needed without A and B")
      ->check(numberFrom0());
  command
      ->add_option("--surfaces", options->surfaces, "List every pair of surfaces up to this distance apart")
      ->check(numberFrom0())
      ->excludes("--within");
  addMoveOption(*command, options->moves);
  options->verification.addTo(*command);
  command
      ->add_option(
          "--accuracy", options->accuracy,
          "Measure the exact shapes of CAD parts: make what is near finer until its chord errors are "
          "at most\nthis, in the model's unit")
      ->check(numberAbove0())
      ->excludes("--surfaces")
      ->excludes("--verify");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--list", options->list, "Print at most this many pairs")
      ->check(wholeNumber())
      ->capture_default_str();
  command
      ->add_option("--max-pairs", options->maxPairs,
                   "Stop after this many pairs; the answer is then marked truncated")
      ->check(wholeNumber());
  options->timeBudget.addTo(*command);
  command->add_flag("--scalar", options->scalar,
                    "Use plain code instead of vector instructions (same distances; where several places are "
                    "equally\nnear, another one may be reported)");
  command->footer(
      "Exit codes: 0 nothing within the distance (without a distance: A and B do not intersect), 1 found,\n2 "
      "error, 3 nothing found but the answer is incomplete, or with --accuracy open because of chord "
      "errors.\nExamples:\n  fitup distance assembly.step "
      "'as1/rod' 'as1/plate'\n  fitup distance assembly.step --within 0.5\n  fitup distance assembly.step "
      "'as1/rod' 'as1/plate' --move 'as1/rod=0,0,5'\n  fitup distance assembly.step 'as1/rod' 'as1/plate' "
      "--surfaces 2 --json");
  return [options] {
    if (!options->a && !options->clearance())
      throw InputError("distance", "A and B", "are needed, or --within, or --surfaces");
    std::vector<NamedFile> outputs;
    options->verification.addOutputs(outputs);
    requireSafeOutputs(options->input.named(), outputs);
    Console console(options->input.quiet);
    const ProjectModel input = options->input.loadProject(console.progress());
    const Model& model = input.model;
    const Scene scene = sceneOf(model);
    const ClearanceQuestion question = questionOf(*options, model.assembly);
    Poses poses = input.moved;
    applyMoves(scene, options->moves, poses);
    std::optional<ExactDistances> exact;
    if (options->accuracy)
      exact = ExactDistances{*options->accuracy, refinementOf(model, options->input.read)};
    const ClearanceReport report = ask(question, scene, poses, console.progress(), exact);
    console.clear();
    const bool incomplete = printWarnings(model, options->input.verbose);
    if (options->json)
      sayLines(
          clearanceJsonText(programName(), options->input.fileList(), model, options->clearance(), report));
    else
      print(*options, model, report, incomplete);
    const Found found = isFound(*options, report);
    const int exitCode =
        exitCodeFor(found == Found::yes, report.status, incomplete || found == Found::perhaps);
    if (!options->verification.verify) return exitCode;
    const VerificationReport verification =
        verifyClearance(scene, poses, question, report, {}, console.progress());
    console.clear();
    const std::string scope = options->surfaces ? fmt::format(" --surfaces {}", *options->surfaces)
                              : options->within ? fmt::format(" --within {}", *options->within)
                                                : "";
    reportVerification(options->verification, verification, model, options->input.fileList(),
                       "fitup distance {} a b --verify" + scope + (options->scalar ? " --scalar" : ""),
                       options->json ? stderr : stdout);
    return exitCodeAfter(exitCode, verification);
  };
}

}  // namespace fitup::cli

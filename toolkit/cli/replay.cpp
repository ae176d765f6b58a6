#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <fitup/io/report_file.h>
#include <fitup/io/track_file.h>

#include "commands.h"
#include "compare_settings.h"
#include "console.h"
#include "options.h"

namespace fitup::cli {
namespace {

struct Totals {
  std::size_t hitSteps = 0, surfacePairs = 0, trianglePairs = 0;
  double milliseconds = 0, slowest = 0;
  QueryStats stats;
};

Totals totalsOf(const ReplayReport& report) {
  Totals totals;
  for (const ReplayStep& step : report.steps) {
    totals.hitSteps += step.interference.intersects();
    for (const PairInterference& p : step.interference.pairs) {
      totals.surfacePairs += p.report.surfacePairs.size();
      totals.trianglePairs += p.report.trianglePairs.size();
    }
    totals.milliseconds += step.interference.milliseconds;
    totals.slowest = std::max(totals.slowest, step.interference.milliseconds);
    totals.stats += step.interference.stats;
  }
  return totals;
}

void printSteps(const Assembly& assembly, const ReplayReport& report) {
  fmt::print("{:>6} {:>9} {:>9} {:>9}  instances\n", "step", "ms", "surfaces", "triangles");
  for (const ReplayStep& step : report.steps) {
    std::size_t surfaces = 0, triangles = 0;
    std::string instances;
    for (const PairInterference& p : step.interference.pairs) {
      if (!p.report.intersects()) continue;
      surfaces += p.report.surfacePairs.size();
      triangles += p.report.trianglePairs.size();
      instances +=
          fmt::format("{}{} x {}", instances.empty() ? "" : "; ", assembly.path(p.a), assembly.path(p.b));
    }
    fmt::print("{:>6} {:>9.4f} {:>9} {:>9}  {}\n", step.step, step.interference.milliseconds, surfaces,
               triangles, instances.empty() ? "-" : instances);
  }
}

}  // namespace

Command addReplay(CLI::App& app) {
  struct Options {
    InputOptions input;
    QueryOptions query;
    std::string track;
    bool force = false, compare = false, paper = false, steps = false, firstOfStep = false;
    int rounds = 5;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "A recorded motion: what intersects at every step");
  options->input.addTo(*command, false);
  command->add_option("TRACK", options->track, "Track: .json or .csv")->required();
  options->query.addTo(*command);
  command->add_flag("--force", options->force, "Accept a track recorded on another model");
  command->add_flag("--steps", options->steps, "List every step");
  command->add_flag("--first-of-step", options->firstOfStep,
                    "End each step at its first intersecting pair of parts");
  command->add_flag("--compare-settings", options->compare,
                    "Table of time and counts for every mode and every setting of the overlap box");
  command->add_flag("--paper", options->paper, "With --compare-settings: the S-CD paper's figures beside");
  command
      ->add_option("--rounds", options->rounds, "With --compare-settings: rounds, of which medians are shown")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->footer(
      "Examples:\n"
      "  fitup replay plant.fitup plant.track.json --report out.json\n"
      "  fitup replay plant.fitup plant.track.json --mode first --steps\n"
      "  fitup replay plant.fitup plant.track.json --compare-settings --paper");
  return [options]() -> int {
    ReplayOptions replayOptions{options->query.resolve(), options->force};
    replayOptions.interference.stopAtFirstPair = options->firstOfStep;
    Console console(options->input.quiet);
    const Model model = options->input.load(console.progress());
    const Track track = readTrack(options->track);
    const ReplayReport report =
        replay(model.assembly, model.collisionModels, track, replayOptions, console.progress());
    console.clear();
    const bool incomplete = printWarnings(model);
    if (options->steps) printSteps(model.assembly, report);
    const Totals totals = totalsOf(report);
    const auto count = static_cast<double>(std::max<std::size_t>(1, report.steps.size()));
    fmt::print("{} of {} steps intersect; {} pairs of surfaces, {} pairs of triangles over all steps ({})\n",
               totals.hitSteps, report.steps.size(), totals.surfacePairs, totals.trianglePairs,
               name(report.status));
    fmt::print(
        "{:.4f} ms a step (slowest {:.4f}); {:.0f} box tests, {:.0f} box updates, {:.0f} triangle tests a "
        "step\n",
        totals.milliseconds / count, totals.slowest, static_cast<double>(totals.stats.boxTests) / count,
        static_cast<double>(totals.stats.boxUpdates) / count,
        static_cast<double>(totals.stats.triangleTests) / count);
    bool finished = true;
    if (options->compare) {
      fmt::print("\n");
      finished = compareSettings(model.assembly, model.collisionModels, track, replayOptions, options->rounds,
                                 options->paper, console.progress());
      console.clear();
    }
    const ReportContext context{programName(), options->input.fileList(), options->track,
                                replayOptions.interference};
    for (const std::string& file : options->query.reportFiles) {
      writeReport(file, context, model, report);
      fmt::print("report: {}\n", file);
    }
    return exitCodeFor(totals.hitSteps > 0, finished ? report.status : ReportStatus::cancelled, incomplete);
  };
}

}  // namespace fitup::cli

#include <chrono>
#include <exception>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fitup/io/read_assembly.h>
#include <models/process_plant.h>

#include "contestant.h"
#include "statistics.h"

namespace fitup::bench {
namespace {

struct Row {
  Contestant* contestant;
  std::vector<double> millisecondsPerStep;  // a round each
  std::size_t found = 0;                    // over all steps
  std::optional<QueryStats> stats;          // of one round
};

/// One pass of a contestant over the scene.
void runOnce(const Scene& scene, QueryMode mode, Row& row) {
  const auto begin = std::chrono::steady_clock::now();
  row.found = 0;
  for (const auto& step : scene.steps)
    for (const PosedPair& pair : step) row.found += row.contestant->query(pair, mode);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  row.stats = row.contestant->takeStats();
  row.millisecondsPerStep.push_back(taken.count() / static_cast<double>(scene.steps.size()));
}

/// All contestants in turn, `rounds` times; ratios are taken round by round, so that a drift of the machine
/// cancels.
void measure(const Scene& scene, QueryMode mode, const std::vector<std::unique_ptr<Contestant>>& contestants,
             int rounds) {
  std::vector<Row> rows;
  for (const auto& c : contestants)
    if (c->answers(mode)) rows.push_back({c.get(), {}, 0, {}});
  for (Row& row : rows) {  // warm up caches and branch predictors of each
    runOnce(scene, mode, row);
    row.millisecondsPerStep.clear();
  }
  for (int round = 0; round < rounds; ++round)
    for (Row& row : rows) runOnce(scene, mode, row);

  fmt::print("\n{}: {} ({} steps, {} rounds; the first contestant is 1x)\n", scene.name, name(mode),
             scene.steps.size(), rounds);
  fmt::print("{:<34}{:>28}{:>26}{:>11}{:>11}{:>11}\n", "", "ms a step [95 %]", "time against first",
             "box tests", "updates", "found");
  const auto steps = static_cast<double>(std::max<std::size_t>(1, scene.steps.size()));
  for (const Row& row : rows) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < row.millisecondsPerStep.size(); ++i)
      ratios.push_back(row.millisecondsPerStep[i] / rows.front().millisecondsPerStep[i]);
    const auto count = [&](std::uint64_t QueryStats::*field) {
      return row.stats ? fmt::format("{:.0f}", static_cast<double>((*row.stats).*field) / steps)
                       : std::string("-");
    };
    fmt::print("{:<34}{:>28}{:>26}{:>11}{:>11}{:>11}{}\n", row.contestant->name(),
               text(medianInterval(row.millisecondsPerStep), 4), text(medianInterval(ratios), 2),
               count(&QueryStats::boxTests), count(&QueryStats::boxUpdates), row.found,
               row.found == rows.front().found ? "" : "  differs from the exact answer");
  }
}

int run(int argc, char** argv) {
  CLI::App app{"Fitup and its peers on the same poses in one run, in turn; medians and ratios."};
  std::vector<std::string> assemblies;
  int rounds = 11;
  bool rtrees = false;
  app.add_option("--assembly", assemblies,
                 "Assemblies whose parts are nudged against their neighbours, instead of the plant's replay")
      ->check(CLI::ExistingFile);
  app.add_flag("--rtrees", rtrees, "Fan-outs and ways to build the R-trees instead of settings and peers");
  app.add_option("--rounds", rounds, "Rounds")->capture_default_str()->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);

  std::vector<Scene> scenes;
  for (const std::string& file : assemblies)
    scenes.push_back(
        sceneOfNudges(std::filesystem::path(file).filename(), readAssembly(file).assembly, 200, 1));
  if (assemblies.empty()) {
    const Assembly plant = models::makeProcessPlant();
    scenes.push_back(sceneOfTrack("process plant", plant, models::makeSpoolTrack(plant)));
  }
  std::vector<std::unique_ptr<Contestant>> contestants;
  contestants.push_back(makeFitup(HierarchyKind::scd, OverlapBoxSetting::on));
  if (rtrees) {
    for (RTreeBuild build : {RTreeBuild::packed, RTreeBuild::guttman})
      for (std::uint32_t fanOut : {4U, 8U, 16U})
        if (const BuildOptions options{{build, fanOut}}; options != BuildOptions{})
          contestants.push_back(makeFitup(HierarchyKind::scd, OverlapBoxSetting::on, options));
  } else {
    for (OverlapBoxSetting s : {OverlapBoxSetting::off, OverlapBoxSetting::classical})
      contestants.push_back(makeFitup(HierarchyKind::scd, s));
    for (auto& peer : makePeers()) contestants.push_back(std::move(peer));
  }
  for (const Scene& scene : scenes) {
    for (const auto& c : contestants) c->prepare(scene);
    for (QueryMode mode :
         {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
      measure(scene, mode, contestants, rounds);
  }
  return 0;
}

}  // namespace
}  // namespace fitup::bench

int main(int argc, char** argv) {
  try {
    return fitup::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "fitup-bench: {}\n", error.what());
    return 2;
  }
}

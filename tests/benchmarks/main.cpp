#include <chrono>
#include <exception>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fitup/io/read_assembly.h>
#include <fitup/io/track_file.h>
#include <models/process_plant.h>

#include "contestant.h"
#include "statistics.h"

namespace fitup::bench {
namespace {

struct Row {
  Contestant* contestant;
  std::vector<double> millisecondsPerStep;  // a round each
  std::size_t found = 0;                    // over all steps
};

/// One pass of a contestant over the scene.
void runOnce(const Scene& scene, QueryMode mode, Row& row) {
  const auto begin = std::chrono::steady_clock::now();
  row.found = 0;
  for (const auto& step : scene.steps)
    for (const PosedPair& pair : step) row.found += row.contestant->query(pair, mode);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  row.millisecondsPerStep.push_back(taken.count() / static_cast<double>(scene.steps.size()));
}

/// All contestants in turn, `rounds` times; ratios are taken round by round, so that a drift of the machine cancels.
void measure(const Scene& scene, QueryMode mode, const std::vector<std::unique_ptr<Contestant>>& contestants, int rounds) {
  std::vector<Row> rows;
  for (const auto& c : contestants)
    if (c->answers(mode)) rows.push_back({c.get(), {}, 0});
  for (Row& row : rows) {  // warm up caches and branch predictors of each
    runOnce(scene, mode, row);
    row.millisecondsPerStep.clear();
  }
  for (int round = 0; round < rounds; ++round)
    for (Row& row : rows) runOnce(scene, mode, row);

  fmt::print("\n{}: {} ({} steps, {} rounds; the first contestant is 1x)\n", scene.name, name(mode), scene.steps.size(),
             rounds);
  fmt::print("{:<34}{:>30}{:>30}{:>12}\n", "", "ms a step [95 %]", "time against first [95 %]", "found");
  for (const Row& row : rows) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < row.millisecondsPerStep.size(); ++i)
      ratios.push_back(row.millisecondsPerStep[i] / rows.front().millisecondsPerStep[i]);
    fmt::print("{:<34}{:>30}{:>30}{:>12}{}\n", row.contestant->name(), text(medianInterval(row.millisecondsPerStep), 4),
               text(medianInterval(ratios), 2), row.found,
               row.found == rows.front().found ? "" : "  differs from the exact answer");
  }
}

int run(int argc, char** argv) {
  CLI::App app{"Fitup and its peers on the same poses in one run, in turn; medians and ratios."};
  std::string model, track;
  int rounds = 11;
  app.add_option("--model", model, "A model and a track instead of the process plant")->check(CLI::ExistingFile);
  app.add_option("--track", track, "Track for --model")->check(CLI::ExistingFile);
  app.add_option("--rounds", rounds, "Rounds")->capture_default_str()->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);

  Scene scene;
  if (!model.empty()) {
    scene = sceneOfTrack(model, readAssembly(model).assembly, readTrack(track));
  } else {
    const Assembly plant = models::makeProcessPlant();
    scene = sceneOfTrack("process plant", plant, models::makeSpoolTrack(plant));
  }
  std::vector<std::unique_ptr<Contestant>> contestants;
  for (OverlapBoxSetting s : {OverlapBoxSetting::on, OverlapBoxSetting::off, OverlapBoxSetting::classical})
    contestants.push_back(makeFitup(HierarchyKind::scd, s));
  for (auto& peer : makePeers()) contestants.push_back(std::move(peer));
  for (const auto& c : contestants) c->prepare(scene);
  for (QueryMode mode : {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
    measure(scene, mode, contestants, rounds);
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

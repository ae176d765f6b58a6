#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <hwy/targets.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/read_assembly.h>
#include <models/process_plant.h>
#include <toolkit/cli/output_files.h>

#include "broad_phase.h"
#include "drags.h"
#include "measure.h"
#include "motions.h"
#include "papers/experiment.h"
#include "refit.h"
#include "scale.h"
#include "scene_list.h"
#include "slides.h"
#include "threads.h"
#include "ways.h"

namespace fitup::bench {
namespace {

struct Options {
  std::vector<std::string> scenes, assemblies, only, slides;
  std::string reference;  ///< empty: the first contestant
  std::string json, markdown, plotFolder, from;
  Effort effort;
  SlidesRun slidesRun;
  bool list = false, quick = false, rtrees = false, trees = false, noPeers = false, noBuilds = false,
       wallClock = false, scale = false, distances = false, broadPhase = false, refit = false, drags = false,
       motions = false, ways = false, noAvx512 = false;
  std::optional<unsigned> threads;
};

/// Shows the progress, only on a terminal.
void watch(const std::string& text) {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\033[K{}", text);
}

std::string referenceOf(const Contestants& contestants, const Options& options) {
  return options.reference.empty() ? contestants.front()->info().name : options.reference;
}

std::string noContestant(const Contestants& contestants) {
  std::string known;
  for (const auto& c : contestants) known += (known.empty() ? "" : ", ") + c->info().name;
  return "is no contestant; there are: " + known;
}

Contestants makeContestants(const Options& options) {
  Contestants all;
  for (const FitupOptions& setting : options.rtrees      ? fitupRTrees()
                                     : options.trees     ? fitupTrees()
                                     : options.distances ? fitupDistanceSettings()
                                                         : fitupSettings())
    all.push_back(makeFitup(setting));
  if (!options.rtrees && !options.noPeers)
    for (auto& peer : options.distances ? makeDistancePeers() : makePeers()) all.push_back(std::move(peer));
  if (options.only.empty()) return all;
  const std::string reference = referenceOf(all, options);
  const auto contains = [](const auto& contestant, const std::string& part) {
    return contestant->info().name.find(part) != std::string::npos;
  };
  for (const std::string& part : options.only)
    if (std::none_of(all.begin(), all.end(), [&](const auto& c) { return contains(c, part); }))
      throw InputError("only", part, noContestant(all));
  Contestants kept;
  for (auto& contestant : all)
    if (contestant->info().name == reference ||
        std::any_of(options.only.begin(), options.only.end(),
                    [&](const std::string& part) { return contains(contestant, part); }))
      kept.push_back(std::move(contestant));
  return kept;
}

Contestant& find(const Contestants& contestants, const std::string& name) {
  for (const auto& c : contestants)
    if (c->info().name == name) return *c;
  throw InputError("reference", name, noContestant(contestants));
}

std::vector<Scene> freezeScenes(const Options& options) {
  std::vector<std::string> names = options.scenes;
  if (names.empty() && options.assemblies.empty()) names = usualSceneNames();
  std::vector<Scene> scenes = makeScenes(names, options.quick ? SceneSize::quick : SceneSize::full);
  for (const std::string& file : options.assemblies) {
    scenes.push_back(sceneOfNudges(std::filesystem::path(file).filename(), readAssembly(file).assembly,
                                   options.quick ? 1 : 200, 1));
    if (scenes.back().questionCount() == 0)
      throw InputError("--assembly", file, "has no two parts that come near each other: nothing to ask");
  }
  // Tables and pictures are distinguished by their scenes' names.
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const auto isEarlier = [&](const std::string& name) {
      return std::any_of(scenes.begin(), scenes.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const Scene& earlier) { return earlier.name == name; });
    };
    const std::string name = scenes[i].name;
    for (int n = 2; isEarlier(scenes[i].name); ++n) scenes[i].name = fmt::format("{} ({})", name, n);
  }
  return scenes;
}

std::vector<std::pair<std::string, Assembly>> draggedAssemblies(const Options& options) {
  std::vector<std::pair<std::string, Assembly>> assemblies;
  assemblies.emplace_back("plant", models::makeProcessPlant());
  for (const std::string& file : options.assemblies)
    assemblies.emplace_back(std::filesystem::path(file).filename(), readAssembly(file).assembly);
  return assemblies;
}

void measureWays([[maybe_unused]] const Options& options) {
#ifdef FITUP_BENCH_HAS_WAYS
  print(runWays(options.quick ? 0.2 : 5, options.quick ? 2 : options.effort.rounds));
#else
  throw Error("--ways: this program was built without FCL or without OMPL");
#endif
}

/// Measures slides. Returns false if a part did not come to where it is to come, or got too deep.
bool slidesAreRight(const Options& options) {
  SlidesRun run = options.slidesRun;
  run.only = options.only;
  run.quick = options.quick;
  std::vector<SlideModel> models;
  for (const std::string& model : options.slides) models.push_back(slideModel(model));
  printSlidesHead(run);
  SlidesTotals totals;
  SlidesShow show;
  show.watch = watch;
  show.failure = [](const SlideFailure& failure) {
    watch("");
    print(failure);
  };
  show.row = [&](const SlidesRow& row) {
    watch("");
    print(row);
    totals.count(row);
  };
  for (const SlideModel& model : models) runSlides(model, run, show);
  if (totals.parts == 0) throw InputError("--only", "", "is in the path of no part that is drawn out");
  print(totals);
  return totals.areRight;
}

Results measureAll(const Options& options) {
  const Contestants contestants = makeContestants(options);
  Contestant& reference = find(contestants, referenceOf(contestants, options));
  Results results;
  results.machine = thisMachine();
  results.reference = reference.info().name;
  results.rounds = options.effort.rounds;
  results.quick = options.quick;
  results.clock = options.wallClock ? "wall" : "processor";
  for (const auto& c : contestants) results.contestants.push_back(c->info());
  fmt::print("{}", headText(results));

  watch("freezing the scenes");
  const std::vector<Scene> scenes = freezeScenes(options);
  const Parts* loaded = nullptr;
  TooSlow tooSlow;
  for (const Scene& scene : scenes) {
    watch("");
    // Scenes of one family share their parts, which are built once.
    if (loaded == nullptr || *loaded != scene.parts) {
      tooSlow.clear();
      const int rounds = options.noBuilds || options.quick
                             ? 1
                             : std::min(options.effort.rounds, options.effort.fewestRounds);
      const BuildTable table =
          measureBuilds(scene, contestants, options.effort, rounds,
                        [&](const std::string& what) { watch(scene.name + ": loading " + what); });
      loaded = &scene.parts;
      watch("");
      if (!options.noBuilds) {
        results.builds.push_back(table);
        fmt::print("{}", tableText(table));
      }
    }
    std::erase_if(tooSlow,
                  [](const auto& slow) { return slow.first->info().movement != Movement::rebuilds; });
    for (const auto& c : contestants) c->enter(scene);
    std::vector<Question> questions{QueryMode::firstSurfacePair, QueryMode::allSurfacePairs,
                                    QueryMode::allTrianglePairs};
    // If steps ask about several pairs, "first" may also mean the first of all of them.
    if (scene.questionCount() > scene.steps.size())
      questions.insert(questions.begin(), Question::firstOfStep());
    if (options.distances) questions.assign(1, Question::distance());
    for (const Question& question : questions) {
      watch(fmt::format("{}: {}", scene.name, name(question)));
      if (!canAnswer(reference, question) || (reference.isCoherent() && !scene.suitsCoherence)) {
        watch("");
        fmt::print("\n{}, {}: left out, as {} does not answer that\n", scene.name, name(question),
                   reference.info().name);
        continue;
      }
      QueryTable table = measureQueries(scene, question, contestants, reference, options.effort, tooSlow);
      const Question triangles = QueryMode::allTrianglePairs;
      if (question.mode && question.mode != triangles.mode && canAnswer(reference, triangles))
        table.overAllTriangles = timesFaster(scene, question, triangles, reference, options.effort);
      findLeads(table, results);
      watch("");
      fmt::print("{}", tableText(table, results));
      std::fflush(stdout);
      results.queries.push_back(std::move(table));
    }
  }
  return results;
}

Results readResults(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file, "", "cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return resultsFromJson(text.str(), file);
}

void printAll(const Results& results) {
  fmt::print("{}", headText(results));
  for (const BuildTable& table : results.builds) fmt::print("{}", tableText(table));
  for (const QueryTable& table : results.queries) fmt::print("{}", tableText(table, results));
}

void write(const std::string& file, const std::string& text) {
  writeFileAtomically(file, [&](std::ostream& out) { out << text; });
}

int runPapers(const std::vector<std::string>& names, const Options& options) {
  std::vector<Paper> chosen;
  for (const Paper& paper : papers())
    if (names.empty() || std::find(names.begin(), names.end(), paper.name) != names.end())
      chosen.push_back(paper);
  for (const std::string& name : names)
    if (std::none_of(chosen.begin(), chosen.end(), [&](const Paper& p) { return p.name == name; }))
      throw InputError("papers", name, "is not repeated; there are: scd, solid, obb, boxtree, opcode");
  std::string text;
  for (const Paper& paper : chosen) {
    watch(paper.name);
    const std::vector<Experiment> experiments = paper.run(options.quick);
    watch("");
    const std::string section = markdownOf(paper, experiments);
    fmt::print("{}\n", section);
    std::fflush(stdout);
    text += section + "\n";
    if (options.plotFolder.empty()) continue;
    for (const Experiment& e : experiments)
      for (const Picture& picture : e.pictures)
        if (const std::string problem = plot(picture, options.plotFolder); !problem.empty())
          fmt::print(stderr, "{}\n", problem);
  }
  if (!options.markdown.empty()) write(options.markdown, text);
  return 0;
}

/// Creates the folder before the measurement, so that an error does not lose the results.
void requireFolder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!std::filesystem::is_directory(folder))
    throw InputError("--plot", folder, problem ? "cannot be made: " + problem.message() : "is no folder");
}

/// Throws for options that the selected measurement would silently ignore.
void refuseUnheeded(const CLI::App& app, const CLI::App& papersCommand) {
  const auto given = [&](const std::string& name) { return app.get_option(name)->count() > 0; };
  // Options that replace the tables, several of them together, each with the options that it uses besides the
  // others.
  const std::vector<std::string> instead{"--threads", "--scale",   "--broad-phase", "--refit",
                                         "--drags",   "--motions", "--slides",      "--ways"};
  const std::vector<std::vector<std::string>> heededBy{
      {"--rounds"},
      {},
      {"--rounds", "--quick"},
      {"--rounds", "--quick"},
      {"--assembly", "--quick"},
      {"--rounds", "--quick"},
      {"--quick", "--only", "--hands", "--seed", "--budget", "--tolerance"},
      {"--rounds", "--quick"}};
  const auto refuse = [&](const std::string& by, const std::vector<std::string>& heeded) {
    for (const CLI::Option* option : app.get_options())
      if (option->count() > 0 && option->get_name() != by &&
          std::find(heeded.begin(), heeded.end(), option->get_name()) == heeded.end())
        throw InputError(by, option->get_name(), "cannot be had together");
  };
  if (papersCommand.parsed()) refuse("papers", {"--quick", "--markdown", "--plot"});
  std::vector<std::string> heeded = instead;
  for (std::size_t i = 0; i < instead.size(); ++i)
    if (given(instead[i])) heeded.insert(heeded.end(), heededBy[i].begin(), heededBy[i].end());
  for (const std::string& name : instead)
    if (given(name)) refuse(name, heeded);
  if (given("--from")) refuse("--from", {"--json", "--markdown", "--plot"});
  const std::vector<std::string> others{"--rtrees", "--trees", "--distance"};
  for (const std::string& one : others)
    for (const std::string& other : others)
      if (one < other && given(one) && given(other)) throw InputError(one, other, "cannot be had together");
}

int run(int argc, char** argv) {
  CLI::App app{"Fitup and its peers on the same poses in one run, in turn; medians and ratios."};
  Options options;
  app.add_option("--scene", options.scenes, "Scenes, or all of a group: usual, hard (default: usual)");
  app.add_option(
         "--assembly", options.assemblies,
         "Assemblies whose parts are nudged against their neighbours; instead of the scenes unless those are "
         "named too")
      ->check(CLI::ExistingFile);
  app.add_flag("--list", options.list, "Scenes and contestants");
  app.add_option("--only", options.only,
                 "Contestants whose names contain one of these, beside the reference");
  app.add_option("--reference", options.reference, "The contestant that is 1x (default: the first)");
  app.add_flag("--rtrees", options.rtrees,
               "Fan-outs and ways to build the R-trees instead of settings and peers");
  app.add_flag("--trees", options.trees,
               "Every system of the field and its configurations instead of settings, beside the peers");
  app.add_flag("--distance", options.distances,
               "Minimum distances instead of intersections, with FCL's swept spheres as peers");
  app.add_flag("--no-peers", options.noPeers, "Fitup alone");
  app.add_flag("--no-builds", options.noBuilds, "Do not time building");
  app.add_option("--rounds", options.effort.rounds, "Rounds")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--pass-seconds", options.effort.passSeconds,
                 "A round of a contestant; slower ones get fewer steps, at least one")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--longest-step", options.effort.longestStep,
                 "Seconds; contestants that take longer for a step are left out")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--no-avx512", options.noAvx512,
               "Fitup's vector code does without AVX-512; peers stay as they are compiled");
  app.add_flag("--wall-clock", options.wallClock, "Wall clock instead of the processor time of all threads");
  app.add_option("--threads", options.threads,
                 "Instead of the tables: what one query on so many threads gains, beside independent queries")
      ->check(CLI::Range(2, 1024));
  app.add_flag(
      "--scale", options.scale,
      "Instead of the tables: build, file and a dragged part in an assembly of ten million triangles");
  app.add_flag(
      "--broad-phase", options.broadPhase,
      "Instead of the tables: who meets whom among 10 to 10,000 movers, by sweep and prune and by R-tree");
  app.add_flag("--refit", options.refit,
               "Instead of the tables: refitting deformed parts against building them, and queries after it");
  app.add_flag(
      "--drags", options.drags,
      "Instead of the tables: parts of the plant, and of the assemblies, dragged until contact stops them");
  app.add_flag(
      "--motions", options.motions,
      "Instead of the tables: a whole motion, at its steps and between, with FCL's continuous collision");
  app.add_flag("--ways", options.ways,
               "Instead of the tables: ways between poses checked for a planner of OMPL, with FCL");
  CLI::Option* slides = app.add_option(
      "--slides", options.slides,
      "Instead of the tables: parts drawn out by slides that follow unsteady hands, of `plant`, "
      "as1-oc-214.stp, 13_5_hinge_R_assy.stp; --only: parts whose paths contain one of these");
  app.add_option("--hands", options.slidesRun.hands, "Of --slides: hands for each part")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000))
      ->needs(slides);
  app.add_option("--seed", options.slidesRun.firstSeed, "Of --slides: that of the first hand")
      ->capture_default_str()
      ->needs(slides);
  app.add_option("--budget", options.slidesRun.budget, "Of --slides: milliseconds of an update; 0: none")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6))
      ->needs(slides);
  app.add_option("--tolerance", options.slidesRun.tolerance,
                 "Of --slides: the tolerance (default: that of each pair)")
      ->check(CLI::PositiveNumber)
      ->needs(slides);
  app.add_flag("--quick", options.quick, "Small scenes and two rounds: shows that everything runs");
  app.add_option("--json", options.json, "Write the results (docs/reference/benchmark.md)");
  app.add_option("--markdown", options.markdown, "Write the tables as Markdown");
  app.add_option("--plot", options.plotFolder,
                 "Write a picture for each scene into this folder (needs gnuplot)");
  app.add_option("--from", options.from,
                 "Print, write and plot the results in this JSON file; measure nothing")
      ->check(CLI::ExistingFile);
  CLI::App* papersCommand = app.add_subcommand(
      "papers", "Instead of the tables: the experiments of the field's papers, theirs beside ours");
  std::vector<std::string> names;
  papersCommand->add_option("NAME", names, "scd, solid, obb, boxtree, opcode (default: all)");
  papersCommand->add_flag("--quick", options.quick,
                          "Few placements on small models: shows that everything runs");
  papersCommand->add_option("--markdown", options.markdown, "Write the tables as Markdown");
  papersCommand->add_option("--plot", options.plotFolder,
                            "Write the figures into this folder (needs gnuplot)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  // Checked before minutes are spent on results that cannot be saved.
  std::vector<cli::NamedFile> inputs = cli::namedFiles("--assembly", options.assemblies);
  inputs.push_back({"--from", options.from});
  cli::requireSafeOutputs(inputs, {{"--json", options.json}, {"--markdown", options.markdown}});
  refuseUnheeded(app, *papersCommand);
  if (!std::isfinite(options.effort.passSeconds) || !std::isfinite(options.effort.longestStep))
    throw InputError("--pass-seconds, --longest-step", "", "must be finite");
  requireFolder(options.plotFolder);
  if (papersCommand->parsed()) return runPapers(names, options);

  if (options.noAvx512) {
    hwy::DisableTargets(HWY_AVX2 - 1);  // smaller numbers are better sets
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  if (options.list) {
    for (const SceneName& scene : sceneNames()) fmt::print("{:<22}{}\n", scene.name, scene.description);
    fmt::print("\n");
    for (const auto& c : makeContestants(options))
      fmt::print("{:<40}{}\n", c->info().name, c->info().software);
    return 0;
  }
  if (options.threads || options.scale || options.broadPhase || options.refit || options.drags ||
      options.motions || options.ways || !options.slides.empty()) {
    fmt::print("{}\n", machineText(thisMachine()));
    if (options.threads) print(runThreads(*options.threads, options.effort.rounds));
    if (options.scale) print(runScale());
    if (options.broadPhase) print(runBroadPhase(options.quick ? 2 : options.effort.rounds, options.quick));
    if (options.refit) print(runRefit(options.quick ? 2 : options.effort.rounds, options.quick));
    if (options.motions)
      print(runMotions(options.quick ? 2 : options.effort.rounds, options.quick, makeMotionPeers));
    if (options.ways) measureWays(options);
    if (options.drags) print(runDrags(draggedAssemblies(options), options.quick ? 10 : 1000));
    return options.slides.empty() || slidesAreRight(options) ? 0 : 1;
  }
  if (options.wallClock) options.effort.clock = ClockKind::wall;
  if (options.quick) {
    options.effort.rounds = 2;
    options.effort.fewestRounds = 1;
    options.effort.passSeconds = 0.01;
    options.effort.checkSeconds = 0.02;
    options.effort.shortestPass = 1e-4;
  }
  const Results results = options.from.empty() ? measureAll(options) : readResults(options.from);
  if (!options.from.empty()) printAll(results);
  if (!options.json.empty()) write(options.json, toJson(results));
  if (!options.markdown.empty()) write(options.markdown, toMarkdown(results));
  if (!options.plotFolder.empty()) fmt::print("\n{}\n", plot(results, options.plotFolder));
  if (results.fitupAgrees()) return 0;
  fmt::print("\nFitup's contestants disagree: that is a bug.\n");
  return 1;
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

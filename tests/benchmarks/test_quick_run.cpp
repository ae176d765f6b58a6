#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "scene_list.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

using namespace fitup;

TEST_CASE("a quick run measures every scene, and Fitup's contestants agree", "[benchmarks]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path json = folder.path() / "results.json", markdown = folder.path() / "results.md";
  const test::ProgramResult run = test::runProgram(
      FITUP_BENCH_PROGRAM, {"--quick", "--json", json.string(), "--markdown", markdown.string()});
  INFO(run.text());
  REQUIRE(run.exitCode == 0);

  std::ifstream in(json);
  const nlohmann::json results = nlohmann::json::parse(in);
  CHECK(results.at("format") == "fitup-benchmark");
  CHECK(results.at("version") == 1);
  // Three modes each; on the plant's two, whose steps ask about several pairs, the first of a step as well.
  CHECK(results.at("queries").size() == 3 * bench::sceneNames().size() + 2);
  std::size_t endingSteps = 0;
  for (const auto& table : results.at("queries")) {
    if (table.at("mode") == "first of a step") {
      ++endingSteps;
      CHECK(table.at("questions") == table.at("steps"));
      CHECK(table.at("scene").get<std::string>().starts_with("plant"));
    }
    std::size_t ours = 0;
    for (const auto& row : table.at("rows")) {
      INFO(table.at("scene") << ", " << table.at("mode") << ", " << row.dump());
      if (!row.at("contestant").get<std::string>().starts_with("fitup")) continue;
      ++ours;
      CHECK(row.at("wrongQuestions") == 0);
      CHECK(row.at("ratio").at("median").get<double>() > 0);
    }
    CHECK(ours >= 2);
  }
  CHECK(endingSteps == 2);
  CHECK(std::filesystem::file_size(markdown) > 1000);

  // Without gnuplot the data files are there, and the message says what is missing.
  const std::filesystem::path pictures = folder.path() / "pictures";
  test::RunOptions withoutPrograms;
  withoutPrograms.environment = {{"PATH", "/nowhere"}};
  const test::ProgramResult plotted = test::runProgram(
      FITUP_BENCH_PROGRAM, {"--from", json.string(), "--plot", pictures.string()}, withoutPrograms);
  INFO(plotted.text());
  CHECK(plotted.exitCode == 0);
  CHECK(plotted.out.find("gnuplot is not installed") != std::string::npos);
  for (const bench::SceneName& scene : bench::sceneNames())
    CHECK(std::filesystem::exists(pictures / (scene.name + ".dat")));
}

TEST_CASE("a quick run measures distances, and Fitup's contestants agree", "[benchmarks]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path json = folder.path() / "results.json";
  const test::ProgramResult run =
      test::runProgram(FITUP_BENCH_PROGRAM, {"--quick", "--distance", "--no-builds", "--scene", "plant",
                                             "torus-5k", "grid-0.1", "--json", json.string()});
  INFO(run.text());
  REQUIRE(run.exitCode == 0);
  std::ifstream in(json);
  const nlohmann::json results = nlohmann::json::parse(in);
  CHECK(results.at("queries").size() == 3);
  for (const auto& table : results.at("queries")) {
    CHECK(table.at("mode") == "distance");
    for (const auto& row : table.at("rows")) {
      INFO(row.dump());
      CHECK(row.at("wrongQuestions") == 0);
      CHECK(row.at("largestError").get<double>() <= 1e-6);
    }
  }
}

TEST_CASE("quick runs of other contestants measure them against the first, or the one that is named",
          "[benchmarks]") {
  const auto run = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--quick", "--no-builds", "--no-peers", "--scene", "plant"});
    const test::ProgramResult result = test::runProgram(FITUP_BENCH_PROGRAM, arguments);
    INFO(result.text());
    CHECK(result.exitCode == 0);
    return result.out;
  };
  const std::string rtrees = run({"--rtrees"});
  CHECK(rtrees.find("1x is fitup scd;") != std::string::npos);
  CHECK(rtrees.find("fitup scd, Guttman 16") != std::string::npos);
  const std::string trees = run({"--trees", "--only", "SAT lite"});
  CHECK(trees.find("1x is fitup wide;") != std::string::npos);
  CHECK(trees.find("fitup aabb, SAT lite") != std::string::npos);
  CHECK(trees.find("fitup scd") == std::string::npos);
  CHECK(run({"--reference", "fitup scd, classical"}).find("1x is fitup scd, classical;") !=
        std::string::npos);
}

TEST_CASE("quick runs compare broad phases, and refitting with building", "[benchmarks]") {
  // Both end with an error where answers differ.
  const test::ProgramResult run =
      test::runProgram(FITUP_BENCH_PROGRAM, {"--quick", "--broad-phase", "--refit"});
  INFO(run.text());
  REQUIRE(run.exitCode == 0);
  for (const char* text : {"R-tree / sweep", "build / refit", "1000", "folded through"})
    CHECK(run.out.find(text) != std::string::npos);
}

TEST_CASE("a quick run repeats every paper, and all kinds agree", "[benchmarks]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path markdown = folder.path() / "papers.md";
  // Ends with an error where kinds of hierarchy differ.
  const test::ProgramResult run =
      test::runProgram(FITUP_BENCH_PROGRAM, {"papers", "--quick", "--markdown", markdown.string()});
  INFO(run.text());
  REQUIRE(run.exitCode == 0);
  const std::string text = test::readText(markdown);
  for (const char* title :
       {"## scd", "Table 1: ms a step", "Table 3: the systems", "## solid", "Figure 2", "## obb", "Figure 5",
        "Figure 6", "Table 3: two simulations", "## boxtree", "Figure 10", "## opcode", "Table 6"}) {
    INFO(title);
    CHECK(text.find(title) != std::string::npos);
  }
  CHECK(text.find("nan") == std::string::npos);
  CHECK(test::runProgram(FITUP_BENCH_PROGRAM, {"papers", "nothing"}).exitCode == 2);
}

TEST_CASE("an unknown scene is refused with the known ones", "[benchmarks]") {
  const test::ProgramResult run = test::runProgram(FITUP_BENCH_PROGRAM, {"--scene", "nowhere"});
  CHECK(run.exitCode == 2);
  CHECK(run.err.find("torus-5k") != std::string::npos);
}

TEST_CASE("what cannot be run or kept is refused before anything is measured", "[benchmarks]") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--rounds", "0"},
                                                    {"--scene"},
                                                    {"--json", "no/such/folder/x.json"},
                                                    {"--markdown", "no/such/folder/x.md"}}) {
    const test::ProgramResult run = test::runProgram(FITUP_BENCH_PROGRAM, arguments);
    INFO(arguments.front() << ": " << run.text());
    CHECK(run.exitCode == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find(arguments.back()) != std::string::npos);
  }
}

TEST_CASE("names of contestants that there are not are refused with those that there are", "[benchmarks]") {
  for (const char* option : {"--only", "--reference"}) {
    // Names are arguments of their own: a list with commas is one name, which no contestant contains.
    const test::ProgramResult run = test::runProgram(
        FITUP_BENCH_PROGRAM, {"--quick", "--no-peers", "--scene", "plant", option, "fitup scd,fitup wide"});
    INFO(option << ": " << run.text());
    CHECK(run.exitCode == 2);
    CHECK(run.err.find("fitup scd,fitup wide") != std::string::npos);
    CHECK(run.err.find("fitup scd, classical") != std::string::npos);
  }
}

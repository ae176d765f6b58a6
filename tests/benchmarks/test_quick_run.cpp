#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "scene_list.h"
#include "support/effort.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace test_quick_run {

using namespace fitup;

TEST_CASE("a quick run measures scenes, and Fitup's contestants agree", "[benchmarks]") {
  std::vector<std::string> scenes{"plant",      "plant-fine", "torus-5k",      "grid-0.1",  "plates-touching",
                                  "rods-clear", "pins-in",    "self-in-place", "fans-apex", "small-hits"};
  if (test::effort(false, true)) {
    scenes.clear();
    for (const bench::SceneName& scene : bench::sceneNames()) scenes.push_back(scene.name);
  }
  const test::TemporaryFolder folder;
  const std::filesystem::path json = folder.path() / "results.json", markdown = folder.path() / "results.md";
  std::vector<std::string> arguments{"--quick",    "--json",          json.string(),
                                     "--markdown", markdown.string(), "--scene"};
  arguments.insert(arguments.end(), scenes.begin(), scenes.end());
  const test::ProgramResult run = test::runProgram(FITUP_BENCH_PROGRAM, arguments);
  INFO(run.text());
  REQUIRE(run.exitCode == 0);

  std::ifstream in(json);
  const nlohmann::json results = nlohmann::json::parse(in);
  CHECK(results.at("format") == "fitup-benchmark");
  CHECK(results.at("version") == 1);
  // Three modes each; for the plant's two scenes, whose steps ask about several pairs, also the first of a
  // step.
  CHECK(results.at("queries").size() == 3 * scenes.size() + 2);
  std::size_t endingSteps = 0;
  for (const auto& table : results.at("queries")) {
    if (table.at("mode") == "first of a step") {
      ++endingSteps;
      CHECK(table.at("questions") == table.at("steps"));
      CHECK(table.at("scene").get<std::string>().starts_with("plant"));
    }
    CHECK(table.contains("overAllTriangles") == (table.at("mode") != "triangles"));
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

  // Without gnuplot, the data files exist, and the message names what is missing.
  const std::filesystem::path pictures = folder.path() / "pictures";
  test::RunOptions withoutPrograms;
  withoutPrograms.environment = {{"PATH", "/nowhere"}};
  const test::ProgramResult plotted = test::runProgram(
      FITUP_BENCH_PROGRAM, {"--from", json.string(), "--plot", pictures.string()}, withoutPrograms);
  INFO(plotted.text());
  CHECK(plotted.exitCode == 0);
  CHECK(plotted.out.find("gnuplot is not installed") != std::string::npos);
  for (const std::string& scene : scenes) CHECK(std::filesystem::exists(pictures / (scene + ".dat")));
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

TEST_CASE("quick runs compare broad phases, refitting with building, drags, motions and slides",
          "[benchmarks]") {
  // All end with an error if answers differ.
  const test::ProgramResult run = test::runProgram(
      FITUP_BENCH_PROGRAM,
      {"--quick", "--broad-phase", "--refit", "--drags", "--motions", "--slides", "plant", "--hands", "1"});
  INFO(run.text());
  REQUIRE(run.exitCode == 0);
  for (const char* text :
       {"R-tree / sweep", "build / refit", "1000", "folded through", "plant  ", "fitup certify", "1/1"})
    CHECK(run.out.find(text) != std::string::npos);
}

TEST_CASE("a quick run repeats papers, and all kinds agree", "[benchmarks]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path markdown = folder.path() / "papers.md";
  std::vector<std::string> arguments{"papers", "--quick", "--markdown", markdown.string()};
  std::vector<std::string> titles{"## boxtree", "Figure 10", "## opcode", "Table 6"};
  if (test::effort(false, true))
    titles.insert(titles.end(), {"## scd", "Table 1: ms a step", "Table 3: the systems", "## solid",
                                 "Figure 2", "## obb", "Figure 5", "Figure 6", "Table 3: two simulations"});
  else
    arguments.insert(arguments.end(), {"boxtree", "opcode"});
  // Ends with an error if kinds of hierarchy differ.
  const test::ProgramResult run = test::runProgram(FITUP_BENCH_PROGRAM, arguments);
  INFO(run.text());
  REQUIRE(run.exitCode == 0);
  const std::string text = test::readText(markdown);
  for (const std::string& title : titles) {
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

TEST_CASE("a group of scenes is all of its scenes", "[benchmarks]") {
  const std::vector<std::string> usual = bench::usualSceneNames();
  const std::vector<bench::SceneName> all = bench::sceneNames();
  const std::vector<bench::Scene> hard = bench::makeScenes({"hard"}, bench::SceneSize::quick);
  REQUIRE(usual.size() + hard.size() == all.size());
  for (std::size_t i = 0; i < usual.size(); ++i) CHECK(usual[i] == all[i].name);
  for (std::size_t i = 0; i < hard.size(); ++i) {
    CHECK(hard[i].name == all[usual.size() + i].name);
    CHECK(hard[i].description == all[usual.size() + i].description);
    CHECK(hard[i].steps.size() >= 2);
  }
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

TEST_CASE("files that are read are not written over, and nothing asked for is passed over", "[benchmarks]") {
  const test::TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  // Two boxes that meet, in one file; and one alone.
  const std::string box = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n",
                    faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(path("one.obj")) << "o one\n" << box << faces;
  std::filesystem::create_directory(path("other"));
  const std::string two =
      "o one\n" + box + faces +
      "o two\nv 0.2 0.2 0\nv 1.2 0.2 0\nv 0.2 1.2 0\nv 0.2 0.2 1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
  for (const char* name : {"two.obj", "other/two.obj"}) std::ofstream(path(name)) << two;
  std::ofstream(path("file")) << "no folder";
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "--quick");
    return test::runProgram(FITUP_BENCH_PROGRAM, arguments);
  };
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    const test::ProgramResult result = run(arguments);
    INFO(arguments.front() << ": " << result.text());
    CHECK(result.exitCode == 2);
    CHECK(result.err.find(words) != std::string::npos);
  };
  refused({"--assembly", path("two.obj"), "--json", path("two.obj")}, "two.obj");
  CHECK(test::readText(path("two.obj")) == two);
  refused({"--assembly", path("one.obj"), "--no-peers"}, "nothing to ask");
  refused({"--scene", "plant", "--plot", path("file")}, "--plot");
  refused({"--broad-phase", "--json", path("x.json")}, "--json");
  refused({"--json", path("x.json"), "papers", "obb"}, "--json");
  refused({"--rtrees", "--distance"}, "--rtrees");
  refused({"--slides", path("one.obj")}, "as1-oc-214.stp");
  refused({"--slides", "plant", "--only", "valve"}, "--only");
  refused({"--slides", "plant", "--rounds", "3"}, "--rounds");
  refused({"--hands", "3"}, "--slides");
  refused({"--scene", "plant", "--pass-seconds", "nan"}, "--pass-seconds");

  // Assemblies with one name have separate tables.
  const test::ProgramResult measured =
      run({"--no-peers", "--no-builds", "--assembly", path("two.obj"), path("other/two.obj"), "--json",
           path("two.json"), "--markdown", path("two.md")});
  INFO(measured.text());
  REQUIRE(measured.exitCode == 0);
  const std::string markdown = test::readText(path("two.md"));
  for (const char* title : {"## two.obj\n", "## two.obj (2)\n", "A quick run"}) {
    INFO(title);
    CHECK(markdown.find(title) != std::string::npos);
  }
  CHECK(measured.out.find("coherent") != std::string::npos);  // in the list, in no table
  CHECK(markdown.find("| fitup wide, coherent | |") == std::string::npos);
  refused({"--from", path("two.json"), "--markdown", path("two.json")}, "two.json");
  refused({"--from", path("two.json"), "--scene", "plant"}, "--scene");
}

TEST_CASE("what the reference does not answer is left out, and peers are compared with Fitup",
          "[benchmarks]") {
  const test::ProgramResult coherent =
      test::runProgram(FITUP_BENCH_PROGRAM, {"--quick", "--no-builds", "--no-peers", "--scene", "plant",
                                             "--only", "wide", "--reference", "fitup wide, coherent"});
  INFO(coherent.text());
  CHECK(coherent.exitCode == 0);
  CHECK(coherent.out.find("plant, surfaces: left out, as fitup wide, coherent does not") !=
        std::string::npos);
  CHECK(coherent.out.find("plant, first: ") != std::string::npos);
}

TEST_CASE("peers that are built in find what Fitup finds", "[benchmarks]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path json = folder.path() / "results.json";
  const test::ProgramResult run =
      test::runProgram(FITUP_BENCH_PROGRAM,
                       {"--quick", "--no-builds", "--scene", "plant", "torus-5k", "--json", json.string()});
  INFO(run.text());
  REQUIRE(run.exitCode == 0);
  const nlohmann::json results = nlohmann::json::parse(test::readText(json));
  for (const auto& table : results.at("queries"))
    for (const auto& row : table.at("rows")) {
      INFO(table.at("scene") << ", " << table.at("mode") << ", " << row.dump());
      if (row.contains("leftOut")) continue;
      CHECK(row.at("expected") > 0);
      // Peers that place differently, or in floats, give other answers where triangles touch. Bullet reports
      // contacts of triangles that only come near.
      const bool isBullet = row.at("contestant") == "Bullet GImpact";
      const auto expected = row.at("expected").get<double>();
      CHECK(row.at("missed").get<double>() <= (isBullet ? 0.1 : 0.005) * expected);
      CHECK(row.at("invented").get<double>() <= (isBullet ? 0.5 : 0.005) * expected);
    }
}

TEST_CASE("names of contestants that there are not are refused with those that there are", "[benchmarks]") {
  for (const char* option : {"--only", "--reference"}) {
    // Names are separate arguments: a list with commas is one name, which no contestant contains.
    const test::ProgramResult run = test::runProgram(
        FITUP_BENCH_PROGRAM, {"--quick", "--no-peers", "--scene", "plant", option, "fitup scd,fitup wide"});
    INFO(option << ": " << run.text());
    CHECK(run.exitCode == 2);
    CHECK(run.err.find("fitup scd,fitup wide") != std::string::npos);
    CHECK(run.err.find("fitup scd, classical") != std::string::npos);
  }
}

}  // namespace test_quick_run

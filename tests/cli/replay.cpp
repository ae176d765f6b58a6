#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fitup/base/hash.h>
#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"

namespace replay_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Writes a row of cubes, the first of which moves along x: it hits the second at steps 2 to 4 and the third
/// at step 8.
void writeRowAndTrack(const CommandLine& fitup) {
  fitup.writeRow(3);
  Track track{.name = "slide", .moved = {"row/cube-0"}};
  for (double x : {0.0, 0.5, 1.25, 1.5, 2.5, 8.0, 8.5, 9.0, 4.0}) track.steps.push_back({{{}, {x, 0.25, 0}}});
  track.modelHash = readModelFile(fitup.file("row.fitup")).assembly.contentHash();
  writeTrack(fitup.file("slide.json"), track);
}

}  // namespace

TEST_CASE("a replay says which steps intersect and what meets", "[cli][replay]") {
  const CommandLine fitup;
  writeRowAndTrack(fitup);
  const ProgramResult result = fitup({"replay", "row.fitup", "slide.json"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(result.out.starts_with("4 of 9 steps intersect; "));
  CHECK(contains(result.out, "row/cube-0  x  row/cube-1  at 3 steps: 2-4\n"));
  CHECK(contains(result.out, "row/cube-0  x  row/cube-2  at 1 step: 8\n"));
  CHECK(contains(result.out, "\ncomplete\n"));
  CHECK(result.err.empty());
}

TEST_CASE("a replay without a hit: exit code 0", "[cli][replay]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeTrack(fitup.file("up.csv"),
             {.moved = {"row/cube-1"}, .steps = {{{{}, {0, 0, 1}}}, {{{}, {0, 0, 2}}}}});
  const ProgramResult result = fitup({"replay", "row.fitup", "up.csv"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(result.out.starts_with("0 of 2 steps intersect\n"));
}

TEST_CASE("steps are listed on demand", "[cli][replay]") {
  const CommandLine fitup;
  writeRowAndTrack(fitup);
  const ProgramResult result = fitup({"replay", "row.fitup", "slide.json", "--steps", "--mode", "surfaces"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "\n     2 "));
  CHECK(contains(result.out, "  row/cube-0 x row/cube-1\n"));
  CHECK_FALSE(contains(result.out, "pairs of triangles"));  // witnesses are not counted
  const auto lines = std::count(result.out.begin(), result.out.end(), '\n');
  CHECK(lines == 1 + 9 + 5);
}

TEST_CASE("limits of a replay hold for each step", "[cli][replay]") {
  const CommandLine fitup;
  writeRowAndTrack(fitup);
  const ProgramResult result = fitup({"replay", "row.fitup", "slide.json", "--steps", "--max-pairs", "1"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(result.out.find("4 of 9 steps intersect") != std::string::npos);
  CHECK(contains(result.out, "(truncated)\n"));
  CHECK(contains(result.out, "\ntruncated"));
  CHECK(fitup({"replay", "row.fitup", "slide.json", "--max-pairs", "0"}).exitCode == 3);
}

TEST_CASE("what a replay was cut short of is reported, of its contact map too", "[cli][replay]") {
  const CommandLine fitup;
  writeRowAndTrack(fitup);
  const ProgramResult none = fitup({"replay", "row.fitup", "slide.json", "--time-budget", "0", "--verdict",
                                    "--tolerance", "0.1", "--contact-map", "map.json"});
  INFO(none.text());
  CHECK(none.exitCode == 3);
  // Separated boxes are known at once.
  CHECK(
      none.out.starts_with("0 of 9 steps intersect (5 steps answered in full)\n"
                           "0 of 9 steps clash, 0 have contact, 4 are undecided (5 steps answered in full)\n"));
  CHECK(contains(
      none.out,
      "\nthe contact map, and so the answer, is truncated: a limit was reached, there may be more (5 of 9"));
  CHECK(contains(fitup.text("map.json"), "\"truncated\""));
  // A limit that is enough for each step is enough for the map of all.
  const ProgramResult all =
      fitup({"replay", "row.fitup", "slide.json", "--time-budget", "1000000", "--contact-map", "map.json"});
  INFO(all.text());
  CHECK(contains(fitup.text("map.json"), "\"complete\""));
  CHECK_FALSE(contains(all.out, "answered"));
  CHECK_FALSE(contains(all.out, "truncated"));
}

TEST_CASE("a track of another model needs --force", "[cli][replay]") {
  const CommandLine fitup;
  writeRowAndTrack(fitup);
  fitup.writeRow(4);
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "slide.json"}),
                         {"slide.json: ", "another model", "--force"}) == "");
  const ProgramResult forced = fitup({"replay", "row.fitup", "slide.json", "--force"});
  INFO(forced.text());
  CHECK(forced.exitCode == 1);
  CHECK(contains(forced.out, "of 9 steps intersect"));
}

TEST_CASE("a track that does not fit is explained", "[cli][replay]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeTrack(fitup.file("path.json"), {.name = "lost", .moved = {"row/cube-7"}, .steps = {{{}}}});
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "path.json"}),
                         {"path.json: ", "'row/cube-7'", "row/cube-0"}) == "");
  writeTrack(fitup.file("unit.json"), {.unit = "m", .moved = {"row/cube-0"}, .steps = {{{}}}});
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "unit.json"}),
                         {"unit.json: ", "unit", "'m'", "'mm'"}) == "");
  writeTrack(fitup.file("twice.json"), {.moved = {"row/cube-0", "row"}, .steps = {{{}, {}}}});
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "twice.json"}), {"twice.json: ", "'row'"}) == "");
  CHECK(problemOfFailure(fitup({"first-contact", "row.fitup", "unit.json"}), {"unit.json: ", "'m'"}) == "");
  // A track without steps has no findings.
  writeTrack(fitup.file("empty.json"), {.moved = {"row/cube-0"}});
  writeTrack(fitup.file("empty.csv"), {.moved = {"row/cube-0"}});
  for (const std::string command : {"replay", "first-contact"})
    for (const std::string file : {"empty.json", "empty.csv"})
      CHECK(problemOfFailure(fitup({command, "row.fitup", file}), {file + ": steps: there are none"}) == "");
  writeText(fitup.file("bad.json"), "{\"format\": \"fitup-track\", \"version\": 1, \"unit\": \"mm\"}");
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "bad.json"}), {"bad.json", "moved"}) == "");
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "none.json"}), {"none.json", "No such file"}) == "");
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "row.fitup"}), {"row.fitup"}) == "");
}

TEST_CASE("the plant's settings are compared beside the paper's figures", "[cli][replay][plant]") {
  const CommandLine fitup;
  fitup.writePlant();
  const ProgramResult result = fitup({"replay", "plant.fitup", "plant.track.json", "--compare-settings",
                                      "--rounds", "1", "--paper", "--max-pairs", "1000000"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(result.out.starts_with("233 of 233 steps intersect; "));
  for (const char* piece :
       {"medians of 1 round\n", "overlap box", "no filter", "classical", "first surface, per step\n",
        "first surface, per pair of parts\n", "all surfaces\n", "all triangles\n", "paper 1.26 / 2.06",
        "paper 21836 / 30663", "gain: no filter against overlap box"})
    CHECK(contains(result.out, piece));
  // Without --paper its figures are missing; limits do not make the table one of truncated answers.
  const ProgramResult plain = fitup({"replay", "plant.fitup", "plant.track.json", "--compare-settings",
                                     "--rounds", "1", "--max-pairs", "1", "--mode", "first"});
  INFO(plain.text());
  CHECK_FALSE(contains(plain.out, "paper"));
  CHECK(contains(plain.out, "gain: no filter against overlap box"));
}

TEST_CASE("a replay finds the least clearance between the steps", "[cli][replay][clearance]") {
  const CommandLine fitup;
  fitup.writeRow(3);  // unit cubes, 1 apart
  // Past the row at a distance of 0.25, from beyond one end to beyond the other.
  writeTrack(fitup.file("pass.json"),
             {.moved = {"row/cube-0"}, .steps = {{{{}, {-20, 1.25, 0}}}, {{{}, {20, 1.25, 0}}}}});
  const ProgramResult result = fitup({"replay", "row.fitup", "pass.json", "--clearance",
                                      "--resolution", "0.001", "--report", "r.json"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "0 of 2 steps intersect\n"));
  CHECK(contains(result.out,
                 "\nleast clearance along the motion, including between steps:\n  0.25 mm (at least 0.2"));
  CHECK(contains(result.out, "\n    row/cube-0 face "));
  const auto json = nlohmann::json::parse(fitup.text("r.json"))["motionClearance"];
  CHECK(json["status"] == "complete");
  CHECK(json["range"].is_null());
  REQUIRE(json["parts"].size() == 1);
  const auto& part = json["parts"][0];
  CHECK(part["a"] == "row/cube-0");
  CHECK(part["distance"].get<double>() == Approx(0.25).epsilon(1e-6));
  CHECK(part["atLeast"].get<double>() >= 0.249);
  CHECK(part["atLeast"].get<double>() <= 0.25);
  CHECK(part["time"].get<double>() == Approx(0.575).margin(0.06));
  CHECK(part["pointB"][1].get<double>() == Approx(0.5));

  const ProgramResult near = fitup({"replay", "row.fitup", "pass.json", "--clearance", "0.2"});
  CHECK(near.exitCode == 0);
  CHECK(contains(near.out, "\nnothing comes nearer than 0.2 mm\n"));
  // Through the row: what the steps miss is found between them.
  writeTrack(fitup.file("through.json"),
             {.moved = {"row/cube-0"}, .steps = {{{{}, {-20, 0, 0}}}, {{{}, {20, 0, 0}}}}});
  CHECK(fitup({"replay", "row.fitup", "through.json"}).exitCode == 0);
  const ProgramResult through = fitup({"replay", "row.fitup", "through.json", "--clearance"});
  INFO(through.text());
  CHECK(through.exitCode == 1);
  CHECK(contains(through.out, ": they intersect\n"));
  CHECK(fitup({"replay", "row.fitup", "pass.json", "--clearance", "--time-budget", "0"}).exitCode == 3);
  CHECK(fitup({"replay", "row.fitup", "pass.json", "--clearance", "-1"}).exitCode == 2);
  CHECK(fitup({"replay", "row.fitup", "pass.json", "--clearance", "x"}).exitCode == 2);
  CHECK(fitup({"replay", "row.fitup", "pass.json", "--resolution", "1"}).exitCode == 2);
}

}  // namespace replay_tests

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include <fitup/io/track_file.h>

#include "support/command_line.h"

using namespace fitup;
using namespace fitup::test;
using Json = nlohmann::json;

namespace {

std::size_t surfacePairs(const Json& pairs) {
  std::size_t count = 0;
  for (const Json& pair : pairs) count += pair["surfacePairs"].size();
  return count;
}

std::size_t trianglePairs(const Json& pairs) {
  std::size_t count = 0;
  for (const Json& pair : pairs)
    for (const Json& surfaces : pair["surfacePairs"]) count += surfaces["triangles"].size();
  return count;
}

/// Rows of a report that are neither comments nor the columns' names.
std::size_t rowsOf(const std::string& csv) {
  std::istringstream lines(csv);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    count += !line.starts_with('#') && !line.starts_with("step,");
  return count;
}

std::string line(std::size_t surfaces, std::size_t triangles) {
  return std::to_string(surfaces) + " pairs of surfaces, " + std::to_string(triangles) +
         " pairs of triangles";
}

}  // namespace

TEST_CASE("reports of a check say what the screen says", "[cli][report]") {
  const CommandLine fitup;
  fitup.writePlant();
  // Before and after the model: the option takes one file.
  const ProgramResult result = fitup({"check", "--report", "out.json", "plant.fitup", "--report", "out.csv"});
  INFO(result.text());
  REQUIRE(result.exitCode == 1);
  CHECK(contains(result.out, "report: out.json\nreport: out.csv\n"));

  const Json json = Json::parse(fitup.text("out.json"));
  CHECK(json["format"] == "fitup-report");
  CHECK(json["kind"] == "check");
  CHECK(json["status"] == "complete");
  CHECK(json["intersects"] == true);
  CHECK(json["model"]["file"] == "plant.fitup");
  CHECK(json["model"]["unit"] == "mm");
  CHECK(json["request"]["mode"] == "triangles");
  CHECK(json["consideredPairs"] == 28);
  CHECK(contains(result.out, "2 pairs of instances intersect: " +
                                 line(surfacePairs(json["pairs"]), trianglePairs(json["pairs"]))));
  for (const Json& pair : json["pairs"])
    CHECK(contains(result.out,
                   "  " + pair["a"].get<std::string>() + "  x  " + pair["b"].get<std::string>() + ": " +
                       line(pair["surfacePairs"].size(), trianglePairs(Json::array({pair}))) + "\n"));

  const std::string csv = fitup.text("out.csv");
  CHECK(contains(csv, "# status,complete\n"));
  CHECK(rowsOf(csv) == trianglePairs(json["pairs"]));
}

TEST_CASE("reports of a replay say what the screen says", "[cli][report]") {
  const CommandLine fitup;
  fitup.writePlant();
  const ProgramResult result =
      fitup({"replay", "plant.fitup", "plant.track.json", "--report", "out.json", "--report", "out.csv"});
  INFO(result.text());
  REQUIRE(result.exitCode == 1);
  const Json json = Json::parse(fitup.text("out.json"));
  CHECK(json["kind"] == "replay");
  CHECK(json["track"] == "plant.track.json");
  REQUIRE(json["steps"].size() == 233);
  std::size_t hits = 0, surfaces = 0, triangles = 0;
  for (const Json& step : json["steps"]) {
    hits += step["intersects"].get<bool>();
    surfaces += surfacePairs(step["pairs"]);
    triangles += trianglePairs(step["pairs"]);
  }
  CHECK(result.out.starts_with(std::to_string(hits) + " of 233 steps intersect; over all steps " +
                               line(surfaces, triangles) + "\n"));
  CHECK(rowsOf(fitup.text("out.csv")) == triangles);
}

TEST_CASE("a report tells of limits and rules", "[cli][report]") {
  const CommandLine fitup;
  fitup.writePlant();
  writeText(
      fitup.file("rules.json"),
      R"({"format": "fitup-rules", "version": 1, "ignore": [{"a": "*pump", "b": "*spool", "reason": "mated"}]})");
  const ProgramResult result =
      fitup({"check", "plant.fitup", "--max-pairs", "3", "--rules", "rules.json", "--report", "out.json"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  const Json json = Json::parse(fitup.text("out.json"));
  CHECK(json["status"] == "truncated");
  CHECK(json["request"]["maxPairs"] == 3);
  CHECK(json["request"]["ignore"][0]["reason"] == "mated");
  CHECK(json["excludedPairs"] == 1);
  REQUIRE(json["pairs"].size() == 1);
  CHECK(json["pairs"][0]["a"] == "process-plant/piping/suction-line");
  CHECK(trianglePairs(json["pairs"]) == 3);
}

TEST_CASE("a report of nothing is a report", "[cli][report]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const ProgramResult result = fitup({"check", "row.fitup", "--report", "out.json", "--report", "out.csv"});
  CHECK(result.exitCode == 0);
  const Json json = Json::parse(fitup.text("out.json"));
  CHECK(json["intersects"] == false);
  CHECK(json["pairs"].empty());
  CHECK(rowsOf(fitup.text("out.csv")) == 0);
}

TEST_CASE("a report that cannot be written is an error", "[cli][report]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  std::filesystem::create_directory(fitup.file("folder.json"));
  // The extension is looked at before the check runs, so that no answer is lost.
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", "out.xml"}),
                         {"out.xml", ".json or .csv"}) == "");
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", "out"}), {"out", ".json or .csv"}) == "");
  for (const char* target : {"no/folder/out.json", "folder.json"}) {
    const ProgramResult result = fitup({"check", "row.fitup", "--report", target});
    INFO(result.text());
    CHECK(result.exitCode == 2);
    CHECK(contains(result.err, target));
    CHECK(contains(result.out, "no interference found"));  // the answer is on the screen all the same
  }
  CHECK(fitup.folder().entryCount() == 2);  // nothing half written is left
}

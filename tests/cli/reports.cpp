#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include <fitup/io/track_file.h>

#include "support/command_line.h"
#include "support/json_schema.h"

namespace reports_tests {

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

/// Returns the number of rows of a report, without comments and column names.
std::size_t rowsOf(const std::string& csv) {
  std::istringstream lines(csv);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    count += !line.starts_with('#') && !line.starts_with("step,");
  return count;
}

std::string line(std::size_t surfaces, std::size_t triangles) {
  return std::to_string(surfaces) + " pairs of faces, " + std::to_string(triangles) + " pairs of triangles";
}

}  // namespace

TEST_CASE("a line end in the name of a file makes no row of a CSV report", "[cli][report]") {
  const CommandLine fitup;
  fitup.writeRow(2, "two\nlines\r.fitup");
  REQUIRE(fitup({"check", "two\nlines\r.fitup", "--report", "out.csv"}).exitCode == 0);
  CHECK(rowsOf(fitup.text("out.csv")) == 0);
  CHECK(contains(fitup.text("out.csv"), "\n# model,two lines .fitup\n"));
}

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
  CHECK(contains(result.out, "2 pairs of parts intersect: " +
                                 line(surfacePairs(json["pairs"]), trianglePairs(json["pairs"]))));
  for (const Json& pair : json["pairs"])
    CHECK(contains(result.out,
                   "  " + pair["a"].get<std::string>() + "  x  " + pair["b"].get<std::string>() + ": " +
                       line(pair["surfacePairs"].size(), trianglePairs(Json::array({pair}))) + "\n"));

  const std::string csv = fitup.text("out.csv");
  CHECK(contains(csv, "# status,complete\n"));
  CHECK(rowsOf(csv) == trianglePairs(json["pairs"]));
}

namespace {

/// The data of a report page.
Json pageData(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

/// The number in a comment line of a CSV report; 0 if there is no such line.
std::size_t countIn(const std::string& csv, const std::string& name) {
  const std::string begin = "\n# " + name + ",";
  const std::size_t at = csv.find(begin);
  return at == std::string::npos ? 0 : std::stoul(csv.substr(at + begin.size()));
}

}  // namespace

TEST_CASE("the console and every report state the same numbers for the same things", "[cli][report]") {
  const CommandLine fitup;
  fitup.writeRow(8);
  writeText(fitup.file("rules.json"), R"({"format":"fitup-rules","version":2,"rules":[
      {"a":"*-7","b":"*-6","action":"clearance","distance":1.5}]})");
  std::vector<std::string> arguments{"check", "row.fitup", "--rules", "rules.json", "--list", "100"};
  // A clash of 0 and 1, contact of 2 and 3, copies 4 and 5; 6 and 7 are too near.
  for (const char* move : {"0=1.3,0,0", "2=1,0,0", "4=2,0,0"})
    arguments.insert(arguments.end(), {"--move", "row/cube-" + std::string(move)});
  for (const bool verdicts : {true, false}) {
    std::vector<std::string> asked = arguments;
    if (verdicts) asked.insert(asked.end(), {"--tolerance", "0.1"});
    for (const char* file : {"out.json", "out.csv", "out.html"})
      asked.insert(asked.end(), {"--report", file});
    const ProgramResult result = fitup(asked);
    INFO(result.text());
    REQUIRE(result.exitCode == 1);
    const Json json = Json::parse(fitup.text("out.json")), counts = json["counts"];
    std::map<std::string, std::size_t> listed;
    for (const char* name :
         {"pairsOfParts", "pairsOfFaces", "copySets", "clashes", "undecided", "contacts", "clear", "tooNear"})
      listed[name] = 0;
    for (const Json& pair : json["pairs"]) {
      listed["pairsOfParts"] += !pair["surfacePairs"].empty();
      listed["pairsOfFaces"] += pair["surfacePairs"].size();
      listed["copySets"] += pair.contains("copies");
      listed["tooNear"] += pair.contains("tooNear");
      for (const auto& [verdict, name] : {std::pair{"clash", "clashes"},
                                          {"contact", "contacts"},
                                          {"undecided", "undecided"},
                                          {"clear", "clear"}})
        listed[name] += pair.value("verdict", "") == verdict;
    }
    CHECK(Json(listed) == counts);
    CHECK(counts["copySets"] == (verdicts ? 1 : 0));
    CHECK(counts["clashes"] == (verdicts ? 2 : 0));
    CHECK(counts["contacts"] == (verdicts ? 1 : 0));
    CHECK(counts["tooNear"] == 1);
    CHECK(counts["pairsOfParts"] == (verdicts ? 2 : 3));

    const auto said = [&](const char* name) { return std::to_string(counts[name].get<std::size_t>()); };
    CHECK(contains(result.out, said("pairsOfParts") + " pairs of parts intersect: " + said("pairsOfFaces") +
                                   " pairs of faces, "));
    CHECK(contains(result.out, said("tooNear") + " pair of parts nearer than rules allow\n"));
    if (verdicts)
      CHECK(result.out.starts_with(said("clashes") + " clashes, " + said("contacts") + " contact;"));

    const std::string csv = fitup.text("out.csv");
    for (const auto& [name, member] : {std::pair{"pairs of parts", "pairsOfParts"},
                                       {"pairs of faces", "pairsOfFaces"},
                                       {"sets of copies", "copySets"},
                                       {"clashes", "clashes"},
                                       {"contacts", "contacts"},
                                       {"too near", "tooNear"}})
      CHECK(countIn(csv, name) == counts[member].get<std::size_t>());

    const Json page = pageData(fitup.text("out.html"));
    CHECK(page["head"]["counts"] == counts);
    const auto factOf = [&](const char* name) {
      std::vector<std::string> texts;
      for (const Json& fact : page["head"]["facts"])
        if (fact[0] == name) texts.push_back(fact[1]);
      return texts;
    };
    CHECK(factOf("Tolerance") ==
          (verdicts ? std::vector<std::string>{"0.1 mm"} : std::vector<std::string>{}));
    CHECK(factOf("Moved") ==
          std::vector<std::string>{"row/cube-0: 1.3 mm", "row/cube-2: 1 mm", "row/cube-4: 2 mm"});
    // Written from the report that was read, which has all of them.
    REQUIRE(fitup({"diff", "out.json", "out.json", "--carry-over", "again.json"}).exitCode == 0);
    CHECK(Json::parse(fitup.text("again.json"))["counts"] == counts);
  }
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

TEST_CASE("a report names limits and rules", "[cli][report]") {
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
  CHECK(json["request"]["rules"][0]["reason"] == "mated");
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
  // The extension is checked before the check runs, so that no answer is lost.
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", "out.xml"}),
                         {"out.xml", ".json, .csv or .html"}) == "");
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", "out"}), {"out", ".json, .csv or .html"}) ==
        "");
  // So is the folder.
  for (const char* target : {"no/folder/out.json", "folder.json"})
    CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", target}), {"--report", target}) == "");
  CHECK(fitup.folder().entryCount() == 2);  // no partial file remains
}

TEST_CASE("JSON reports are valid against their schema", "[cli][report][schema]") {
  const CommandLine fitup;
  if (!canValidateJson()) {
    WARN("skipped: python3-jsonschema is not installed");
    return;
  }
  fitup.writePlant();
  writeText(fitup.file("rules.json"),
            R"({"format": "fitup-rules", "version": 2,
                "rules": [{"a": "*pump", "b": "*spool", "action": "allowContact"},
                          {"a": "*tank", "b": "*", "action": "clearance", "distance": 1}],
                "check": {"a": "process-plant/piping", "b": "*"}})");
  REQUIRE(fitup({"check", "plant.fitup", "--report", "check.json"}).exitCode == 1);
  REQUIRE(fitup({"check", "plant.fitup", "--rules", "rules.json", "--max-pairs", "3", "--report", "cut.json"})
              .exitCode == 1);
  REQUIRE(fitup({"replay", "plant.fitup", "plant.track.json", "--mode", "surfaces", "--clearance", "10",
                 "--resolution", "20", "--report", "replay.json"})
              .exitCode == 1);
  const ProgramResult diff =
      fitup({"diff", "check.json", "cut.json", "--report", "diff.json", "--carry-over", "carried.json"});
  INFO(diff.text());
  REQUIRE(diff.exitCode == 3);
  // Whole parts that were near each other and were not asked for again.
  fitup.writeRow(2);
  writeText(fitup.file("near.rules"),
            R"({"format": "fitup-rules", "version": 2,
                "rules": [{"a": "row", "b": "*", "action": "clearance", "distance": 1.5}]})");
  REQUIRE(fitup({"check", "row.fitup", "--rules", "near.rules", "--report", "near.json"}).exitCode == 1);
  REQUIRE(fitup({"check", "row.fitup", "--report", "row.json"}).exitCode == 0);
  REQUIRE(fitup({"diff", "near.json", "row.json", "--report", "parts.json", "--carry-over", "kept.json"})
              .exitCode == 3);
  for (const auto& [file, list] : {std::pair{"parts.json", "pairs"}, {"kept.json", "carried"}})
    CHECK(Json::parse(fitup.text(file))[list][0]["surfacePairs"][0]["a"]["ordinal"].is_null());
  writeText(fitup.file("broken.json"), R"({"format": "fitup-report", "version": 2})");
  for (const char* report : {"check.json", "cut.json", "replay.json", "diff.json", "carried.json",
                             "near.json", "parts.json", "kept.json"})
    CHECK(problemBySchema("report.schema.json", fitup.file(report)) == "");
  CHECK(problemBySchema("report.schema.json", fitup.file("broken.json")) != "");
}

TEST_CASE("two reports are compared", "[cli][report][diff]") {
  const CommandLine fitup;
  fitup.writePlant();
  REQUIRE(fitup({"check", "plant.fitup", "--report", "monday.json"}).exitCode == 1);
  // The same again: nothing is new, and the users' reviews are carried over.
  REQUIRE(fitup({"check", "plant.fitup", "--threads", "2", "--report", "tuesday.json"}).exitCode == 1);
  Json monday = Json::parse(fitup.text("monday.json"));
  monday["pairs"][0]["surfacePairs"][1]["review"] = {{"status", "approved"}, {"comment", "seated"}};
  writeText(fitup.file("monday.json"), monday.dump());
  ProgramResult result = fitup({"diff", "monday.json", "tuesday.json", "--carry-over", "tuesday.json"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "0 new, 0 gone, 8 unchanged, 0 not checked again\n"));
  CHECK(!contains(result.out, "moved differently"));
  const Json tuesday = Json::parse(fitup.text("tuesday.json"));
  CHECK(tuesday["pairs"][0]["surfacePairs"][1]["review"]["comment"] == "seated");
  CHECK(tuesday["pairs"][0]["surfacePairs"][1]["review"]["status"] == "approved");
  CHECK(tuesday["pairs"][0]["surfacePairs"][0]["review"]["status"] == "active");

  // The spool 1 mm towards the pump: it leaves the suction line.
  REQUIRE(
      fitup({"check", "plant.fitup", "--move", "process-plant/piping/spool=1,0,0", "--report", "moved.json"})
          .exitCode == 1);
  result = fitup({"diff", "tuesday.json", "moved.json", "--report", "d.json", "--report", "d.html",
                  "--report", "d.csv"});
  INFO(result.text());
  const Json diff = Json::parse(fitup.text("d.json"));
  CHECK(diff["kind"] == "diff");
  CHECK(diff["old"] == "tuesday.json");
  CHECK(diff["placedOtherwise"] == Json::array({"process-plant/piping/spool"}));
  CHECK(contains(result.out, "moved differently in the two reports"));
  std::map<std::string, std::size_t> counts;
  for (const Json& pair : diff["pairs"])
    for (const Json& finding : pair["surfacePairs"]) ++counts[finding["change"].get<std::string>()];
  CHECK(contains(result.out, std::to_string(counts["new"]) + " new, " + std::to_string(counts["gone"]) +
                                 " gone, " + std::to_string(counts["unchanged"]) + " unchanged, 0 not"));
  CHECK(counts["gone"] > 0);
  CHECK(counts["gone"] + counts["unchanged"] == 8);
  CHECK(result.exitCode == (counts["new"] > 0 ? 1 : 0));
  CHECK(contains(fitup.text("d.html"), "made from other reports"));
  CHECK(contains(fitup.text("d.csv"), "# old,tuesday.json\n"));
  CHECK(contains(fitup.text("d.csv"), "# moved differently,process-plant/piping/spool\n"));

  // A rule leaves one pair out: nothing is new, but not everything was checked again.
  writeText(fitup.file("rules.json"),
            R"({"format": "fitup-rules", "version": 2,
                "rules": [{"a": "*pump", "b": "*spool", "action": "ignore", "reason": "mated"}]})");
  REQUIRE(fitup({"check", "plant.fitup", "--rules", "rules.json", "--report", "part.json"}).exitCode == 1);
  result = fitup({"diff", "tuesday.json", "part.json"});
  CHECK(result.exitCode == 3);
  CHECK(contains(result.out, "0 new, 0 gone, 4 unchanged, 4 not checked again\n"));
  CHECK(contains(result.out, "left out by rule 0 (mated)"));
  CHECK(contains(result.out, "\"seated\""));

  CHECK(problemOfFailure(fitup({"diff", "tuesday.json", "rules.json"}), {"rules.json", "fitup-report"}) ==
        "");
  CHECK(problemOfFailure(fitup({"diff", "tuesday.json", "part.json", "--report", "x.pdf"}), {"x.pdf"}) == "");
  CHECK(problemOfFailure(fitup({"diff", "none.json", "part.json"}), {"none.json"}) == "");
}

TEST_CASE("what a replay was asked is distinguished from what it looked at", "[cli][report][diff]") {
  const CommandLine fitup;
  fitup.writePlant();
  // A replay that ends each step at its first pair looks for one pair of faces.
  REQUIRE(fitup({"replay", "plant.fitup", "plant.track.json", "--first-of-step", "--report", "first.json"})
              .exitCode == 1);
  CHECK(Json::parse(fitup.text("first.json"))["request"]["mode"] == "first");
  // A finding beyond the end of another motion is not gone.
  REQUIRE(fitup({"replay", "plant.fitup", "plant.track.json", "--mode", "surfaces", "--report", "long.json"})
              .exitCode == 1);
  Track track = readTrack(fitup.file("plant.track.json"));
  track.steps.resize(1);
  writeTrack(fitup.file("short.json"), track);
  const int exitCode =
      fitup({"replay", "plant.fitup", "short.json", "--mode", "surfaces", "--report", "short.rep.json"})
          .exitCode;
  REQUIRE(exitCode < 2);
  const ProgramResult result = fitup({"diff", "long.json", "short.rep.json"});
  INFO(result.text());
  CHECK(contains(result.out, " 0 gone, "));
  CHECK(contains(result.out, "the motion ended before step "));
  CHECK(contains(result.out, "moved differently"));
  CHECK(result.exitCode == 3);
  // A finding that the old report did not look for is not new.
  const ProgramResult finer = fitup({"diff", "first.json", "long.json"});
  INFO(finer.text());
  CHECK(contains(finer.out, " of the unchanged findings may be new"));
}

TEST_CASE("sets of a rules file restrict a check", "[cli][report]") {
  const CommandLine fitup;
  fitup.writePlant();
  writeText(fitup.file("rules.json"),
            R"({"format": "fitup-rules", "version": 2, "rules": [],
                "check": {"a": "process-plant/equipment", "b": ["process-plant/piping"]}})");
  const ProgramResult result = fitup(
      {"check", "plant.fitup", "--rules", "rules.json", "--report", "out.json", "--report", "out.html"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "1 pair of parts intersects"));
  CHECK(contains(result.out, "outside the sets to check"));
  const Json json = Json::parse(fitup.text("out.json"));
  CHECK(json["consideredPairs"] == 9);  // 3 of equipment against 3 of piping
  CHECK(json["unselectedPairs"] > 0);
  CHECK(json["pairs"].size() == 1);
  CHECK(contains(fitup.text("out.html"), "<title>Fitup report</title>"));
}

}  // namespace reports_tests

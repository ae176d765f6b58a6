#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/json_schema.h"

namespace certify_cli_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("a motion is certified, and its certificate fits the schema", "[cli][certify]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  fitup.writeSlide("0", "30");
  const ProgramResult free =
      fitup({"certify", "row.fitup", "slide.csv", "--clearance", "0.5", "--certificate", "free.json"});
  INFO(free.text());
  CHECK(free.exitCode == 0);
  CHECK(contains(free.out, "certain: nothing is nearer than 0.5 mm from step 0 to step 1 of 1\n"));
  CHECK(contains(free.out, "\ncomplete\n"));
  const auto json = nlohmann::json::parse(fitup.text("free.json"));
  CHECK(json["answer"] == "certain");
  CHECK(json["pairs"].size() == 2);
  CHECK(json["pairs"][0]["a"] == "row/cube-0");

  // The cubes are 1 apart.
  fitup.writeSlide("20", "0");
  const ProgramResult hit = fitup({"certify", "row.fitup", "slide.csv", "--certificate", "hit.json"});
  INFO(hit.text());
  CHECK(hit.exitCode == 1);
  CHECK(contains(hit.out, "in contact at step 0.0499"));
  CHECK(contains(hit.out, "certain so far: nothing is in contact from step 0 to step 0.0499"));
  CHECK(nlohmann::json::parse(fitup.text("hit.json"))["violation"]["event"] == "contact");

  // What rules exclude is said.
  const ProgramResult ignored =
      fitup({"certify", "row.fitup", "slide.csv", "--rule",
             R"({"a": "*/cube-0", "b": "*/cube-1", "action": "ignore"})", "--certificate", "ignored.json"});
  INFO(ignored.text());
  CHECK(contains(ignored.out, "1 pair of parts excluded by rules: nothing is certain of them\n"));
  const ProgramResult ended =
      fitup({"certify", "row.fitup", "slide.csv", "--time-budget", "0", "--certificate", "ended.json"});
  CHECK(ended.exitCode == 3);
  CHECK(nlohmann::json::parse(fitup.text("ended.json"))["answer"] == "undecided");
  if (!canValidateJson()) {
    WARN("skipped: python3-jsonschema is not installed");
    return;
  }
  for (const char* file : {"free.json", "hit.json", "ignored.json", "ended.json"})
    CHECK(problemBySchema("certificate.schema.json", fitup.file(file)) == "");
  writeText(fitup.file("broken.json"), R"({"format": "fitup-certificate", "version": 1})");
  CHECK(problemBySchema("certificate.schema.json", fitup.file("broken.json")) != "");
}

TEST_CASE("a motion that cannot be certified is refused with the file that is wrong", "[cli][certify]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  fitup.writeSlide("0", "3");
  CHECK(problemOfFailure(fitup({"certify", "row.fitup", "none.csv"}), {"none.csv"}) == "");
  CHECK(problemOfFailure(fitup({"certify", "row.fitup", "slide.csv", "--certificate", "c.txt"}), {"c.txt"}) ==
        "");
  CHECK(problemOfFailure(fitup({"certify", "row.fitup", "slide.csv", "--certificate", "slide.csv"}),
                         {"slide.csv"}) == "");
  CHECK(fitup({"certify", "row.fitup", "slide.csv", "--clearance", "-1"}).exitCode == 2);
}

TEST_CASE("a certificate is confirmed, and one that was tampered with is refused", "[cli][certify]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  fitup.writeSlide("0.3", "30");
  REQUIRE(fitup({"certify", "row.fitup", "slide.csv", "--certificate", "c.json"}).exitCode == 0);
  const ProgramResult confirmed =
      fitup({"verify-certificate", "row.fitup", "c.json", "--track", "slide.csv"});
  INFO(confirmed.text());
  CHECK(confirmed.exitCode == 0);
  CHECK(contains(confirmed.out, " confirmed, in 2 pairs of parts"));

  const auto right = nlohmann::json::parse(fitup.text("c.json"));
  const auto tampered = [&](const auto& change) {
    auto json = right;
    change(json);
    writeText(fitup.file("wrong.json"), json.dump());
    return fitup({"verify-certificate", "row.fitup", "wrong.json"});
  };
  using Json = nlohmann::json;
  for (const ProgramResult& wrong :
       {tampered([](Json& json) { json["pairs"].erase(0); }),
        tampered([](Json& json) { json["pairs"][0]["intervals"].erase(0); }),
        tampered([](Json& json) { json["pairs"][0]["intervals"][0][2] = 1.01; }),
        tampered([](Json& json) { json["clearance"] = 0.9; }), tampered([](Json& json) {
          json["track"]["steps"][1][0]["translation"] = {20.0, 0.0, 0.0};
        }),
        tampered([](Json& json) { json["modelHash"] = "0123456789abcdef"; }),
        tampered([](Json& json) { json["certainUntil"] = 2; })}) {
    INFO(wrong.text());
    CHECK(wrong.exitCode == 1);
  }
  // What is excluded is said, and compared with rules where they are given.
  const auto excludes = [](Json& json) {
    json["pairs"].erase(0);
    json["excluded"] = Json::array({Json::array({"row/cube-0", "row/cube-1"})});
  };
  const ProgramResult excluded = tampered(excludes);
  CHECK(excluded.exitCode == 0);
  CHECK(contains(excluded.out, "1 pair of parts excluded by rules: nothing is claimed of them"));
  // If all is excluded, nothing is claimed.
  const ProgramResult nothing = tampered([](Json& json) {
    json["pairs"] = Json::array();
    json["excluded"] =
        Json::array({Json::array({"row/cube-0", "row/cube-1"}), Json::array({"row/cube-0", "row/cube-2"})});
  });
  INFO(nothing.text());
  CHECK(nothing.exitCode == 3);
  CHECK(contains(nothing.out, "nothing is claimed of any pair of parts"));
  tampered(excludes);
  const ProgramResult notByRules = fitup({"verify-certificate", "row.fitup", "wrong.json", "--rule",
                                          R"({"a": "*cube-2", "b": "*cube-1", "action": "ignore"})"});
  INFO(notByRules.text());
  CHECK(notByRules.exitCode == 1);
  // A part of the motion is not the whole of it.
  const ProgramResult part = tampered([](Json& json) { json["certainUntil"] = 0.5; });
  INFO(part.text());
  CHECK(part.exitCode == 3);
  CHECK(contains(part.out, "incomplete: the certificate claims nothing after step 0.5"));
  fitup.writeSlide("0.3", "29");
  CHECK(fitup({"verify-certificate", "row.fitup", "c.json", "--track", "slide.csv"}).exitCode == 1);
  CHECK(problemOfFailure(fitup({"verify-certificate", "row.fitup", "none.json"}), {"none.json"}) == "");
}

TEST_CASE("a replay certifies the motion between its steps on demand", "[cli][certify][replay]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  fitup.writeSlide("20", "0");
  CHECK(fitup({"replay", "row.fitup", "slide.csv", "--tolerance", "0.1"}).exitCode == 0);
  const ProgramResult through =
      fitup({"replay", "row.fitup", "slide.csv", "--tolerance", "0.1", "--between-steps"});
  INFO(through.text());
  CHECK(through.exitCode == 1);
  CHECK(contains(through.out, "between the steps too:\nin contact at step 0.0499"));
  CHECK(fitup({"replay", "row.fitup", "slide.csv", "--between-steps"}).exitCode == 2);
}

}  // namespace certify_cli_tests

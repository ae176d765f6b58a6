#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/json_schema.h"

namespace certify_cli_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Moves cube-0 by (x, y) in one step.
void writeSlide(const CommandLine& fitup, const std::string& x, const std::string& y) {
  writeText(fitup.file("slide.csv"),
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,0,0,0,0,0,0,1\n1,row/cube-0," + x + "," + y +
                ",0,0,0,0,1\n");
}

}  // namespace

TEST_CASE("a motion is certified, and its certificate fits the schema", "[cli][certify]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeSlide(fitup, "0", "30");
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
  writeSlide(fitup, "20", "0");
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
  writeSlide(fitup, "0", "3");
  CHECK(problemOfFailure(fitup({"certify", "row.fitup", "none.csv"}), {"none.csv"}) == "");
  CHECK(problemOfFailure(fitup({"certify", "row.fitup", "slide.csv", "--certificate", "c.txt"}), {"c.txt"}) ==
        "");
  CHECK(problemOfFailure(fitup({"certify", "row.fitup", "slide.csv", "--certificate", "slide.csv"}),
                         {"slide.csv"}) == "");
  CHECK(fitup({"certify", "row.fitup", "slide.csv", "--clearance", "-1"}).exitCode == 2);
}

}  // namespace certify_cli_tests

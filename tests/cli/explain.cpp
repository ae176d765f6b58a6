#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "support/command_line.h"

using namespace fitup;
using namespace fitup::test;

TEST_CASE("explain tells why a pair was or was not reported", "[cli][explain]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  ProgramResult result = fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "not reported: their boxes are apart"));
  CHECK(contains(result.out, "apart along x by 1 mm"));
  CHECK(contains(result.out, "verdict      none"));

  result = fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--move", "row/cube-0=1.5,0.25,0.125",
                  "--tolerance", "0.1"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "clash at 0.1 mm (given): 0.5 mm deep"));
  CHECK(contains(result.out, "have 0.5 x 0.75 x 0.875 mm in common"));

  result = fitup({"explain", "row.fitup", "row/cube-0:0", "row/cube-1:5", "--json"});
  INFO(result.text());
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["outcome"] == "boxesApart");
  CHECK(json["a"]["surface"] == 0);
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row/cube-0:6", "row/cube-1:5"}), {"surface 6"}) ==
        "");
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1:5"}), {"PATH:FACE"}) == "");
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row", "row/cube-1"}), {"3 instances"}) == "");

  // As an option of check.
  result = fitup({"check", "row.fitup", "--explain", "row/cube-0", "row/cube-2"});
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "apart along x by 3 mm"));
}

TEST_CASE("explain and --verify ask the oracle as well", "[cli][verify]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const std::string move = "row/cube-0=1.5,0.25,0.125";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", "row.fitup", "--verify", "--move", move},
        {"check", "row.fitup", "--verify", "--move", move, "--mode", "first"},
        {"check", "row.fitup", "--verify", "--move", move, "--tolerance", "0.1"}}) {
    const ProgramResult result = fitup(arguments);
    INFO(result.text());
    CHECK(result.exitCode == 1);
    CHECK(contains(result.out, "verified: 3 pairs of instances agree with the oracle"));
    CHECK(contains(result.out, "2 apart in their boxes"));
  }
  ProgramResult result = fitup({"distance", "row.fitup", "--within", "1", "--verify", "--json"});
  INFO(result.text());
  CHECK(contains(result.err, "verified: 3 pairs"));
  CHECK(nlohmann::json::parse(result.out)["pairs"].size() == 2);
  CHECK_FALSE(std::filesystem::exists(fitup.file("fitup-difference.fitup")));
}

TEST_CASE("mates lists what would snap together", "[cli][mates]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  ProgramResult result = fitup({"mates", "row.fitup", "--json", "mates.json"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(result.out.starts_with("2 suggestions\n"));
  CHECK(contains(result.out, "1 mm off, 0 deg askew, shared area 1 mm^2"));
  const auto json = nlohmann::json::parse(fitup.text("mates.json"));
  CHECK(json["suggestions"].size() == 2);
  CHECK(json["suggestions"][0]["kind"] == "planes");
  CHECK(fitup({"mates", "row.fitup", "--reach", "0.5"}).out.starts_with("0 suggestions\n"));
  CHECK(fitup({"mates", "row.fitup", "--moved", "row/cube-0"}).out.starts_with("1 suggestion\n"));
  CHECK(problemOfFailure(fitup({"mates", "row.fitup", "--moved", "row/none"}), {"row/none"}) == "");
}

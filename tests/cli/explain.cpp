#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <fitup/io/model_file.h>

#include "support/command_line.h"
#include "support/tiny_meshes.h"

namespace explain_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("explain reports why a pair was or was not reported", "[cli][explain]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  ProgramResult result = fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "not reported: their boxes are separated"));
  CHECK(contains(result.out, "separated along x by 1 mm"));
  CHECK(contains(result.out, "verdict      none"));

  result = fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--move", "row/cube-0=1.5,0.25,0.125",
                  "--tolerance", "0.1"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "clash at 0.1 mm (given): 0.5 mm deep"));
  CHECK(contains(result.out, "overlap by 0.5 x 0.75 x 0.875 mm"));

  result = fitup({"explain", "row.fitup", "row/cube-0:0", "row/cube-1:5", "--json"});
  INFO(result.text());
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["outcome"] == "boxesApart");
  CHECK(json["a"]["surface"] == 0);
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row/cube-0:6", "row/cube-1:5"}), {"surface 6"}) ==
        "");
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1:5"}), {"PATH:FACE"}) == "");
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row", "row/cube-1"}), {"3 instances"}) == "");

  // A thousandth is visible far from the origin too.
  result = fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--move", "row=123456.125,0,0.001"});
  INFO(result.text());
  CHECK(contains(result.out, "box of a     (123455.625, -0.5, -0.499) to (123456.625, 0.5, 0.501)\n"));
  CHECK(contains(result.out, " at (123456.625, "));

  // The same as an option of `check`.
  result = fitup({"check", "row.fitup", "--explain", "row/cube-0", "row/cube-2"});
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "separated along x by 3 mm"));
  // An error in the names is reported before anything else is done.
  for (const std::string wrong : {"row/nosuch", "row/cube-0:99", "row/cube-0"}) {
    const std::string other = wrong.ends_with("99") ? "row/cube-1:0" : "row/cube-0";
    CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", "r.json", "--explain", other, wrong}),
                           {}) == "");
  }
  CHECK_FALSE(std::filesystem::exists(fitup.file("r.json")));
}

TEST_CASE("explain agrees with what a check reports", "[cli][explain]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeText(fitup.file("rules.json"),
            R"({"format": "fitup-rules", "version": 2, "rules": [
                {"a": "*-0", "b": "*-1", "action": "clearance", "distance": 0.5}]})");
  writeText(fitup.file("allow.json"),
            R"({"format": "fitup-rules", "version": 2, "rules": [
                {"a": "*-0", "b": "*-1", "action": "allowContact"}]})");
  struct Case {
    std::string move;
    std::vector<std::string> options;
    int exitCode;
    std::string outcome;
  };
  for (const auto& [move, options, exitCode, outcome] :
       {Case{"0.95,0,0", {}, 0, "not reported: their boxes are separated"},
        Case{"0.95,0,0", {"--tolerance", "0.1"}, 0, "reported as contact, though their boxes are separated"},
        Case{"0.95,0,0",
             {"--rules", "rules.json"},
             1,
             "reported as too near, though their boxes are separated"},
        Case{"0.4,0,0", {"--rules", "rules.json"}, 0, "not reported: their boxes are separated"},
        Case{"0.95,0,0",
             {"--rules", "rules.json", "--tolerance", "0.1"},
             1,
             "reported as contact and too near, though their boxes are separated"},
        Case{"0.95,0,0",
             {"--rules", "allow.json", "--tolerance", "0.1"},
             0,
             "reported as contact that a rule allows, though their boxes are separated"},
        Case{"1,0,0", {}, 1, "reported: "}, Case{"1,0,0", {"--tolerance", "0.1"}, 0, "reported: "},
        Case{"1.5,0,0", {"--tolerance", "0.1"}, 1, "reported: "}}) {
    std::vector<std::string> explain{"explain", "row.fitup", "row/cube-0", "row/cube-1"},
        check{"check", "row.fitup", "--explain", "row/cube-0", "row/cube-1"};
    for (std::vector<std::string>* arguments : {&explain, &check}) {
      arguments->insert(arguments->end(), {"--move", "row/cube-0=" + move});
      arguments->insert(arguments->end(), options.begin(), options.end());
      const ProgramResult result = fitup(*arguments);
      INFO(move << " " << result.text());
      CHECK(result.exitCode == exitCode);
      CHECK(contains(result.out, "row/cube-0  x  row/cube-1\n" + outcome));
    }
  }
  CHECK(problemOfFailure(fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--verdict"}),
                         {"part '", "--tolerance"}) == "");
  const auto json = nlohmann::json::parse(
      fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--tolerance", "1.5", "--json"}).out);
  CHECK(json["outcome"] == "boxesApart");
  CHECK(json["reported"] == true);
  CHECK(json["needsAction"] == false);
  CHECK(json["tooNear"] == false);
}

TEST_CASE("a part inside another is a clash and nothing else", "[cli][verdict]") {
  const CommandLine fitup;
  Model model;
  model.assembly = Assembly("nest");
  const NodeId root = model.assembly.addNode("nest", {});
  model.assembly.addNode("outer", {}, root, model.assembly.addPart(sixSidedBox(10, 10, 10)));
  model.assembly.addNode("inner", {}, root, model.assembly.addPart(sixSidedBox(2, 2, 2)));
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(fitup.file("nest.fitup"), model);
  const ProgramResult check = fitup({"check", "nest.fitup", "--tolerance", "0.1"});
  INFO(check.text());
  CHECK(check.exitCode == 1);
  CHECK(contains(check.out, "1 clash, 0 contacts"));
  CHECK(contains(check.out, "\nno faces intersect\n"));
  CHECK_FALSE(contains(check.out, "no interference found"));
  const ProgramResult explain =
      fitup({"explain", "nest.fitup", "nest/outer", "nest/inner", "--tolerance", "0.1"});
  INFO(explain.text());
  CHECK(explain.exitCode == 1);
  CHECK(contains(explain.out, "\nreported as clash, though no triangles intersect\n"));
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
    CHECK(contains(result.out, "verified: 3 pairs of parts agree with the oracle"));
    CHECK(contains(result.out, "2 by their separated boxes"));
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
  CHECK(contains(result.out, "offset 1 mm, angle 0 deg, shared area 1 mm^2"));
  const auto json = nlohmann::json::parse(fitup.text("mates.json"));
  CHECK(json["suggestions"].size() == 2);
  CHECK(json["suggestions"][0]["kind"] == "planes");
  CHECK(fitup({"mates", "row.fitup", "--reach", "0.5"}).out.starts_with("0 suggestions\n"));
  CHECK(fitup({"mates", "row.fitup", "--moved", "row/cube-0"}).out.starts_with("1 suggestion\n"));
  CHECK(problemOfFailure(fitup({"mates", "row.fitup", "--moved", "row/none"}), {"row/none"}) == "");
}

}  // namespace explain_tests

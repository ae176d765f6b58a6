#include <catch2/catch.hpp>

#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>

#include "support/analytic_solids.h"
#include "support/command_line.h"
#include "support/tiny_meshes.h"

namespace rules_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Two cubes that intersect, a track that leaves them in place, and every command that takes rules.
struct Commands {
  CommandLine fitup;
  std::vector<std::vector<std::string>> all{{"check", "row.fitup"},
                                            {"replay", "row.fitup", "t.json"},
                                            {"first-contact", "row.fitup", "t.json"},
                                            {"explain", "row.fitup", "row/cube-0", "row/cube-1"}};
  Commands() {
    fitup.writeRow(2);
    writeTrack(fitup.file("t.json"), {.moved = {"row/cube-0"}, .steps = {{{}}}});
  }
  /// Runs each command with a rules file that has these members.
  std::vector<ProgramResult> with(const std::string& members) const {
    writeText(fitup.file("rules.json"), R"({"format": "fitup-rules", "version": 2, )" + members + "}");
    std::vector<ProgramResult> results;
    for (std::vector<std::string> arguments : all) {
      arguments.insert(arguments.end(), {"--rules", "rules.json"});
      results.push_back(fitup(arguments));
    }
    return results;
  }
};

}  // namespace

TEST_CASE("a set to check that matches nothing is an error", "[cli][rules]") {
  const Commands commands;
  for (const ProgramResult& result :
       commands.with(R"("rules": [], "check": {"a": "row/cube-0", "b": ["row/cbue-1", "raw/*"]})"))
    CHECK(problemOfFailure(result, {"rules.json: check: b: no instance matches 'row/cbue-1' or 'raw/*'",
                                    "there is for example: row/cube-0"}) == "");
  for (const ProgramResult& result : commands.with(R"("rules": [], "check": {"a": "cube", "b": "*"})"))
    CHECK(problemOfFailure(result, {"rules.json: check: a: no instance matches 'cube'"}) == "");
  // Files of rules are made for several models: it is enough if one pattern of a set matches.
  for (const ProgramResult& result :
       commands.with(R"("rules": [], "check": {"a": ["cube", "row"], "b": "*-1"})")) {
    INFO(result.text());
    CHECK(result.exitCode == 0);
    CHECK(result.err == "warning: rules.json: check: a: no instance matches 'cube'\n");
  }
}

TEST_CASE("sets that are one instance, and motions of nothing against nothing, are errors", "[cli][rules]") {
  const Commands commands;
  for (const ProgramResult& result :
       commands.with(R"("rules": [], "check": {"a": "row/cube-0", "b": ["row/cube-0", "row/cube-0"]})"))
    CHECK(problemOfFailure(result, {"rules.json: check: a, b: both contain only 'row/cube-0'"}) == "");
  // The whole model moves as one.
  writeTrack(commands.fitup.file("all.json"), {.moved = {"row"}, .steps = {{{}}, {{}}}});
  for (const char* command : {"replay", "first-contact"})
    CHECK(problemOfFailure(commands.fitup({command, "row.fitup", "all.json"}),
                           {"all.json: moved: no pair of parts is left to check"}) == "");
}

TEST_CASE("patterns of rules that match nothing get a warning", "[cli][rules]") {
  const Commands commands;
  for (const ProgramResult& result : commands.with(
           R"("rules": [{"a": "row", "b": "*-1", "action": "ignore"},
                        {"a": "row/cbue-0", "b": "*", "action": "ignore"},
                        {"a": "*", "b": "row/bolt*", "action": "clearance", "distance": 0.5}])")) {
    INFO(result.text());
    CHECK(result.exitCode == 0);
    CHECK(result.err ==
          "warning: rules.json: rule 1: a: no instance matches 'row/cbue-0'\n"
          "warning: rules.json: rule 2: b: no instance matches 'row/bolt*'\n");
  }
}

TEST_CASE("an overlap is allowed up to the depth of its rule", "[cli][check][rules]") {
  const CommandLine fitup;
  fitup.writeRow(3);  // unit cubes, 2 apart
  const auto check = [&](double depth, double allowed) {
    writeText(
        fitup.file("rules.json"),
        R"({"format": "fitup-rules", "version": 2, "rules": [{"a": "*-0", "b": "*-1", "reason": "press fit",
                 "action": "allowOverlap", "depth": )" +
            std::to_string(allowed) + "}]}");
    return fitup({"check", "row.fitup", "--tolerance", "0.01", "--verify", "--move",
                  "row/cube-0=" + std::to_string(1 + depth) + ",0,0", "--rules", "rules.json", "--report",
                  "r.json"});
  };
  ProgramResult result = check(0.1, 0.2);
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "0 clashes, 1 contact (1 allowed by rules); tolerance 0.01 mm\n"));
  CHECK(contains(fitup.text("r.json"),
                 R"("status":"approved","comment":"contact allowed by a rule: press fit")"));
  result = check(0.3, 0.2);
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "clash    row/cube-0  x  row/cube-1: 0.3 mm deep"));
  // Less than the tolerance allows no less.
  CHECK(check(0.009, 0.001).exitCode == 0);
  CHECK(check(0.1, 0.001).exitCode == 1);
}

namespace {

/// Bolts M8 in nuts with the core hole of the thread, as meshes without descriptions: 1 in its place, 2
/// beside it by 0.9 and by the depth of its thread deeper. "threads.fitup".
void writeThreads(const CommandLine& fitup) {
  constexpr std::uint32_t segments = 64;
  Model model;
  model.assembly = Assembly("threads");
  const PartId bolt = model.assembly.addPart(cylinder(4, 32, segments)),
               nut = model.assembly.addPart(tube(8, 6.647 / 2, 8, segments));
  const NodeId root = model.assembly.addNode("threads", {});
  const auto add = [&](const char* name, PartId part, double x) {
    model.assembly.addNode(name, Transform::translation({x, 0, 0}), root, part);
  };
  add("p1", bolt, 0);
  add("q1", nut, 0);
  add("p2", bolt, 50);
  add("q2", nut, 50.9);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(fitup.file("threads.fitup"), model);
}

}  // namespace

TEST_CASE("a rule for threads leaves the real faults, and the console suggests it", "[cli][check][rules]") {
  const CommandLine fitup;
  writeThreads(fitup);
  const ProgramResult plain = fitup({"check", "threads.fitup", "--tolerance", "0.05"});
  INFO(plain.text());
  CHECK(plain.exitCode == 1);
  CHECK(contains(plain.out, "2 clashes, "));
  CHECK(contains(plain.out, "1 clash looks like threads (overlap about 0.676 mm); to allow such:\n"));
  // The suggestion is taken as it is printed.
  const std::size_t from = plain.out.find("--rule '") + 8;
  const std::string rule = plain.out.substr(from, plain.out.find('\'', from) - from);
  CHECK(contains(rule, "\"fastener\": \"thread\""));
  const ProgramResult ruled = fitup(
      {"check", "threads.fitup", "--tolerance", "0.05", "--rule", rule, "--report", "r.json", "--verify"});
  INFO(ruled.text());
  CHECK(ruled.exitCode == 1);
  CHECK(contains(ruled.out, "1 clash, 1 contact (1 allowed by rules)"));
  CHECK(contains(ruled.out, "  clash    threads/p2  x  threads/q2: "));
  CHECK_FALSE(contains(ruled.out, "like thread"));
  CHECK(contains(fitup.text("r.json"), "\"fastener\": \"thread\""));
  CHECK(contains(
      fitup({"explain", "threads.fitup", "threads/p1", "threads/q1", "--tolerance", "0.05", "--rule", rule})
          .out,
      "rule 0 of --rule: allowOverlap 0.7 mm '*' x '*', thread"));
  // Reports are compared without the model.
  REQUIRE(fitup({"check", "threads.fitup", "--tolerance", "0.05", "--report", "old.json"}).exitCode == 1);
  CHECK(fitup({"diff", "old.json", "r.json"}).exitCode == 0);
}

TEST_CASE("rules by attributes are resolved by every command, and warn of what the model lacks",
          "[cli][rules]") {
  const CommandLine fitup;
  writeThreads(fitup);
  writeTrack(fitup.file("t.json"), {.moved = {"threads/p1"}, .steps = {{{}}, {{{}, {0, 0, 1}}}}});
  const std::string ignore = R"({"partA": "tub*", "b": "*", "action": "ignore"})";
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", "threads.fitup"},
                                             {"replay", "threads.fitup", "t.json"},
                                             {"first-contact", "threads.fitup", "t.json"},
                                             {"explain", "threads.fitup", "threads/p1", "threads/q1"}}) {
    const auto with = [&](const std::string& rule) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--rule", rule});
      return fitup(arguments);
    };
    CHECK(fitup(command).exitCode == 1);
    const ProgramResult ignored = with(ignore);
    INFO(ignored.text());
    CHECK(ignored.exitCode == 0);
    const ProgramResult other = with(R"({"partA": "rivet", "colourB": "#123456", "action": "ignore"})");
    CHECK(other.exitCode == 1);
    CHECK(contains(other.err, "warning: --rule: rule 0: no instance has partA 'rivet'\n"));
    CHECK(contains(other.err, "warning: --rule: rule 0: no instance has colourB #123456\n"));
    CHECK(contains(with(R"({"a": "x*", "fastener": "thread", "action": "ignore"})").err,
                   "rule 0: a: no instance matches 'x*'"));
    const ProgramResult refused = with(R"({"a": "x"})");
    CHECK(refused.exitCode == 2);
    CHECK(contains(refused.err, "fitup: --rule: b: is missing\n"));
  }
}

}  // namespace rules_tests

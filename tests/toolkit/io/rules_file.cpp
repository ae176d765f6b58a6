#include <fitup/io/rules_file.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>

#include "support/temporary_folder.h"

namespace rules_file_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("rules are read in order", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "r.json", R"({"format":"fitup-rules","version":1,"ignore":[
      {"a":"*/bolt*","b":"*","reason":"threads overlap"},{"a":"x","b":"y"}]})");
  const Rules rules = readRules(folder / "r.json");
  REQUIRE(rules.rules.size() == 2);
  CHECK(rules.rules[0].a == "*/bolt*");
  CHECK(rules.rules[0].reason == "threads overlap");
  CHECK(rules.rules[1].b == "y");
  CHECK(rules.rules[1].reason.empty());
}

TEST_CASE("errors of rules name the rule and the field", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  const auto error = [&](const std::string& ignore) {
    writeText(file, R"({"format":"fitup-rules","version":1,"ignore":)" + ignore + "}");
    return messageOf<InputError>([&] { (void)readRules(file); });
  };
  CHECK(error("3") == file.string() + ": ignore: must be an array");
  CHECK(error(R"([{"a":"x","b":"y"},{"a":"x"}])") == file.string() + ": rule 1: b: is missing");
  CHECK(error(R"([{"a":7,"b":"y"}])") == file.string() + ": rule 0: a: must be a string");
  CHECK(error(R"([{"a":"","b":"y"}])") == file.string() + ": rule 0: a: is empty, so it would match nothing");
  // A misspelt member, and those of version 2.
  for (const char* entry : {R"("reson":"typo")", R"("action":"clearance")", R"("distance":1)"})
    CHECK_THAT(error(R"([{"a":"x","b":"y",)" + std::string(entry) + "}]"),
               Catch::StartsWith(file.string() + ": rule 0: "));
  CHECK_THAT(error(R"([],"check":{"a":"x","b":"y"})"), Catch::Contains("check"));
}

TEST_CASE("version 2 has actions and sets", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "r.json", R"({"format":"fitup-rules","version":2,"rules":[
      {"a":"*/bolt*","b":"*","action":"ignore","reason":"threads overlap"},
      {"a":"x","b":"y","action":"allowContact"},
      {"a":"x","b":"*","action":"clearance","distance":2.5},
      {"a":"bolt*","b":"nut*","action":"allowOverlap","depth":0.7},
      {"a":"pump*","b":"pump*","sameSubassembly":true,"action":"ignore"}],
      "check":{"a":"plant/piping","b":["plant/frame","plant/tank*"]}})");
  const Rules rules = readRules(folder / "r.json");
  CHECK_FALSE(rules.wholePaths);
  REQUIRE(rules.rules.size() == 5);
  CHECK(rules.rules[0].action == RuleAction::ignore);
  CHECK(rules.rules[0].reason == "threads overlap");
  CHECK(rules.rules[1].action == RuleAction::allowContact);
  CHECK(rules.rules[2].action == RuleAction::clearance);
  CHECK(rules.rules[2].distance == 2.5);
  CHECK(rules.rules[3].action == RuleAction::allowOverlap);
  CHECK(rules.rules[3].depth == 0.7);
  CHECK(rules.rules[4].sameSubassembly);
  writeRules(folder / "w.json", rules);
  CHECK(readRules(folder / "w.json") == rules);
  REQUIRE(rules.check);
  CHECK(rules.check->a == std::vector<std::string>{"plant/piping"});
  CHECK(rules.check->b == std::vector<std::string>{"plant/frame", "plant/tank*"});

  writeText(folder / "r.json", R"({"format":"fitup-rules","version":1,"ignore":[{"a":"x","b":"y"}]})");
  CHECK(readRules(folder / "r.json").wholePaths);
}

TEST_CASE("errors of rules of version 2 name the rule and the field", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  const auto error = [&](const std::string& rest) {
    writeText(file, R"({"format":"fitup-rules","version":2,)" + rest + "}");
    const std::string message = messageOf<InputError>([&] { (void)readRules(file); });
    const std::string start = file.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  CHECK(error(R"("ignore":[])") == "rules: is missing");
  CHECK(error(R"("rules":[{"a":"x","b":"y"}])") == "rule 0: action: is missing");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"ignored"}])") ==
        "rule 0: action: is not one of ignore, allowContact, allowOverlap, clearance");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"clearance"}])") == "rule 0: distance: is missing");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"clearance","distance":0}])") ==
        "rule 0: distance: must be above 0");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"clearance","distance":"2"}])") ==
        "rule 0: distance: must be a finite number");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"ignore","distance":1}])") ==
        "rule 0: distance: is allowed for the action clearance only");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"allowOverlap"}])") == "rule 0: depth: is missing");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"allowOverlap","depth":-1}])") ==
        "rule 0: depth: must be above 0");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"ignore","depth":1}])") ==
        "rule 0: depth: is allowed for the action allowOverlap only");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"ignore","sameSubassembly":1}])") ==
        "rule 0: sameSubassembly: must be true or false");
  CHECK(error(R"("rules":[{"a":"x","b":"y","action":"ignore","reson":"typo"}])") ==
        "rule 0: reson: is unknown here");
  CHECK(error(R"("rules":[{"a":"x","b":"","action":"ignore"}])") ==
        "rule 0: b: is empty, so it would match nothing");
  CHECK(error(R"("rules":[],"check":{"a":"x"})") == "check: b: is missing");
  CHECK(error(R"("rules":[],"check":{"a":[],"b":"x"})") == "check: a: is empty, so nothing would be checked");
  CHECK(error(R"("rules":[],"check":{"a":["x",3],"b":"x"})").find("pattern 1: must be a string") !=
        std::string::npos);
  CHECK(error(R"("rules":[],"chek":{})") == "chek: is unknown here");
  writeText(file, R"({"format":"fitup-rules","version":5,"rules":[]})");
  CHECK(messageOf<InputError>([&] { (void)readRules(file); }) ==
        file.string() + ": version: is 5; this program reads 1 to 4");
}

TEST_CASE("patterns and reasons have a longest size", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  const auto problem = [&](const std::string& members) {
    writeText(file, R"({"format":"fitup-rules","version":2,)" + members + "}");
    const std::string message = messageOf<InputError>([&] { (void)readRules(file); });
    return message.starts_with(file.string() + ": ") ? message.substr(file.string().size() + 2) : message;
  };
  const std::string longest(longestPattern, '*'), tooLong = longest + "*";
  const auto rule = [](const std::string& a, const std::string& b, const std::string& reason) {
    return R"("rules":[{"a":"x","b":"y","action":"ignore"},{"a":")" + a + R"(","b":")" + b +
           R"(","action":"ignore","reason":")" + reason + R"("}])";
  };
  CHECK(problem(rule(longest, longest, longest)) == "nothing thrown");
  CHECK(problem(rule(tooLong, "y", "")) == "rule 1: a: is longer than 4096 bytes");
  CHECK(problem(rule("x", tooLong, "")) == "rule 1: b: is longer than 4096 bytes");
  CHECK(problem(rule("x", "y", tooLong)) == "rule 1: reason: is longer than 4096 bytes");
  CHECK(problem(R"("rules":[],"check":{"a":"x","b":["y",")" + tooLong + R"("]})") ==
        "check: pattern 1: is longer than 4096 bytes");
  writeText(file, "what was there");
  CHECK_THROWS_AS(writeRules(file, {{{tooLong, "y"}}}), InputError);
  CHECK(readText(file) == "what was there");
}

TEST_CASE("rules that a file cannot hold are not written", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  writeText(file, "what was there");
  const auto problem = [&](const Rules& rules) {
    const std::string message = messageOf<InputError>([&] { writeRules(file, rules); });
    CHECK(readText(file) == "what was there");
    return message.substr(std::min(message.size(), file.string().size() + 2));
  };
  const auto rule = [](RuleAction action, double distance = 0, std::string a = "x") {
    return Rule{.a = std::move(a), .b = "y", .action = action, .distance = distance};
  };
  const std::string version1 = "patterns for whole paths (version 1) can only ignore pairs";
  CHECK(problem({.rules = {rule(RuleAction::ignore), rule(RuleAction::allowContact)}, .wholePaths = true}) ==
        "rule 1: action: " + version1);
  CHECK(problem({.rules = {rule(RuleAction::clearance, 3)}, .wholePaths = true}) ==
        "rule 0: action: " + version1);
  CHECK(problem({.check = CheckSets{{"a"}, {"b"}}, .wholePaths = true}) == "check: " + version1);
  CHECK(problem({.rules = {rule(RuleAction::ignore, 5)}}) ==
        "rule 0: distance: is allowed for the action clearance only");
  CHECK(problem({.rules = {rule(RuleAction::clearance, std::nan(""))}}) ==
        "rule 0: distance: must be a finite number");
  CHECK(problem({.rules = {rule(RuleAction::ignore, 0, "")}}) ==
        "rule 0: a: is empty, so it would match nothing");
  CHECK(problem({.check = CheckSets{}}) == "check: a: is empty, so nothing would be checked");
  CHECK(problem({.rules = {rule(RuleAction::ignore, 0, "a\xff")}}) ==
        "rules: a pattern or a reason is not UTF-8");

  const Rules whole{.rules = {rule(RuleAction::ignore)}, .wholePaths = true};
  writeRules(file, whole);
  CHECK(readRules(file) == whole);
}

TEST_CASE("version 3 has attributes", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  writeText(file, R"({"format":"fitup-rules","version":3,"rules":[
      {"fastener":"thread","action":"allowOverlap","depth":0.7},
      {"partA":"M8*","b":"plate","colourB":"#FF8000","action":"ignore"}]})");
  const Rules rules = readRules(file);
  REQUIRE(rules.rules.size() == 2);
  CHECK(rules.rules[0].a == "*");
  CHECK(rules.rules[0].b == "*");
  CHECK(rules.rules[0].fastener == Fastener::thread);
  CHECK(rules.rules[1].a == "*");
  CHECK(rules.rules[1].b == "plate");
  CHECK(rules.rules[1].whereA == RuleAttributes{.part = "M8*"});
  CHECK(rules.rules[1].whereB == RuleAttributes{.colour = "#ff8000"});
  writeRules(folder / "again.json", rules);
  CHECK(readRules(folder / "again.json") == rules);
  // Files without attributes keep the version that older programs read.
  writeRules(folder / "old.json", {.rules = {{.a = "x", .b = "y"}}});
  CHECK_THAT(readText(folder / "old.json"), Catch::Contains("\"version\": 2"));
  CHECK_THAT(readText(folder / "again.json"), Catch::Contains("\"version\": 3"));

  const auto error = [&](const std::string& rule, int version = 3) {
    writeText(file, R"({"format":"fitup-rules","version":)" + std::to_string(version) + R"(,"rules":[)" +
                        rule + "]}");
    return messageOf<InputError>([&] { (void)readRules(file); });
  };
  const std::string start = file.string() + ": rule 0: ";
  CHECK(error(R"({"a":"x","b":"y","partA":"p","action":"ignore"})", 2) == start + "partA: needs version 3");
  CHECK(error(R"({"partA":"p","action":"ignore"})") == start + "b: is missing");
  CHECK(error(R"({"partA":"","b":"y","action":"ignore"})") ==
        start + "partA: is empty, so it would match nothing");
  CHECK_THAT(error(R"({"a":"x","b":"y","colourB":"red","action":"ignore"})"),
             Catch::StartsWith(start + "colourB: must be a colour"));
  CHECK_THAT(error(R"({"fastener":"rivet","action":"ignore"})"), Catch::StartsWith(start + "fastener: "));
  CHECK(error(R"({"layerA":"1","b":"y","action":"ignore"})") == start + "layerA: needs version 4");
  CHECK_THAT(error(R"({"a":"x","b":"y","materialA":"1","action":"ignore"})"), Catch::Contains("materialA"));
  CHECK_THROWS_AS(writeRules(folder / "whole.json",
                             {.rules = {{.a = "x", .b = "y", .whereA = {.part = "p"}}}, .wholePaths = true}),
                  InputError);
}

TEST_CASE("version 4 has layers", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  writeText(file, R"({"format":"fitup-rules","version":4,"rules":[
      {"layerA":"piping*","b":"plate","layerB":"12","action":"ignore"}]})");
  const Rules rules = readRules(file);
  REQUIRE(rules.rules.size() == 1);
  CHECK(rules.rules[0].a == "*");
  CHECK(rules.rules[0].whereA == RuleAttributes{.layer = "piping*"});
  CHECK(rules.rules[0].whereB == RuleAttributes{.layer = "12"});
  CHECK(requirementsText(rules.rules[0]) == ", layer of a 'piping*', layer of b '12'");
  writeRules(folder / "again.json", rules);
  CHECK(readRules(folder / "again.json") == rules);
  CHECK_THAT(readText(folder / "again.json"), Catch::Contains("\"version\": 4"));
  writeText(file,
            R"({"format":"fitup-rules","version":4,"rules":[{"layerA":"","b":"y","action":"ignore"}]})");
  CHECK(messageOf<InputError>([&] { (void)readRules(file); }) ==
        file.string() + ": rule 0: layerA: is empty, so it would match nothing");
  Rule tooLong{"x", "y"};
  tooLong.whereB.layer = std::string(longestPattern + 1, 'x');
  REQUIRE(problemsOf(tooLong, false).size() == 1);
  CHECK(problemsOf(tooLong, false)[0].field == "layerB");
}

TEST_CASE("the problems of a rule are those that files refuse", "[io]") {
  const TemporaryFolder folder;
  const auto problems = [&](const Rule& rule, bool wholePaths = false) {
    std::string text;
    for (const RuleProblem& problem : problemsOf(rule, wholePaths))
      text += (text.empty() ? "" : "; ") + problem.field + ": " + problem.text;
    Rules rules;
    rules.rules = {rule};
    rules.wholePaths = wholePaths;
    if (text.empty())
      CHECK_NOTHROW(writeRules(folder / "r.json", rules));
    else
      CHECK_THROWS_AS(writeRules(folder / "r.json", rules), InputError);
    return text;
  };
  CHECK(problems({"x", "y"}) == "");
  CHECK(problems({"x", "y", "", RuleAction::clearance, 2}) == "");
  CHECK(problems({"x", "y", "", RuleAction::allowOverlap, 0, 0.5}) == "");
  CHECK(problems({"", "y"}) == "a: is empty, so it would match nothing");
  const std::string tooLong(longestPattern + 1, 'x'), longText = "is longer than 4096 bytes";
  CHECK(problems({tooLong, "y", tooLong}) == "a: " + longText + "; reason: " + longText);
  CHECK(problems({"x", "\xff"}) == "b: is not UTF-8");
  CHECK(problems({"x", "y", "", RuleAction::clearance}) == "distance: must be above 0");
  CHECK(problems({"x", "y", "", RuleAction::allowOverlap, 0, -1}) == "depth: must be above 0");
  CHECK(problems({"x", "y", "", RuleAction::allowOverlap, 0, INFINITY}) == "depth: must be a finite number");
  CHECK(problems({"x", "y", "", RuleAction::ignore, 1}) ==
        "distance: is allowed for the action clearance only");
  Rule rule{"x", "y"};
  rule.whereA = {"M8*", "#FF8000"};
  rule.whereB = {tooLong, "orange"};
  rule.fastener = Fastener::thread;
  CHECK(problems(rule) == "partB: " + longText + "; colourB: must be a colour such as \"#ff8000\"");
  CHECK(problems({"x", "y"}, true) == "");
  CHECK_FALSE(problems({"x", "y", "", RuleAction::allowContact}, true).empty());
}

}  // namespace rules_file_tests

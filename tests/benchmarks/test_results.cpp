#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "results.h"

namespace test_results {

using namespace fitup::bench;

namespace {

ContestantInfo contestant(const std::string& name, Movement movement, bool fitup = false) {
  ContestantInfo info;
  info.name = name;
  info.software = "library of " + name;
  info.movement = movement;
  info.fitup = fitup;
  return info;
}

QueryRow row(const std::string& name, double ratio, std::size_t missed = 0) {
  QueryRow r;
  r.contestant = name;
  r.milliseconds = {0.9 * ratio, ratio, 1.1 * ratio};
  r.ratio = {0.8 * ratio, ratio, 1.2 * ratio};
  r.rounds = 3;
  r.stepsTimed = r.stepsChecked = 5;
  r.expected = 2000;
  r.found = r.expected - missed;
  r.missed = missed;
  r.wrongPairs = missed == 0 ? 0 : 1;
  return r;
}

Results someResults() {
  Results results;
  results.machine = {"some cpu", "some system", "g++", "-O3", "Fitup", 2};
  results.reference = "ours";
  results.rounds = 3;
  results.clock = "processor";
  results.contestants = {
      contestant("ours", Movement::poses, true),   contestant("exact", Movement::poses),
      contestant("rebuilder", Movement::rebuilds), contestant("nearly", Movement::rewrites),
      contestant("wrong", Movement::poses),        contestant("still", Movement::notMoved)};
  QueryTable table;
  table.scene = "scene";
  table.mode = "triangles";
  table.steps = table.questions = 5;
  table.hitShare = 0.5;
  table.rows = {row("ours", 1),      row("exact", 4),    row("rebuilder", 9),
                row("nearly", 3, 2), row("wrong", 2, 3), row("still", 0.5)};
  table.rows[0].boxTests = 1234;
  findLeads(table, results);
  table.overAllTriangles = MedianInterval{1.9, 2.1, 2.2, 9};
  results.queries.push_back(table);
  results.builds.push_back({"scene", 1, 100, {{"ours", {1, 2, 3}, 37.5}, {"exact", {1, 1, 1}, {}}}});
  return results;
}

}  // namespace

TEST_CASE("the lead is over the fastest moving peer that is right", "[benchmarks]") {
  Results results = someResults();
  QueryTable& table = results.queries.front();
  REQUIRE(table.overExact.has_value());
  CHECK(table.overExact->peer == "exact");
  CHECK(table.overExact->times.low == 0.8 * 4);
  // Two of 2,000 are a thousandth, three are more.
  REQUIRE(table.overNearlyExact.has_value());
  CHECK(table.overNearlyExact->peer == "nearly");

  table.rows[1].leftOut = "9 s for a step";
  findLeads(table, results);
  REQUIRE(table.overExact.has_value());
  CHECK(table.overExact->peer == "rebuilder");
  for (QueryRow& r : table.rows) r.wrongPairs = r.missed = 1000;
  findLeads(table, results);
  CHECK_FALSE(table.overExact.has_value());
  CHECK_FALSE(table.overNearlyExact.has_value());
}

TEST_CASE("a peer that invents pairs where there are none is not nearly right", "[benchmarks]") {
  QueryRow r = row("peer", 1);
  r.expected = 0;
  CHECK(r.nearlyExact());
  r.invented = 1;
  CHECK_FALSE(r.nearlyExact());
}

TEST_CASE("only Fitup's own rows must agree", "[benchmarks]") {
  Results results = someResults();
  CHECK(results.fitupAgrees());
  results.queries.front().rows.front().wrongPairs = 1;
  CHECK_FALSE(results.fitupAgrees());
}

TEST_CASE("results come back from their file as they were", "[benchmarks]") {
  Results results = someResults();
  results.queries.front().rows.back().leftOut = "9 s for a step";
  const std::string json = toJson(results);
  const Results again = resultsFromJson(json);
  CHECK(toJson(again) == json);
  CHECK(toMarkdown(again) == toMarkdown(results));
  CHECK(headText(again) == headText(results));
  CHECK(tableText(again.queries.front(), again) == tableText(results.queries.front(), results));
  CHECK(again.queries.front().overAllTriangles->low == 1.9);
  CHECK(tableText(again.queries.front(), again).find("2.10 [1.90, 2.20] times as fast as ours itself") !=
        std::string::npos);
  CHECK(toMarkdown(again).find("| over its own all triangles | 2.10 [1.90, 2.20] |") != std::string::npos);
  results.queries.front().overAllTriangles.reset();
  CHECK(toMarkdown(results).find("over its own") == std::string::npos);
  CHECK_FALSE(resultsFromJson(toJson(results)).queries.front().overAllTriangles.has_value());
  CHECK(again.builds.front().rows.back().bytesPerTriangle == std::nullopt);
}

TEST_CASE("another file is refused", "[benchmarks]") {
  CHECK_THROWS_AS(resultsFromJson("{"), fitup::InputError);
  CHECK_THROWS_WITH(resultsFromJson("{}", "old.json"), "old.json: key 'format' not found");
  CHECK_THROWS_AS(resultsFromJson(R"({"format": "fitup-benchmark", "version": 99})"), fitup::InputError);
}

}  // namespace test_results

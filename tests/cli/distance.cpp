#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/command_line.h"

namespace distance_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("the distance of two instances", "[cli][distance]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  const ProgramResult apart = fitup({"distance", "row.fitup", "row/cube-0", "row/cube-2"});
  INFO(apart.text());
  CHECK(apart.exitCode == 0);
  CHECK(apart.out.starts_with("minimum distance 3 mm\n  3 mm  row/cube-0 face "));
  CHECK(contains(apart.out, "\n      to  row/cube-2 face "));
  CHECK(contains(apart.out, "\ncomplete\n"));
  CHECK(fitup({"distance", "row.fitup", "row/cube-0", "row/cube-2", "--within", "3"}).exitCode == 1);
  const ProgramResult none = fitup({"distance", "row.fitup", "row/cube-0", "row/cube-2", "--within", "2.9"});
  CHECK(none.exitCode == 0);
  CHECK(none.out.starts_with("nothing is nearer than 2.9 mm\n"));
}

TEST_CASE("a distance below rounding has no digits, and is no intersection", "[cli][distance]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  const std::vector<std::string> arguments{"distance",   "row.fitup", "row/cube-0",
                                           "row/cube-1", "--move",    "row/cube-0=0.9999999999,0,0"};
  const ProgramResult near = fitup(arguments);
  INFO(near.text());
  CHECK(near.out.starts_with("minimum distance 0 mm\n  0 mm  row/cube-0 face "));
  CHECK(near.exitCode == 0);
  std::vector<std::string> asJson = arguments;
  asJson.push_back("--json");
  const auto pair = nlohmann::json::parse(fitup(asJson).out).at("pairs").at(0);
  CHECK(pair.at("distance").get<double>() > 0);
  CHECK(pair.at("distance").get<double>() < pair.at("rounding").get<double>());
  CHECK_FALSE(pair.contains("chordError"));
}

TEST_CASE("what is nearer than a clearance", "[cli][distance]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  const ProgramResult near = fitup({"distance", "row.fitup", "--within", "1.5"});
  INFO(near.text());
  CHECK(near.exitCode == 1);
  CHECK(near.out.starts_with("3 pairs of parts at most 1.5 mm apart\n  1 mm  row/cube-0 face "));
  CHECK(fitup({"distance", "row.fitup", "--within", "0.5"}).exitCode == 0);
  const ProgramResult few = fitup({"distance", "row.fitup", "--within", "1.5", "--max-pairs", "1"});
  CHECK(few.exitCode == 1);
  CHECK(contains(few.out, "truncated"));
}

TEST_CASE("a search for distances that was cut short claims nothing", "[cli][distance]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"row/cube-0", "row/cube-2"}, {"--within", "1"}, {"--surfaces", "1"}}) {
    std::vector<std::string> arguments{"distance", "row.fitup", "--time-budget", "0"};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    const ProgramResult result = fitup(arguments);
    INFO(result.text());
    CHECK(result.exitCode == 3);
    CHECK(result.out.starts_with("ended early, before anything was found\ntruncated: "));
    CHECK_FALSE(contains(result.out, "nothing"));
  }
}

TEST_CASE("pairs of faces as JSON", "[cli][distance]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const ProgramResult result =
      fitup({"distance", "row.fitup", "row/cube-0", "row/cube-1", "--surfaces", "1", "--json"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  const nlohmann::json json = nlohmann::json::parse(result.out);
  CHECK(json.at("format") == "fitup-distance");
  CHECK(json.at("version") == 1);
  CHECK(json.at("unit") == "mm");
  CHECK(json.at("status") == "complete");
  CHECK(json.at("clearance") == 1.0);
  // Five faces of each cube reach the plane that faces the other; of their pairs, only opposite sides, such
  // as +y and -y, share no corner across the gap.
  CHECK(json.at("pairs").size() == 25 - 4);
  bool facing = false;
  for (const auto& pair : json.at("pairs")) {
    CHECK(pair.at("distance") == 1.0);
    CHECK(pair.at("a").at("instance") == "row/cube-0");
    CHECK(pair.at("b").at("instance") == "row/cube-1");
    CHECK(pair.at("b").at("point").at(0).get<double>() - pair.at("a").at("point").at(0).get<double>() == 1);
    facing = facing || (pair.at("a").at("name") == "+x" && pair.at("b").at("name") == "-x");
  }
  CHECK(facing);
}

TEST_CASE("distances that cannot be asked for are explained", "[cli][distance]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  CHECK(problemOfFailure(fitup({"distance", "row.fitup"}), {"--within"}) == "");
  CHECK(problemOfFailure(fitup({"distance", "row.fitup", "row", "row/cube-1"}), {"on both sides"}) == "");
  CHECK(problemOfFailure(fitup({"distance", "row.fitup", "row/cube-9", "row/cube-1"}), {"row/cube-9"}) == "");
  CHECK(fitup({"distance", "row.fitup", "row/cube-0"}).exitCode == 2);
  CHECK(fitup({"distance", "row.fitup", "--within", "-1"}).exitCode == 2);
  CHECK(fitup({"distance", "row.fitup", "--within", "1", "--surfaces", "1"}).exitCode == 2);
}

}  // namespace distance_tests

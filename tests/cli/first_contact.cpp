#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/command_line.h"
#include "support/test_data.h"

namespace first_contact_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Moves cube-0 along x by `way`, in one step.
void writeSlide(const CommandLine& fitup, double way) {
  writeText(fitup.file("slide.csv"),
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,0,0,0,0,0,0,1\n1,row/cube-0," +
                std::to_string(way) + ",0,0,0,0,0,1\n");
}

}  // namespace

TEST_CASE("when a motion first touches something", "[cli][first-contact]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeSlide(fitup, 20);
  // The cubes are 1 apart: contact is at a twentieth of the way, though both steps are clear.
  const ProgramResult hit = fitup({"first-contact", "row.fitup", "slide.csv"});
  INFO(hit.text());
  CHECK(hit.exitCode == 1);
  CHECK(contains(hit.out, "first in contact at step 0.04999"));
  CHECK(contains(hit.out, "\n  row/cube-0 face "));
  CHECK(contains(hit.out, "\n  row/cube-1 face 0 '-x' at (1.5, "));
  CHECK(contains(hit.out, "\ncomplete\n"));
  CHECK(fitup({"replay", "row.fitup", "slide.csv"}).exitCode == 0);
  const ProgramResult near =
      fitup({"first-contact", "row.fitup", "slide.csv", "--clearance", "0.5", "--resolution", "0.01"});
  CHECK(near.exitCode == 1);
  CHECK(contains(near.out, "first nearer than 0.5 mm at step 0.02"));
  const ProgramResult asJson = fitup({"first-contact", "row.fitup", "slide.csv", "--json"});
  CHECK(asJson.exitCode == 1);
  const auto json = nlohmann::json::parse(asJson.out);
  CHECK(json["format"] == "fitup-first-contact");
  CHECK(json["status"] == "complete");
  const auto& contact = json["contact"];
  CHECK(contact["time"].get<double>() == Approx(0.05).margin(1e-5));
  CHECK(contact["a"]["instance"] == "row/cube-0");
  CHECK(contact["b"]["name"] == "-x");
  CHECK(contact["b"]["point"][0].get<double>() == 1.5);
  CHECK(contact["poses"][0]["path"] == "row/cube-0");
  CHECK(contact["poses"][0]["translation"][0].get<double>() ==
        Approx(20 * contact["time"].get<double>()).epsilon(1e-12));
  writeSlide(fitup, 0.9);
  CHECK(nlohmann::json::parse(fitup({"first-contact", "row.fitup", "slide.csv", "--json"}).out)["contact"]
            .is_null());
  const ProgramResult none = fitup({"first-contact", "row.fitup", "slide.csv"});
  CHECK(none.exitCode == 0);
  CHECK(none.out.starts_with("nothing is in contact from step 0 to step 1\n"));
  CHECK(fitup({"first-contact", "row.fitup", "slide.csv", "--time-budget", "0"}).exitCode == 3);
  CHECK(fitup({"first-contact", "row.fitup", "slide.csv", "--clearance", "-1"}).exitCode == 2);
  CHECK(problemOfFailure(fitup({"first-contact", "row.fitup", "none.csv"}), {"none.csv"}) == "");
}

TEST_CASE("clearances of rules count as contact", "[cli][first-contact]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeSlide(fitup, 0.8);  // up to 0.2 before the next one
  const auto withRule = [&](const std::string& b, double distance) {
    writeText(fitup.file("rules.json"),
              R"({"format": "fitup-rules", "version": 2, "rules": [{"a": "row/cube-0", "b": ")" + b +
                  R"(", "action": "clearance", "distance": )" + std::to_string(distance) + "}]}");
    return fitup({"first-contact", "row.fitup", "slide.csv", "--rules", "rules.json", "--json"});
  };
  ProgramResult result = withRule("row/cube-1", 0.5);
  INFO(result.text());
  CHECK(result.exitCode == 1);
  const auto contact = nlohmann::json::parse(result.out)["contact"];
  CHECK(contact["clearance"] == 0.5);
  CHECK(contact["b"]["instance"] == "row/cube-1");
  CHECK(contact["time"].get<double>() == Approx(0.5 / 0.8).margin(1e-4));
  result = withRule("row/cube-1", 0.1);
  CHECK(result.exitCode == 0);
  CHECK(contains(fitup({"first-contact", "row.fitup", "slide.csv", "--rules", "rules.json"}).out,
                 "nothing is in contact or nearer than the rules allow from step 0 to step 1\n"));
  CHECK(withRule("row/cube-2", 0.5).exitCode == 0);
}

TEST_CASE("contacts at the start are ignored on demand", "[cli][first-contact]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeText(fitup.file("pull.csv"),
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,1,0,0,0,0,0,1\n1,row/cube-0,-5,0,0,0,0,0,1\n");
  const ProgramResult start = fitup({"first-contact", "row.fitup", "pull.csv"});
  INFO(start.text());
  CHECK(start.exitCode == 1);
  CHECK(contains(start.out, "first in contact at step 0 of 1"));
  const ProgramResult pulled = fitup({"first-contact", "row.fitup", "pull.csv", "--ignore-initial"});
  CHECK(pulled.exitCode == 0);
  CHECK(contains(
      pulled.out,
      "in contact at the start, which may stay so but not get deeper:\n  row/cube-0  x  row/cube-1\n"));
  CHECK(contains(pulled.out, "\nnothing else is in contact from step 0 to step 1\n"));
}

TEST_CASE("contacts of the start may not get deeper", "[cli][first-contact]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  // Up to the next one at step 1, then half into it.
  writeText(fitup.file("push.csv"),
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,1,0,0,0,0,0,1\n1,row/cube-0,1.5,0,0,0,0,0,1\n");
  const ProgramResult pushed =
      fitup({"first-contact", "row.fitup", "push.csv", "--ignore-initial", "--tolerance", "0.1"});
  INFO(pushed.text());
  CHECK(pushed.exitCode == 1);
  CHECK(contains(pushed.out, "\ntoo deep at step 0.1"));
  CHECK(contains(pushed.out, " of 1: an overlap of 0.1 mm\n"));
  const auto json = nlohmann::json::parse(
      fitup({"first-contact", "row.fitup", "push.csv", "--ignore-initial", "--tolerance", "0.1", "--json"})
          .out);
  CHECK(json["contact"]["event"] == "depth");
  CHECK(json["contact"]["depthLimit"] == 0.1);
  CHECK(json["contact"]["time"].get<double>() <= 0.2);
  CHECK(json["unknownContacts"].empty());
}

TEST_CASE("verdicts and the contact map of a replay", "[cli][replay]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeSlide(fitup, 1.25);  // a quarter deep into cube-1
  const ProgramResult result = fitup({"replay", "row.fitup", "slide.csv", "--tolerance", "0.1", "--report",
                                      "out.json", "--contact-map", "map.json", "--range", "2"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "1 of 2 steps clash, 0 have contact\n"));
  CHECK(contains(result.out, "clash  row/cube-0  x  row/cube-1: deepest 0.25 mm at step 1; 1 step: 1\n"));
  const nlohmann::json report = nlohmann::json::parse(fitup.text("out.json"));
  CHECK(report.at("steps").at(1).at("pairs").at(0).at("verdict") == "clash");
  CHECK(report.at("steps").at(1).at("pairs").at(0).at("depth").get<double>() == Approx(0.25).epsilon(0.01));
  const nlohmann::json map = nlohmann::json::parse(fitup.text("map.json"));
  CHECK(map.at("range") == 2.0);
  CHECK(map.at("surfaces").size() > 4);
  // Deeper than the tolerance is a clash; at a larger tolerance it is contact.
  const ProgramResult contact = fitup({"replay", "row.fitup", "slide.csv", "--tolerance", "0.3"});
  CHECK(contact.exitCode == 0);
  CHECK(contains(contact.out, "0 of 2 steps clash, 1 have contact\n"));
  // As deep as at the start is no clash with --ignore-initial.
  writeText(
      fitup.file("stay.csv"),
      "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,1.25,0,0,0,0,0,1\n1,row/cube-0,1.25,0.2,0,0,0,0,1\n");
  const ProgramResult stay =
      fitup({"replay", "row.fitup", "stay.csv", "--tolerance", "0.1", "--ignore-initial", "--verify"});
  INFO(stay.text());
  CHECK(stay.exitCode == 0);
  CHECK(contains(
      stay.out,
      "deep in each other at the start, and may stay so:\n  row/cube-0  x  row/cube-1: up to 0.3 mm\n"));
  CHECK(contains(stay.out, "0 of 2 steps clash, 2 have contact\n"));
  CHECK(fitup({"replay", "row.fitup", "stay.csv", "--tolerance", "0.1"}).exitCode == 1);
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "stay.csv", "--ignore-initial"}), {"--verdict"}) ==
        "");
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "slide.csv", "--verdict"}), {"--tolerance"}) == "");
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "slide.csv", "--contact-map", "map.txt"}),
                         {"map.txt"}) == "");
  CHECK(problemOfFailure(fitup({"replay", "row.fitup", "slide.csv", "--tolerance", "1", "--max-pairs", "1"}),
                         {"--verdict"}) == "");
}

TEST_CASE("a motion goes the way that its track says, and uncertain ways are warned of",
          "[cli][first-contact]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const std::string head =
      "step,path,tx,ty,tz,qx,qy,qz,qw,px,py,pz,ax,ay,az,dx,dy,dz,degrees,advance\n"
      "0,row/cube-0,0,20,0,0,0,0,1,,,,,,,,,,,\n";
  // From 20 beside the row, round it; and about a point beside it, through where it began.
  writeText(fitup.file("turn.csv"), head + "1,row/cube-0,,,,,,,,,,,2,0,0,0,0,1,270,0\n");
  const ProgramResult turn = fitup({"first-contact", "row.fitup", "turn.csv"});
  INFO(turn.text());
  CHECK(turn.exitCode == 0);  // it stays 20 away from the centre
  CHECK(turn.err.empty());
  writeText(fitup.file("near.csv"), head + "1,row/cube-0,,,,,,,,,,,-10,0,0,0,0,1,270,0\n");
  CHECK(fitup({"first-contact", "row.fitup", "near.csv"}).exitCode == 0);
  writeText(fitup.file("hit.csv"), head + "1,row/cube-0,,,,,,,,,,,0,10,0,0,0,1,270,0\n");
  const ProgramResult hit = fitup({"first-contact", "row.fitup", "hit.csv"});
  INFO(hit.text());
  CHECK(hit.exitCode == 1);
  writeText(fitup.file("away.csv"), head + "1,row/cube-0,,,,,,,,,,,0,10,0,0,0,1,100,0\n");
  CHECK(fitup({"first-contact", "row.fitup", "away.csv"}).exitCode == 0);

  writeText(fitup.file("half.csv"),
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,0,20,0,0,0,0,1\n"
            "1,row/cube-0,0,20,0,0,0,0.99999,0.0043633\n");
  for (const char* command : {"first-contact", "replay"}) {
    const ProgramResult half = fitup({command, "row.fitup", "half.csv"});
    INFO(half.text());
    CHECK(half.exitCode == 0);
    CHECK(contains(half.err,
                   "warning: half.csv: step 1, 'row/cube-0': the length of the quaternion is off by "));
    CHECK(
        contains(half.err,
                 "warning: half.csv: step 1, 'row/cube-0': the shortest turn from the step before is 179.5"));
  }
}

TEST_CASE("cases of turns from bug reports", "[cli][first-contact][data]") {
  const auto turns = sharedData("reports/turns"), far = sharedData("reports/far-from-origin"),
             hostile = sharedData("reports/hostile");
  if (!turns || !far || !hostile) {
    WARN("skipped: reports/ is not there");
    return;
  }
  const CommandLine fitup;
  const std::string crank = (*turns / "crank.obj").string(), door = (*turns / "door.obj").string();
  const auto track = [](const std::string& unit, const std::string& path, const std::string& steps) {
    return R"({"format":"fitup-track","version":2,"unit":")" + unit + R"(","moved":[")" + path +
           R"("],"steps":[)" + steps + "]}";
  };
  const std::string start = R"([{"translation":[0,0,0],"rotation":[0,0,0,1]}])";
  for (const int degrees : {270, 350}) {
    writeText(fitup.file("crank.json"),
              track("mm", "crank",
                    start + R"(,[{"turn":{"point":[0,0,0],"direction":[0,0,1],"degrees":)" +
                        std::to_string(degrees) + "}}]"));
    const ProgramResult result = fitup({"first-contact", crank, "crank.json", "--json"});
    CHECK(result.exitCode == 1);
    const double at = nlohmann::json::parse(result.out)["contact"]["time"].get<double>() * degrees;
    CHECK(at == Approx(90).margin(1.5));  // the crank is 10 wide, the post 1
  }
  writeText(
      fitup.file("door.json"),
      track("mm", "door", start + R"(,[{"turn":{"point":[0,0,0],"direction":[0,0,1],"degrees":180}}])"));
  CHECK(fitup({"first-contact", door, "door.json"}).exitCode == 1);
  CHECK(contains(fitup({"first-contact", door, (*turns / "door180.json").string()}).err,
                 "the shortest turn from the step before is 179.9 degrees"));
  const ProgramResult sync = fitup(
      {"first-contact", (*hostile / "sync.obj").string(), (*hostile / "sync.track.json").string(), "--json"});
  CHECK(sync.exitCode == 1);
  CHECK(nlohmann::json::parse(sync.out)["contact"]["time"].get<double>() == Approx(0.291).margin(5e-4));
  // The same poses about a point of the arm, also with seven digits.
  const std::string crane = (*far / "crane.obj").string();
  auto json = nlohmann::json::parse(readText(*far / "t7.json"));
  json["version"] = 2;
  for (auto& step : json["steps"]) {
    step[0]["translation"] = {0, 0, 0};
    step[0]["pivot"] = {1661274, -8178640, 10};
  }
  writeText(fitup.file("local.json"), json.dump());
  const ProgramResult local = fitup({"first-contact", crane, "local.json", "--unit", "m"});
  INFO(local.text());
  CHECK(local.exitCode == 0);
  CHECK(contains(local.err, "the length of the quaternion is off by "));
}

}  // namespace first_contact_tests

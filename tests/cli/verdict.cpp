#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <fitup/base/text.h>
#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"
#include "support/tiny_meshes.h"

namespace verdict_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("check --verdict reports clash, contact and clear, and the exit code is for clashes",
          "[cli][check][verdict]") {
  const CommandLine fitup;
  fitup.writeRow(3);  // unit cubes, 2 apart
  // Meshes do not contain their chord error.
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--verdict"}), {"part '", "--tolerance"}) == "");

  ProgramResult result = fitup({"check", "row.fitup", "--tolerance", "0.1"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(result.out.starts_with("0 clashes, 0 contacts; tolerance 0.1 mm\n"));

  // A cube moved against the next one touches it: an intersection, but not a clash.
  result = fitup({"check", "row.fitup", "--move", "row/cube-0=1,0,0", "--tolerance", "0.1"});
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "0 clashes, 1 contact;"));
  CHECK(contains(result.out, "  contact  row/cube-0  x  row/cube-1\n"));
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=1,0,0"}).exitCode == 1);

  // At a gap of 0.05 it is contact without any intersection; at a depth of 0.3 a clash.
  result = fitup({"check", "row.fitup", "--move", "row/cube-0=0.95,0,0", "--tolerance", "0.1"});
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "contact  row/cube-0  x  row/cube-1: 0.05 mm apart"));
  result = fitup({"check", "row.fitup", "--move", "row/cube-0=1.3,0,0", "--tolerance", "0.1"});
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "1 clash, 0 contacts"));
  CHECK(contains(result.out, "clash    row/cube-0  x  row/cube-1: 0.3 mm deep"));

  result = fitup({"check", "row.fitup", "--move", "row/cube-0=0.85,0,0", "--tolerance", "0.1", "--clear"});
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "clear    row/cube-0  x  row/cube-1: 0.15 mm apart"));

  // A cube inside another one.
  result = fitup({"check", "row.fitup", "--move", "row/cube-0=2,0.125,0", "--tolerance", "0.05"});
  CHECK(result.exitCode == 1);
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--tolerance", "0.1", "--max-pairs", "3"}),
                         {"--max-pairs"}) == "");
}

TEST_CASE("copies in one place are one clash in every form of the report", "[cli][check][verdict]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  const ProgramResult result =
      fitup({"check", "row.fitup", "--move", "row/cube-0=2,0,0", "--move", "row/cube-2=-2,0,0", "--tolerance",
             "0.01", "--report", "r.json", "--report", "r.csv", "--report", "r.html", "--verify"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "1 clash, 0 contacts"));
  CHECK(contains(
      result.out,
      "  clash    3 copies of row/cube-0 in one place: row/cube-0, row/cube-1, row/cube-2 (3 pairs of "
      "parts)\nno other faces intersect\ncomplete\n"));
  const auto json = nlohmann::json::parse(fitup.text("r.json"));
  CHECK(json["intersects"] == true);
  CHECK(json["counts"]["clashes"] == 1);
  CHECK(json["counts"]["copySets"] == 1);
  REQUIRE(json["pairs"].size() == 1);
  const auto& set = json["pairs"][0];
  CHECK(set["verdict"] == "clash");
  CHECK(set["copies"] == nlohmann::json{"row/cube-0", "row/cube-1", "row/cube-2"});
  CHECK(set["copyPairs"] == 3);
  // Nothing in a unit cube is deeper.
  CHECK(set["depth"].get<double>() + set["depthErrorBound"].get<double>() == Approx(0.5));
  CHECK(set["surfacePairs"].empty());
  const std::string csv = fitup.text("r.csv");
  const std::string id = set["id"];
  CHECK(contains(csv, "\n# copies," + id + ",row/cube-0,row/cube-1,row/cube-2\n"));
  CHECK(contains(csv, "\n,row/cube-0,row/cube-1,complete,,,,,,,,," + id + ","));
  CHECK(csv.find(",new,,,3,,,,,,") != std::string::npos);
  const std::string page = fitup.text("r.html");
  const std::string begin = "id=\"data\">";
  const std::size_t from = page.find(begin);
  REQUIRE(from != std::string::npos);
  const auto data = nlohmann::json::parse(
      page.substr(from + begin.size(), page.find("</script>", from) - from - begin.size()));
  REQUIRE(data["pairs"].size() == 1);
  CHECK(data["pairs"][0][11][0] == "3 copies of row/cube-0 in one place");
  CHECK(data["pairs"][0][11][1] == 3);
  CHECK(data["rows"].size() == 1);

  CHECK(contains(fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--move", "row/cube-0=2,0,0",
                        "--tolerance", "0.01"})
                     .out,
                 "identical copies in one place"));
  // A rule takes a pair out of the set.
  const ProgramResult ruled = fitup({"check", "row.fitup", "--move", "row/cube-0=2,0,0", "--tolerance",
                                     "0.01", "--rule", R"({"a":"*-0","b":"*-1","action":"ignore"})"});
  CHECK(ruled.exitCode == 0);
}

TEST_CASE("volume and way out describe an overlap in every form of the report, and judge nothing",
          "[cli][check][verdict]") {
  const CommandLine fitup;
  fitup.writeRow(3);  // unit cubes, 2 apart
  std::vector<std::string> check{"check",    "row.fitup", "--move",      "row/cube-0=1.25,0.5,0",
                                 "--volume", "--way-out", "--tolerance", "0.01",
                                 "--report", "r.json",    "--report",    "r.csv",
                                 "--report", "r.html"};
  ProgramResult result = fitup(check);
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "\n           common volume 0.125 mm^3\n"));
  CHECK(contains(
      result.out,
      "\n           free with the first part moved 0.25 mm along (-1, 0, 0); at least 0.25 mm are needed\n"));
  const auto json = nlohmann::json::parse(fitup.text("r.json"));
  REQUIRE(json["pairs"].size() == 1);
  const auto& pair = json["pairs"][0];
  const double error = pair["volumeErrorBound"];
  CHECK(error < 0.125 / 512);
  CHECK(std::abs(pair["volume"].get<double>() - 0.125) <= error);
  const auto way = pair["wayOut"].get<std::vector<double>>();
  CHECK(way.at(0) == Approx(-0.25).epsilon(1e-3));
  CHECK(way.at(0) < -0.25);
  CHECK(way.at(0) <= -pair["depth"].get<double>());
  CHECK(contains(fitup.text("r.csv"),
                 ",new,,,," + pair["volume"].dump() + "," + pair["volumeErrorBound"].dump() + ","));
  CHECK(contains(fitup.text("r.html"), "Common volume"));
  // What was found frees the two.
  result = fitup({"check", "row.fitup", "--move",
                  "row/cube-0=" + numberText(1.25 + way[0]) + "," + numberText(0.5 + way[1]) + "," +
                      numberText(way[2])});
  CHECK(contains(result.out, "no interference found"));

  // A contact has neither unless its overlap is measured; an open part has no volume.
  check = {"check",    "row.fitup", "--move",      "row/cube-0=1.25,0.5,0",
           "--volume", "--way-out", "--tolerance", "0.3"};
  result = fitup(check);
  CHECK(result.exitCode == 0);
  CHECK_FALSE(contains(result.out, "common volume"));
  CHECK_FALSE(contains(result.out, "free with"));
  check.push_back("--overlaps");
  result = fitup(check);
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "common volume 0.125 mm^3"));
  CHECK(contains(result.out, "free with the first part moved 0.25 mm"));
  result = fitup({"check", "row.fitup", "--move", "row/cube-0=1,0.5,0", "--volume", "--way-out", "--overlaps",
                  "--tolerance", "0.3"});
  CHECK(contains(result.out, "touching"));
  CHECK_FALSE(contains(result.out, "common volume"));
}

TEST_CASE("parts that are not closed are reported, and clash with what they clearly enclose",
          "[cli][check][verdict]") {
  const CommandLine fitup;
  const MeshPtr closed = sixSidedBox(10, 10, 10);
  std::vector<Triangle> allButOne;
  for (std::uint32_t i = 1; i < closed->triangleCount(); ++i)
    allButOne.push_back(closed->triangle(TriangleId{i}));
  Model model;
  model.assembly = Assembly("nest");
  const NodeId root = model.assembly.addNode("nest", {});
  model.assembly.addNode("tub", {}, root, model.assembly.addPart(fromTriangles("tub", allButOne)));
  const PartId cube = model.assembly.addPart(sixSidedBox(2, 2, 2));
  model.assembly.addNode("inside", {}, root, cube);
  model.assembly.addNode("inside too", Transform::translation({0, 3, 0}), root, cube);
  model.assembly.addNode("afar", Transform::translation({100, 0, 0}), root, cube);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(fitup.file("nest.fitup"), model);
  const std::string reported = "1 part is not closed, so the depth of its clashes is a lower bound";
  const ProgramResult check =
      fitup({"check", "nest.fitup", "--tolerance", "0.1", "--report", "r.json", "--report", "r.csv"});
  INFO(check.text());
  CHECK(check.exitCode == 1);
  CHECK(contains(check.out, "2 clashes, 0 contacts"));
  CHECK(contains(fitup({"check", "nest.fitup", "--tolerance", "0.1", "--volume"}).out,
                 "common volume unknown, because part 'tub' is not closed"));
  CHECK(contains(check.out, ": at least 4."));
  CHECK(contains(check.out, "\n" + reported + ": 'fitup info' lists what is open\n"));
  CHECK(check.err.empty());
  const auto warnings = nlohmann::json::parse(fitup.text("r.json"))["warnings"];
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0]["message"] == reported);
  CHECK(warnings[0]["incomplete"] == false);
  CHECK(contains(fitup.text("r.csv"), "\n# warning,,\"" + reported + "\"\n"));

  writeTrack(fitup.file("t.json"), {.moved = {"nest/inside"}, .steps = {{{}}, {{{}, {0.5, 0, 0}}}}});
  const ProgramResult replay =
      fitup({"replay", "nest.fitup", "t.json", "--tolerance", "0.1", "--report", "t-report.json"});
  INFO(replay.text());
  CHECK(contains(replay.out, "\n" + reported));
  CHECK(nlohmann::json::parse(fitup.text("t-report.json"))["warnings"].size() == 1);

  // Only with verdicts, and only for parts that another part comes near to.
  CHECK_FALSE(contains(fitup({"check", "nest.fitup"}).out, "closed"));
  writeTrack(fitup.file("t.json"), {.moved = {"nest/afar"}, .steps = {{{}}}});
  CHECK_FALSE(contains(fitup({"replay", "nest.fitup", "t.json", "--tolerance", "0.1"}).out, "closed"));
}

TEST_CASE("with verdicts no list of faces is promised", "[cli][check][verdict]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const ProgramResult result =
      fitup({"check", "row.fitup", "--move", "row/cube-0=1.3,0,0", "--tolerance", "0.1", "--list", "1000"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK_FALSE(contains(result.out, "--list"));
  CHECK(contains(result.out, "\n  --report lists them\ncomplete\n"));
}

TEST_CASE("check --loops writes the intersection as closed loops", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  // One cube reaches halfway into the next, shifted in y and z: one closed loop.
  const ProgramResult result =
      fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0.25,0.125", "--loops", "loops.obj"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  const std::string text = fitup.text("loops.obj");
  std::size_t lines = 0;
  for (std::size_t at = text.find("\nl 1 "); at != std::string::npos; at = text.find("\nl ", at + 1)) ++lines;
  CHECK(lines == 1);
  CHECK(text.ends_with(" 1\n"));
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--loops", "loops.stl"}), {"--loops", "loops.stl"}) ==
        "");
}

TEST_CASE("info says whether parts are closed", "[cli][info]") {
  const CommandLine fitup;
  fitup.writePlant();
  ProgramResult result = fitup({"info", "plant.fitup"});
  INFO(result.text());
  CHECK(contains(result.out, "  closed         7 of 8 distinct parts"));
  CHECK(contains(result.out, "    drip-tray: open: 31 open edges at 2 surfaces\n"));
  CHECK(contains(fitup({"info", "plant.fitup", "--watertightness"}).out, "face 0 has open edges"));
}

TEST_CASE("an undecided verdict is never exit code 0, nor complete", "[cli][check][verdict]") {
  const CommandLine fitup;
  // A box of 10 mm without its face +x, and a cube of 1 mm near the hole.
  writeText(fitup.file("bowl.obj"),
            "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 10\nv 10 0 10\nv 10 10 10\nv 0 10 10\n"
            "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\n");
  writeText(fitup.file("cube.obj"),
            "v 8.5 4.5 4.5\nv 9.5 4.5 4.5\nv 9.5 5.5 4.5\nv 8.5 5.5 4.5\nv 8.5 4.5 5.5\nv 9.5 4.5 5.5\n"
            "v 9.5 5.5 5.5\nv 8.5 5.5 5.5\n"
            "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n");
  ProgramResult result = fitup({"check", "bowl.obj", "cube.obj", "--tolerance", "0.1", "--report", "r.json",
                                "--report", "r.csv", "--report", "r.html"});
  INFO(result.text());
  CHECK(result.exitCode == 3);
  CHECK(contains(result.out, "0 clashes, 0 contacts, 1 undecided; tolerance 0.1 mm\n"));
  CHECK(contains(result.out,
                 "  undecided  bowl/bowl  x  cube/cube\n             part 'bowl' is not closed, and "));
  CHECK(contains(result.out, "\nincomplete: verdicts are undecided\n"));
  CHECK_FALSE(contains(result.out, "\ncomplete\n"));
  const auto report = nlohmann::json::parse(fitup.text("r.json"));
  CHECK(report["version"] == 3);
  CHECK(report["status"] == "incomplete");
  CHECK(report["pairs"][0]["verdict"] == "undecided");
  CHECK(contains(report["pairs"][0]["undecidedBecause"].get<std::string>(), "part 'bowl' is not closed"));
  CHECK(contains(fitup.text("r.csv"), "# status,incomplete\n"));
  CHECK(contains(fitup.text("r.csv"), ",undecided,0.1,"));
  CHECK(contains(fitup.text("r.html"), "\"decided\":false"));
  // A clash outweighs it.
  result = fitup({"check", "bowl.obj", "cube.obj", "--tolerance", "0.1", "--move", "cube/cube=-6,0,0"});
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "1 clash, 0 contacts; tolerance"));
  // A finding that is undecided now was not checked again.
  CHECK(fitup({"check", "bowl.obj", "cube.obj", "--tolerance", "0.1", "--move", "cube/cube=-6,0,0",
               "--report", "before.json"})
            .exitCode == 1);
  result = fitup({"diff", "before.json", "r.json"});
  INFO(result.text());
  CHECK(result.exitCode == 3);
  CHECK(contains(result.out, "its verdict is undecided"));
}

}  // namespace verdict_tests

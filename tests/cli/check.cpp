#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include <fitup/hierarchy/kind.h>
#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <fitup_field/field_kinds.h>

#include "support/command_line.h"
#include "support/sealed_model_file.h"

namespace check_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr const char* nothing = "no interference found\n";

}  // namespace

TEST_CASE("nothing found: exit code 0", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  const ProgramResult result = fitup({"check", "row.fitup"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(result.out.starts_with(nothing));
  CHECK(contains(result.out, "\ncomplete\n"));
  CHECK(contains(result.out, "0 of 6 pairs of parts"));
  CHECK(result.err.empty());
}

TEST_CASE("a check without a pair to look at says so, and is not complete", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(1, "one.fitup");
  fitup.writeRow(3);
  ProgramResult result =
      fitup({"check", "one.fitup", "--report", "r.json", "--report", "r.html", "--report", "r.csv"});
  CHECK(result.exitCode == 3);
  CHECK(contains(result.out, "nothing was checked: the model has fewer than two parts\n"));
  CHECK_FALSE(contains(result.out, "no interference found"));
  CHECK_FALSE(contains(result.out, "complete"));
  const auto requireSaid = [&](const std::string& why) {
    CHECK(contains(fitup.text("r.json"), R"("status": "truncated")"));
    CHECK(contains(fitup.text("r.json"),
                   "\"message\": \"nothing was checked: " + why + "\",\n   \"incomplete\": true"));
    CHECK(contains(fitup.text("r.html"), R"("nothingChecked":true)"));
    CHECK(contains(fitup.text("r.csv"), "# status,truncated\n# incomplete,,nothing was checked: " + why));
  };
  requireSaid("the model has fewer than two parts");
  // Nothing is new, but only because nothing was checked.
  CHECK(fitup({"diff", "r.json", "r.json"}).exitCode == 3);
  const auto rules = [&](const std::string& a, const std::string& b) {
    writeText(fitup.file("rules.json"), R"({"format": "fitup-rules", "version": 2, "rules": [{"a": ")" + a +
                                            R"(", "b": ")" + b + R"(", "action": "ignore"}]})");
    return fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0,0", "--move", "row/cube-2=-1.5,0,0",
                  "--rules", "rules.json", "--report", "r.json", "--report", "r.html", "--report", "r.csv"});
  };
  result = rules("*", "*");
  INFO(result.text());
  CHECK(result.exitCode == 3);
  CHECK(contains(result.out, "nothing was checked: rules leave out every pair of parts\n"));
  requireSaid("rules leave out every pair of parts");
  // One pair remains, and is found.
  CHECK(rules("row/cube-0", "*").exitCode == 1);
  CHECK(contains(fitup.text("r.json"), R"("status": "complete")"));
  CHECK(contains(fitup.text("r.html"), R"("nothingChecked":false)"));
}

TEST_CASE("each of several files may have a unit of its own", "[cli][check]") {
  const CommandLine fitup;
  const auto cube = [](double size) {
    std::string text;
    for (int k = 0; k < 8; ++k)
      text += "v " + std::to_string(k & 1 ? size : 0) + " " + std::to_string(k & 2 ? 2 * size : 0) + " " +
              std::to_string(k & 4 ? 3 * size : 0) + "\n";
    return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  };
  writeText(fitup.file("metric.obj"), cube(25.4));
  writeText(fitup.file("inches.obj"), cube(1));
  const std::string said = "differ by 25.4";
  ProgramResult info = fitup({"info", "metric.obj", "inches.obj"});
  CHECK(contains(info.text(), said));
  writeText(fitup.file("large.obj"), cube(300));  // fits neither ratio
  CHECK(contains(fitup({"info", "large.obj", "metric.obj", "inches.obj"}).text(), said));
  info = fitup({"info", "metric.obj", "inches.obj:in"});
  INFO(info.text());
  CHECK_FALSE(contains(info.text(), said));
  CHECK(contains(info.out, "box            25.4 x 50.8 x 76.2 mm"));
  // The first line gives their common unit.
  CHECK(contains(fitup({"info", "inches.obj:in", "metric.obj"}).out, "box            1 x 2 x 3 in"));
  CHECK(contains(fitup({"info", "inches.obj:in"}).out, "unit           in"));
  CHECK(contains(fitup({"info", "inches.obj:in", "metric.obj", "--unit", "mm"}).out, "1 x 2 x 3 in"));
  writeText(fitup.file("odd.obj:in"), cube(1));  // a file's own name takes precedence
  CHECK(fitup({"info", "odd.obj:in"}).exitCode == 2);
  CHECK(fitup({"info", "metric.obj:parsec"}).exitCode == 2);
}

TEST_CASE("a shift moves an instance or a subassembly in the world", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  ProgramResult result = fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0,0"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(result.out.starts_with("1 pair of parts intersects: "));
  CHECK(contains(result.out,
                 "  row/cube-0  x  row/cube-1: 20 pairs of faces, 52 pairs of triangles\n    face 1 '+x'  "
                 "x  face 2 '-y'\n"));
  // All move together.
  CHECK(fitup({"check", "row.fitup", "--move", "row=1.5,0.25,-1e3"}).exitCode == 0);
  // Moves are applied in sequence.
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0,0", "--move", "row/cube-0=-1.5,0,0"})
            .exitCode == 0);
  // The option takes one move, so a file may follow it.
  CHECK(fitup({"check", "--move", "row/cube-0=1.5,0,0", "row.fitup"}).exitCode == 1);
}

TEST_CASE("a turn is about the middle of the moved box", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  // A cube turned by any angle about its middle stays within 0.87 of it, clear of the next one at a distance
  // of 2.
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-2=0,0,0,1,1,0,54.7"}).exitCode == 0);
  // The corner of a cube turned by 45 degrees about z reaches sqrt(1/2) = 0.7071 along x, not 0.5.
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-2=-0.78,0,0,0,0,1,45"}).exitCode == 0);
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-2=-0.80,0,0,0,0,1,45"}).exitCode == 1);
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-2=-0.80,0,0,0,0,1,0"}).exitCode == 0);
  // The length of the axis does not matter.
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-2=-0.80,0,0,0,0,1e300,45"}).exitCode == 1);
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-2=-0.80,0,0,0,0,1e-300,45"}).exitCode == 1);
  // The row turns about its own middle, cube-1: nothing within it meets.
  CHECK(fitup({"check", "row.fitup", "--move", "row=0,0,0,0,0,1,90"}).exitCode == 0);
}

TEST_CASE("a report says what was moved, and names the file's own contents", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  CHECK(fitup({"check", "row.fitup", "--report", "design.json"}).exitCode == 0);
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=0,0,9", "--report", "moved.json"}).exitCode == 0);
  const ReportedModel design = readReport(fitup.file("design.json")).model,
                      moved = readReport(fitup.file("moved.json")).model;
  CHECK(design.placed.empty());
  CHECK(moved.hash == design.hash);
  REQUIRE(moved.placed.size() == 1);
  CHECK(moved.placed[0].path == "row/cube-0");
  CHECK(moved.placed[0].worldFromPart.t.z == 9);
}

TEST_CASE("moves that cannot be read or applied are explained", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const auto problem = [&](const std::string& move, const std::vector<std::string>& pieces) {
    return problemOfFailure(fitup({"check", "row.fitup", "--move", move}), pieces);
  };
  CHECK(problem("row/cube-9=1,0,0", {"'row/cube-9'", "row/cube-0"}) == "");
  CHECK(problem("cube-1=1,0,0", {"'cube-1'", "row/cube-1"}) == "");
  CHECK(problem("row/Cube-1=1,0,0", {"row/cube-1"}) == "");
  CHECK(problem("row/cube-1", {"--move", "PATH=x,y,z"}) == "");
  CHECK(problem("row/cube-1=", {"--move", "number 1"}) == "");
  CHECK(problem("row/cube-1=1,2", {"--move", "3 or 7 numbers"}) == "");
  CHECK(problem("row/cube-1=1,2,3,4", {"--move", "3 or 7 numbers"}) == "");
  CHECK(problem("row/cube-1=1,2,x", {"--move", "number 3"}) == "");
  CHECK(problem("row/cube-1=1,2,3x", {"--move", "number 3"}) == "");
  CHECK(problem("row/cube-1=1,2,3,", {"--move", "number 4"}) == "");
  CHECK(problem("row/cube-1=1,nan,3", {"--move", "number 2"}) == "");
  CHECK(problem("row/cube-1=1,2,1e999", {"--move", "number 3"}) == "");
  CHECK(problem("row/cube-1=1,2,inf", {"--move", "number 3"}) == "");
  CHECK(problem("row/cube-1=0,0,0,0,0,0,90", {"--move", "axis"}) == "");
  CHECK(problem("row/cube-1=0,-2e30,0", {"--move", "the largest coordinate"}) == "");
  CHECK(problemOfFailure(fitup({"mates", "row.fitup", "--move", "row=1e300,0,0"}), {"--move"}) == "");
  CHECK(
      problemOfFailure(fitup({"explain", "row.fitup", "row/cube-0", "row/cube-1", "--move", "row=1e300,0,0"}),
                       {"--move"}) == "");
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=1e30,0,0"}).exitCode == 0);
}

TEST_CASE("modes find one, all surfaces or all triangles", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const auto run = [&](const std::string& mode) {
    return fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0.25,0.25", "--mode", mode});
  };
  const ProgramResult first = run("first"), surfaces = run("surfaces"), triangles = run("triangles");
  for (const ProgramResult& result : {first, surfaces, triangles}) {
    INFO(result.text());
    CHECK(result.exitCode == 1);
    CHECK(result.out.starts_with("1 pair of parts intersects: "));
  }
  CHECK(contains(first.out, "intersects: 1 pair of faces\n"));
  CHECK(contains(surfaces.out, "intersects: 6 pairs of faces\n"));
  CHECK(contains(triangles.out, "intersects: 6 pairs of faces, "));
  CHECK_FALSE(contains(surfaces.out, "pairs of triangles"));
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0.25,0.25"}).out.substr(0, 80) ==
        triangles.out.substr(0, 80));  // the default
}

TEST_CASE("the overlap box and plain code change counts, not answers", "[cli][check]") {
  const CommandLine fitup;
  fitup.writePlant();
  const auto answer = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"check", "plant.fitup"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = fitup(arguments);
    CHECK(result.exitCode == 1);
    return result.out.substr(0, result.out.find("complete\n"));
  };
  const std::string expected = answer({});
  CHECK(contains(expected, "8 pairs of faces, 880 pairs of triangles"));
  CHECK(contains(expected, "    face 1 (cylinder d 102.2)  x  face 5 (plane)\n"));
  CHECK(answer({"--overlap-box", "off"}) == expected);
  CHECK(answer({"--overlap-box", "classical"}) == expected);
  CHECK(answer({"--scalar"}) == expected);
  CHECK(answer({"--threads", "0"}) == expected);
}

TEST_CASE("every kind of hierarchy finds the same, also in a file that does not keep it", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(4);
  const std::vector<std::string> moved{"check", "row.fitup", "--move", "row/cube-0=1.5,0,0"};
  const auto findings = [](const ProgramResult& result) {
    return result.out.substr(0, result.out.find("\ncomplete\n"));
  };
  const ProgramResult usual = fitup(moved);
  REQUIRE(usual.exitCode == 1);
  REQUIRE(contains(usual.out, "\ncomplete\n"));
  for (const HierarchyKind kind : field::allHierarchyKinds())
    for (const char* test : {"usual", "aligned"}) {
      std::vector<std::string> arguments = moved;
      arguments.insert(arguments.end(), {"--hierarchy", std::string(name(kind)), "--box-test", test});
      const ProgramResult result = fitup(arguments);
      INFO(name(kind) << ", " << result.text());
      CHECK(result.exitCode == 1);
      CHECK(findings(result) == findings(usual));
      CHECK(result.err.empty());
    }
  const ProgramResult info =
      fitup({"info", "row.fitup", "--hierarchy", "opcode", "--hierarchy", "opcode-quantized"});
  INFO(info.text());
  CHECK(contains(info.out, "opcode-quantized"));
  CHECK(contains(info.out, "bytes per triangle"));
  CHECK(fitup({"info", "row.fitup", "--hierarchy", "kd"}).exitCode == 2);
  CHECK(fitup({"check", "row.fitup", "--box-test", "sixteen"}).exitCode == 2);
}

TEST_CASE("a limit makes the answer incomplete, and it says so", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const std::string move = "row/cube-0=1.5,0.25,0.25";
  ProgramResult result = fitup({"check", "row.fitup", "--move", move, "--max-pairs", "2"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "2 pairs of triangles"));
  CHECK(contains(result.out, "\ntruncated"));

  // Nothing found, but not everything was checked: neither 0 nor 1.
  for (const std::vector<std::string>& limit :
       {std::vector<std::string>{"--max-pairs", "0"}, {"--time-budget", "0"}}) {
    result = fitup({"check", "row.fitup", "--move", move, limit[0], limit[1]});
    INFO(result.text());
    CHECK(result.exitCode == 3);
    CHECK(result.out.starts_with(nothing));
    CHECK(contains(result.out, "\ntruncated"));
  }
  // A limit that is not reached changes nothing.
  CHECK(contains(fitup({"check", "row.fitup", "--move", move, "--max-pairs", "1000"}).out, "\ncomplete\n"));
}

TEST_CASE("touching can be left out", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=1,1,0"}).exitCode == 1);
  CHECK(fitup({"check", "row.fitup", "--move", "row/cube-0=1,1,0", "--exclude-touching"}).exitCode == 0);
}

TEST_CASE("rules leave pairs out", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  writeText(fitup.file("rules.json"),
            R"({"format": "fitup-rules", "version": 1, "ignore": [{"a": "*/cube-0", "b": "*/cube-1"}]})");
  const std::string move = "row/cube-0=1.5,0,0";
  CHECK(fitup({"check", "row.fitup", "--move", move}).exitCode == 1);
  const ProgramResult result = fitup({"check", "row.fitup", "--move", move, "--rules", "rules.json"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "1 of them left out by rules"));
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--rules", "none.json"}), {"none.json"}) == "");
  writeText(fitup.file("broken.json"), "{\"format\": \"fitup-rules\"");
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--rules", "broken.json"}), {"broken.json"}) == "");
}

TEST_CASE("several files form one assembly", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(2, "row.fitup");
  fitup.writeRow(2, "other.fitup");
  const ProgramResult result = fitup({"check", "row.fitup", "other.fitup"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(result.out.starts_with("2 pairs of parts intersect: "));  // each cube with its twin
  CHECK(contains(result.out, "  row/row/cube-1  x  other/row/cube-1: 30 pairs of faces"));
  CHECK(fitup({"check", "row.fitup", "other.fitup", "--move", "other=0,5,0"}).exitCode == 0);
  // The same file twice: numbered.
  const ProgramResult twice = fitup({"check", "row.fitup", "row.fitup", "--move", "row#2=0,0,1.5"});
  INFO(twice.text());
  CHECK(twice.exitCode == 0);
}

TEST_CASE("the list on the screen can be cut", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const auto linesOf = [&](const std::string& list) {  // 2 pairs of cubes with 6 pairs of faces each
    const ProgramResult result = fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0.25,0.25", "--move",
                                        "row/cube-2=-1.5,0.25,0.25", "--mode", "surfaces", "--list", list});
    INFO(result.text());
    CHECK(result.out.starts_with("3 pairs of parts intersect: "));
    CHECK(contains(result.out, "--list") == (list != "100"));
    std::size_t lines = 0;
    for (std::size_t at = result.out.find("  x  "); at != std::string::npos;
         at = result.out.find("  x  ", at + 1))
      ++lines;
    return lines;
  };
  const std::size_t all = linesOf("100");
  CHECK(all > 3 + 12);
  CHECK(linesOf("0") == 0);
  CHECK(linesOf("1") == 1);
  CHECK(linesOf("3") == 3);
  CHECK(linesOf("9") == 9);
  CHECK(linesOf(std::to_string(all - 1)) < all);
}

TEST_CASE("geometry that is missing makes the answer incomplete", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  Model model = readModelFile(fitup.file("row.fitup"));
  model.warnings.push_back({"row/cube-0", "face 3 has no triangles", true});
  model.warnings.push_back({"row/cube-1", "has an odd colour", false});
  writeModelFile(fitup.file("holed.fitup"), model);
  for (const std::string command : {"check", "info"}) {
    const ProgramResult result = fitup({command, "holed.fitup"});
    INFO(result.text());
    CHECK(result.exitCode == 3);
    CHECK(result.err ==
          "missing: row/cube-0: face 3 has no triangles\nwarning: row/cube-1: has an odd colour\n");
  }
  CHECK(fitup({"check", "holed.fitup", "--move", "row/cube-0=1.5,0,0"}).exitCode ==
        1);  // a finding counts in any case
  // Among several files, an element's name begins with its file.
  const ProgramResult both = fitup({"check", "holed.fitup", "holed.fitup", "--verbose"});
  CHECK(contains(both.err, "missing: holed#1/row/cube-0: "));
  CHECK(contains(both.err, "missing: holed#2/row/cube-0: "));
}

TEST_CASE("a model file with forged boxes is refused unless it is trusted", "[cli][check][forged]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  // Forged boxes without extent, on one side.
  rewriteModelFile(fitup.file("row.fitup"), fitup.file("forged.fitup"), fitup::detail::BlockKind::wideNodes,
                   [](std::string& bytes) {
                     std::vector<WideNode> nodes(bytes.size() / sizeof(WideNode));
                     std::memcpy(nodes.data(), bytes.data(), bytes.size());
                     for (WideNode& node : nodes) {
                       node.centre[0].fill(0.9F);
                       for (auto& half : node.half) half.fill(0);
                     }
                     std::memcpy(bytes.data(), nodes.data(), bytes.size());
                   });
  const std::string move = "row/cube-0=1.5,0.25,0.25";
  CHECK(fitup({"check", "row.fitup", "--move", move}).exitCode == 1);
  CHECK(fitup({"check", "row.fitup", "--trust", "--move", move}).exitCode == 1);
  for (const std::string command : {"check", "info"}) {
    const ProgramResult refused = fitup({command, "forged.fitup"});
    INFO(refused.text());
    CHECK(refused.exitCode == 2);
    CHECK(contains(refused.err, "forged.fitup: block wide tree of mesh 0: part '"));
    CHECK(contains(refused.err, "a corner lies outside the box of child 0"));
  }
  // A run that trusts them misses the intersections.
  CHECK(fitup({"check", "forged.fitup", "--trust", "--move", move}).exitCode == 0);
}

TEST_CASE("intersection lines are written as OBJ", "[cli][check]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  const ProgramResult result =
      fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0.25,0.25", "--lines", "lines.obj"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "lines: lines.obj\n"));
  const std::string text = fitup.text("lines.obj");
  CHECK(text.starts_with("# unit: mm\no row/cube-0_x_row/cube-1\nv "));
  CHECK(contains(text, "\nl 1 2\n"));
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--lines", "lines.stl"}), {"lines.stl"}) == "");
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--mode", "first", "--lines", "lines.obj"}),
                         {"triangles"}) == "");
}

}  // namespace check_tests

#include <catch2/catch.hpp>

#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"

namespace models_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("the plant is generated with its track and shown", "[cli]") {
  const CommandLine fitup;
  const ProgramResult made = fitup({"generate", "plant", "plant.fitup"});
  INFO(made.text());
  REQUIRE(made.exitCode == 0);
  CHECK(contains(made.out, "plant.fitup"));
  CHECK(contains(made.out, "plant.track.json"));
  CHECK(readTrack(fitup.file("plant.track.json")).steps.size() == 233);

  const ProgramResult info = fitup({"info", "plant.fitup", "--tree", "--surfaces"});
  INFO(info.text());
  CHECK(info.exitCode == 0);
  CHECK(info.err.empty());
  for (const char* piece :
       {"instances      8", "surfaces       1073", "triangles      24415", "unit           mm",
        " bytes per triangle\n", "4320 x 2100 x 2900 mm", "    piping\n",
        "      spool  [61 faces, 3916 triangles]", "process-plant/equipment/pump face 1 (cylinder d 102.2)"})
    CHECK(contains(info.out, piece));
}

TEST_CASE("a plant whose spool comes out is generated with its clearance", "[cli]") {
  const CommandLine fitup;
  const ProgramResult made = fitup({"generate", "plant", "clear.fitup", "--clearance", "0.5"});
  INFO(made.text());
  REQUIRE(made.exitCode == 0);
  CHECK(contains(made.out, "track: "));
  CHECK(readTrack(fitup.file("clear.track.json")).steps.size() == 218);
  const ProgramResult contact =
      fitup({"first-contact", "clear.fitup", "clear.track.json", "--clearance", "0.499"});
  INFO(contact.text());
  CHECK(contact.exitCode == 0);
  CHECK(contains(contact.out, "nothing is nearer than 0.499 mm from step 0 to step 217"));
  const ProgramResult verdicts =
      fitup({"replay", "clear.fitup", "clear.track.json", "--verdict", "--tolerance", "0.1"});
  INFO(verdicts.text());
  CHECK(verdicts.exitCode == 0);
  CHECK(contains(verdicts.out, "0 of 218 steps clash, 0 have contact"));
  CHECK(contains(fitup({"generate", "--help"}).out, "--clearance"));
}

TEST_CASE("a scene for ways out is generated with the way that is known", "[cli]") {
  const CommandLine fitup;
  const ProgramResult made = fitup({"generate", "alpha", "alpha.fitup"});
  INFO(made.text());
  REQUIRE(made.exitCode == 0);
  CHECK(contains(made.out, "track: alpha.track.json"));
  const ProgramResult certified = fitup({"certify", "alpha.fitup", "alpha.track.json", "--clearance", "2.4"});
  INFO(certified.text());
  CHECK(certified.exitCode == 0);
  CHECK(fitup({"certify", "alpha.fitup", "alpha.track.json", "--clearance", "2.6"}).exitCode == 1);
  const ProgramResult locked = fitup({"generate", "alpha", "locked.fitup", "--gap", "0.9"});
  CHECK(locked.exitCode == 0);
  CHECK_FALSE(contains(locked.out, "track:"));
}

TEST_CASE("every model that the help names is generated", "[cli]") {
  const CommandLine fitup;
  struct Case {
    std::vector<std::string> arguments;
    std::string piece;
  };
  for (const auto& [arguments, piece] :
       {Case{{"grid", "m.fitup"}, "triangles      414720"},
        Case{{"torus", "m.fitup"}, "triangles      5000 "},
        Case{{"torus", "m.fitup", "--triangles", "2000", "--patches", "4"}, "surfaces       16 "},
        Case{{"spheres", "m.fitup", "--triangles", "320", "--gap", "0.01"}, "instances      2"},
        Case{{"wrinkled", "m.fitup", "--patches", "2"}, "triangles      200000"},
        Case{{"rods", "m.fitup"}, "surfaces       480 "},
        Case{{"large", "m.fitup", "--parts", "6", "--triangles", "3000"}, "distinct parts 7"},
        Case{{"large", "m.fitup", "--parts", "2"}, "instances      3"},
        Case{{"alpha", "m.fitup", "--gap", "1.1"}, "triangles      3032 "},
        Case{{"bug-trap", "m.fitup", "--gap", "1.1"}, "instances      2"},
        Case{{"flange", "m.fitup", "--gap", "1.1"}, "surfaces       37 "},
        Case{{"ring", "m.fitup"}, "surfaces       2 "},
        Case{{"burr-3", "m.fitup", "--play", "0.1"}, "instances      3"},
        Case{{"burr-6", "m.fitup", "--play", "0.1", "--locked"}, "instances      6"},
        Case{{"pump-cover", "m.fitup", "--play", "0.3"}, "instances      7"},
        Case{{"peg", "m.fitup", "--play", "0.01"}, "surfaces       10 "}}) {
    std::vector<std::string> command{"generate"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const ProgramResult made = fitup(command);
    INFO(made.text());
    REQUIRE(made.exitCode == 0);
    const ProgramResult info = fitup({"info", "m.fitup"});
    INFO(info.text());
    CHECK(info.exitCode == 0);
    CHECK(contains(info.out, piece));
  }
}

TEST_CASE("what cannot be generated is refused", "[cli]") {
  const CommandLine fitup;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"generate", "plnt", "a.fitup"},
        {"generate", "torus", "a.fitup", "--triangles", "0"},
        {"generate", "torus", "a.fitup", "--triangles", "-5"},
        {"generate", "torus", "a.fitup", "--patches", "0"},
        {"generate", "large", "a.fitup", "--parts", "0"},
        {"generate", "large", "a.fitup", "--parts", "10", "--triangles", "499"},
        {"generate", "large", "a.fitup", "--parts", "10", "--triangles", "500001"},
        {"generate", "spheres", "a.fitup", "--gap", "-1"},
        {"generate", "torus", "a.fitup", "--triangles", "5000", "--patches", "1000"},
        {"generate", "wrinkled", "a.fitup", "--patches", "1000"},
        {"generate", "plant", "a.fitup", "--clearance", "0"},
        {"generate", "plant", "a.fitup", "--clearance", "-0.5"},
        {"generate", "plant", "a.fitup", "--clearance", "10.5"},
        {"generate", "plant", "a.fitup", "--clearance", "nan"},
        {"generate", "plant", "a.fitup", "--clearance", "wide"},
        // Options of other models.
        {"generate", "torus", "a.fitup", "--parts", "5"},
        {"generate", "torus", "a.fitup", "--clearance", "1"},
        {"generate", "plant", "a.fitup", "--triangles", "5"},
        {"generate", "spheres", "a.fitup", "--patches", "3"},
        {"generate", "grid", "a.fitup", "--gap", "1"},
        {"generate", "ring", "a.fitup", "--gap", "1.2"},
        {"generate", "alpha", "a.fitup", "--play", "0.2"},
        {"generate", "burr-3", "a.fitup", "--locked"},
        {"generate", "alpha", "a.fitup", "--gap", "0"},
        {"generate", "bug-trap", "a.fitup", "--gap", "1"},
        {"generate", "flange", "a.fitup", "--gap", "1"},
        {"generate", "burr-3", "a.fitup", "--play", "2"},
        {"generate", "burr-6", "a.fitup", "--play", "0"},
        {"generate", "pump-cover", "a.fitup", "--play", "0"},
        {"generate", "peg", "a.fitup", "--play", "0.001"},
        {"generate", "spheres", "a.fitup", "--gap", "nan"}}) {
    const ProgramResult result = fitup(arguments);
    INFO(arguments[1] << " " << arguments.back() << "\n" << result.text());
    CHECK(result.exitCode == 2);
    CHECK(result.err.starts_with("fitup: "));
  }
  CHECK(problemOfFailure(fitup({"generate", "plant", "a.obj"}), {"a.obj", "'.obj'", ".fitup"}) == "");
  CHECK(problemOfFailure(fitup({"generate", "plant", "a.fitup", "--clearance", "0"}),
                         {"clearance 0", "above 0 and at most 10 mm"}) == "");
  CHECK(problemOfFailure(fitup({"generate", "torus", "no/such/folder/a.fitup"}),
                         {"no/such/folder/a.fitup"}) == "");
  CHECK(fitup.folder().entryCount() == 0);
}

TEST_CASE("a model is not written where its track cannot be", "[cli]") {
  const CommandLine fitup;
  std::filesystem::create_directory(fitup.file("plant.track.json"));
  CHECK(problemOfFailure(fitup({"generate", "plant", "plant.fitup"}),
                         {"plant.track.json: cannot write: Is a directory"}) == "");
  CHECK(fitup.folder().entryCount() == 1);
  CHECK(fitup({"generate", "torus", "plant.fitup"}).exitCode == 0);  // a torus has none
  CHECK(contains(fitup({"generate", "--help"}).out, "plant.track.json for plant.fitup"));
}

TEST_CASE("info shows several files as one assembly", "[cli]") {
  const CommandLine fitup;
  fitup.writeRow(2, "row.fitup");
  fitup.writeRow(3, "other.fitup");
  const ProgramResult info = fitup({"info", "row.fitup", "other.fitup", "--tree"});
  INFO(info.text());
  CHECK(info.exitCode == 0);
  CHECK_FALSE(info.out.starts_with("\n"));
  CHECK(contains(info.out, "instances      5"));
  CHECK(contains(info.out, "\n  row\n    row\n      cube-0"));
  CHECK(contains(info.out, "\n  other\n    row\n      cube-0"));
}

}  // namespace models_tests

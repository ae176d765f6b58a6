#include <catch2/catch.hpp>

#include <fitup/base/version.h>
#include <fitup/io/formats.h>

#include "support/command_line.h"

namespace help_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("help shows commands, examples and exit codes", "[cli]") {
  const CommandLine fitup;
  const ProgramResult help = fitup({"--help"});
  INFO(help.text());
  CHECK(help.exitCode == 0);
  CHECK(help.err.empty());
  for (const char* piece :
       {"info", "check", "replay", "generate", "convert", "Examples:", "Exit codes:", "Usage: fitup "})
    CHECK(contains(help.out, piece));
}

TEST_CASE("help of each command shows how to call it", "[cli]") {
  const CommandLine fitup;
  for (const std::string command : {"info", "check", "explain", "mates", "replay", "generate", "convert"}) {
    const ProgramResult help = fitup({command, "--help"});
    INFO(help.text());
    CHECK(help.exitCode == 0);
    CHECK(contains(help.out, "Usage: fitup " + command));
    CHECK(contains(help.out, "Examples:\n  fitup " + command + " "));
    CHECK(help.err.empty());
  }
}

TEST_CASE("help names every format that is read", "[cli]") {
  const CommandLine fitup;
  for (const std::string command : {"info", "check"}) {
    const std::string help = fitup({command, "--help"}).out;
    for (const FileFormat& format : fileFormats())
      if (format.isModel()) {
        INFO(help << format.extension);
        CHECK(contains(help, std::string(format.extension)));
      }
  }
}

TEST_CASE("help of convert names what is written", "[cli]") {
  const CommandLine fitup;
  const std::string help = fitup({"convert", "--help"}).out;
  for (const char* extension : {".fitup", ".obj", ".mtl", ".glb", ".json", ".csv"})
    CHECK(contains(help, extension));
  CHECK(contains(help, "\n  fitup convert assembly.step assembly.glb\n"));
}

TEST_CASE("the two parts of a question are called A and B", "[cli]") {
  const CommandLine fitup;
  CHECK(contains(fitup({"explain", "--help"}).out, "Usage: fitup explain [OPTIONS] FILE A B\n"));
  CHECK(contains(fitup({"distance", "--help"}).out, "Usage: fitup distance [OPTIONS] FILE [A] [B]\n"));
  fitup.writeRow(2);
  for (const std::string command : {"explain", "distance"}) {
    const ProgramResult one = fitup({command, "row.fitup", "a"});
    INFO(one.text());
    CHECK(one.exitCode == 2);
    CHECK(contains(one.err, "B"));
    CHECK(contains(one.err, "fitup " + command + " --help"));
  }
}

TEST_CASE("options that take one value each time show so", "[cli]") {
  const CommandLine fitup;
  CHECK(contains(fitup({"info", "--help"}).out, "--hierarchy KIND  "));
  CHECK_FALSE(contains(fitup({"explain", "--help"}).out, "..."));  // --move
  for (const std::string command : {"check", "diff"})
    CHECK(contains(fitup({command, "--help"}).out, "--report TEXT  "));
  fitup.writeRow(2);
  const ProgramResult two = fitup({"info", "--hierarchy", "obb", "row.fitup", "--hierarchy", "scd"});
  INFO(two.text());
  CHECK(two.exitCode == 0);
  CHECK(contains(two.out, "\n    obb "));
  CHECK(contains(two.out, "\n    scd "));
}

TEST_CASE("the version is the library's", "[cli]") {
  const ProgramResult result = CommandLine()({"--version"});
  CHECK(result.exitCode == 0);
  CHECK(result.out == "fitup " + std::string(version) + "\n");
}

TEST_CASE("a command line that makes no sense is answered with where to read on", "[cli]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  struct Case {
    std::vector<std::string> arguments, pieces;
  };
  for (const auto& [arguments, pieces] :
       {Case{{}, {"fitup --help"}},
        Case{{"chekc"}, {"'chekc'", "fitup --help"}},
        Case{{"--nonsense"}, {"--nonsense"}},
        Case{{"check"}, {"FILE", "fitup check --help"}},
        Case{{"replay", "row.fitup"}, {"TRACK"}},
        Case{{"convert", "row.fitup"}, {"OUT"}},
        Case{{"check", "row.fitup", "--mod", "first"}, {"--mod", "fitup check --help"}},
        Case{{"check", "row.fitup", "--max-piars", "3"}, {"'--max-piars' is not an option of this command"}},
        Case{{"distance", "row.fitup", "--wihtin", "5"},
             {"'--wihtin' is not an option of this command", "fitup distance --help"}},
        Case{{"distance", "row.fitup", "--wihtin=5", "--list", "3"},
             {"'--wihtin' is not an option of this command"}},
        Case{{"explain", "row.fitup", "--mvoe", "x", "a", "b"},
             {"'--mvoe' is not an option of this command"}},
        Case{{"mates", "row.fitup", "-x", "a"}, {"'-x' is not an option of this command"}},
        Case{{"check", "row.fitup", "--mode", "firstt"}, {"firstt", "{first,surfaces,triangles}"}},
        Case{{"check", "row.fitup", "--mode", "0"}, {"--mode"}},
        Case{{"check", "row.fitup", "--overlap-box", "maybe"}, {"maybe", "{on,off,classical}"}},
        Case{{"check", "row.fitup", "--max-pairs", "-1"}, {"--max-pairs", "-1"}},
        Case{{"check", "row.fitup", "--max-pairs", "3.5"}, {"--max-pairs"}},
        Case{{"check", "row.fitup", "--threads", "-1"}, {"--threads"}},
        Case{{"check", "row.fitup", "--threads", "two"}, {"--threads"}},
        Case{{"check", "row.fitup", "--time-budget", "-1"}, {"--time-budget"}},
        Case{{"check", "row.fitup", "--time-budget", "1e300"}, {"--time-budget"}},
        Case{{"check", "row.fitup", "--time-budget", "nan"},
             {"--time-budget: must be a number from 0 to 1000000, not 'nan'\n"}},
        Case{{"replay", "row.fitup", "t.json", "--time-budget", "nan"}, {"--time-budget"}},
        Case{{"first-contact", "row.fitup", "t.json", "--time-budget", "NaN"}, {"--time-budget"}},
        Case{{"distance", "row.fitup", "--within", "1", "--time-budget", "nan"}, {"--time-budget"}},
        Case{{"distance", "row.fitup", "--within", "inf"}, {"--within: must be a number from 0, not"}},
        Case{{"diff", "a.json", "b.json", "--tolerance", "nan"},
             {"--tolerance: must be a number from 0 to 1,"}},
        Case{{"check", "row.fitup", "--tolerance", "nan"}, {"--tolerance"}},
        Case{{"mates", "row.fitup", "--angle", "nan"}, {"--angle"}},
        Case{{"generate", "spheres", "s.fitup", "--gap", "nan"}, {"--gap"}},
        Case{{"check", "row.fitup", "--list", "-1"}, {"--list"}},
        Case{{"info", "row.fitup", "--segment", "nan"}, {"--segment"}},
        Case{{"info", "row.fitup", "--linear", "0"}, {"--linear: must be a number above 0, not '0'\n"}},
        Case{{"info", "row.fitup", "--linear", "nan"}, {"--linear: must be a number above 0, not 'nan'\n"}},
        Case{{"info", "row.fitup", "--linear", "0,5"}, {"--linear"}},
        Case{{"replay", "row.fitup", "t.json", "--paper"}, {"--paper", "--compare-settings"}},
        Case{{"replay", "row.fitup", "t.json", "--rounds", "3"}, {"--rounds", "--compare-settings"}},
        Case{{"replay", "row.fitup", "t.json", "--rounds", "0"}, {"--rounds"}}}) {
    const ProgramResult result = fitup(arguments);
    INFO(result.text());
    CHECK(result.exitCode == 2);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("fitup: "));
    for (const std::string& piece : pieces) CHECK(contains(result.err, piece));
  }
}

}  // namespace help_tests

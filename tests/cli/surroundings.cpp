#include <catch2/catch.hpp>

#include <fitup/io/track_file.h>

#include "support/command_line.h"
#include "support/german_locale.h"

namespace surroundings_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Times differ from run to run.
std::string withoutTimes(std::string text) {
  for (std::size_t at = text.find(" ms"); at != std::string::npos; at = text.find(" ms", at + 1)) {
    const std::size_t begin = text.find_last_not_of("0123456789.", at - 1) + 1;
    text.erase(begin, at - begin);
    at = begin;
  }
  return text;
}

}  // namespace

TEST_CASE("numbers do not depend on the user's locale", "[cli]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const std::vector<std::string> check{
      "check",    "row.fitup", "--move",        "row/cube-0=1.5,0.25,0.25,0,0,1,12.5",
      "--linear", "0.05",      "--time-budget", "60.5"};
  writeTrack(fitup.file("track.json"), {.moved = {"row/cube-0"}, .steps = {{{{}, {1.5, 0.125, 1234.5}}}}});
  const ProgramResult plain = fitup(check), plainInfo = fitup({"info", "row.fitup"});
  REQUIRE(fitup({"convert", "track.json", "plain.csv"}).exitCode == 0);

  const GermanLocale german;
  if (!german.isWhole()) WARN("no German locale of the C library: the package locales is absent");
  const ProgramResult local = fitup(check);
  INFO(local.text());
  CHECK(local.exitCode == 1);
  CHECK(withoutTimes(local.out) == withoutTimes(plain.out));
  CHECK(contains(local.out, " pairs of parts"));
  CHECK(fitup({"info", "row.fitup"}).out == plainInfo.out);
  REQUIRE(fitup({"convert", "track.json", "local.csv"}).exitCode == 0);
  CHECK(fitup.text("local.csv") == fitup.text("plain.csv"));
}

TEST_CASE("names beyond ASCII work for files, folders and parts", "[cli]") {
  const CommandLine fitup;
  const std::string folder = "Größe und Maß 日本";
  std::filesystem::create_directory(fitup.file(folder));
  const std::string model = folder + "/Rohr ½.fitup";
  fitup.writeRow(2, model);
  ProgramResult result =
      fitup({"check", model, "--move", "row/cube-0=1.5,0,0", "--report", folder + "/Bericht ä.json"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(contains(result.out, "report: " + folder + "/Bericht ä.json\n"));
  CHECK(contains(fitup.text(folder + "/Bericht ä.json"), "Rohr ½.fitup"));

  // The file's name becomes that of a subassembly, escaped if necessary.
  fitup.writeRow(2, "50 % Überdruck.fitup");
  result = fitup({"check", model, "50 % Überdruck.fitup", "--move", "50 %25 Überdruck/row=0,1.5,0"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(fitup({"check", model, "50 % Überdruck.fitup"}).exitCode == 1);

  CHECK(problemOfFailure(fitup({"info", folder + "/fehlt.fitup"}), {folder + "/fehlt.fitup"}) == "");
}

TEST_CASE("the same call gives the same words", "[cli]") {
  const CommandLine fitup;
  fitup.writePlant();
  const ProgramResult first = fitup({"check", "plant.fitup", "--report", "a.csv"});
  const ProgramResult second = fitup({"check", "plant.fitup", "--report", "a.csv", "--threads", "2"});
  CHECK(withoutTimes(first.out) == withoutTimes(second.out));
}

}  // namespace surroundings_tests

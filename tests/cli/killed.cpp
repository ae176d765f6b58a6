#include <catch2/catch.hpp>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>

#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"
#include "support/effort.h"

namespace killed_tests {

using namespace fitup;
using namespace fitup::test;
using namespace std::chrono_literals;

namespace {

struct KilledCommand {
  std::vector<std::string> arguments;
  std::string output;
  std::function<void(const std::filesystem::path&)> read;  ///< throws unless the file is complete
};

}  // namespace

TEST_CASE("the program killed at any moment leaves whole files and no others", "[cli][killed]") {
  const char* asked = std::getenv("FITUP_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : effort(3, 8);
  const CommandLine fitup;
  fitup.writePlant();
  REQUIRE(fitup({"convert", "plant.track.json", "track.csv"}).exitCode == 0);
  const std::vector<KilledCommand> commands{
      {{"generate", "torus", "torus.fitup", "--triangles", "20000"},
       "torus.fitup",
       [](const auto& file) { (void)readModelFile(file); }},
      {{"replay", "plant.fitup", "plant.track.json", "--report", "motion.json"},
       "motion.json",
       [](const auto& file) { (void)readReport(file); }},
      {{"convert", "track.csv", "track.json"}, "track.json", [](const auto& file) { (void)readTrack(file); }},
  };
  std::mt19937 random(11);
  for (const KilledCommand& command : commands) {
    INFO(command.output);
    const auto begin = std::chrono::steady_clock::now();
    (void)fitup(command.arguments);  // the old file
    const auto whole =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    const std::size_t entries = fitup.folder().entryCount();
    int killed = 0;
    for (int i = 0; i < kills; ++i) {
      RunOptions options;
      options.limit = std::chrono::milliseconds(random() % static_cast<unsigned>(whole.count() + 10));
      killed += fitup(command.arguments, options).timedOut;
      CHECK_NOTHROW(command.read(fitup.file(command.output)));
    }
    REQUIRE(fitup(command.arguments).exitCode <= 1);
    CHECK(fitup.folder().entryCount() == entries);
    if (asked != nullptr)
      std::cout << command.output << ": started " << kills << " times, killed " << killed
                << " times, whole each time" << std::endl;
  }
}

}  // namespace killed_tests

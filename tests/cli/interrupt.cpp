#include <catch2/catch.hpp>

#include "support/command_line.h"

namespace interrupt_tests {

using namespace fitup;
using namespace fitup::test;
using namespace std::chrono_literals;

TEST_CASE("Ctrl-C ends a long replay soon, and it says so", "[cli]") {
  const CommandLine fitup;
  fitup.writePlant();
  const ProgramResult result =
      fitup({"replay", "plant.fitup", "plant.track.json", "--compare-settings", "--rounds", "1000",
             "--report", "out.json"},
            {.folder = {}, .environment = {}, .limit = 60s, .interruptAfter = 1500ms});
  INFO(result.text());
  CHECK_FALSE(result.timedOut);
  // The limit is wide for slow and busy machines; the program looks at the flag 20 times a second.
  CHECK(result.afterInterrupt < 10s);
  CHECK((result.exitCode == 1 || result.exitCode == 3));  // found something before, or not
  CHECK(contains(result.out, "cancelled"));
  CHECK_FALSE(contains(result.out, "gain:"));
  CHECK(contains(result.out, "report: out.json"));  // what is known is written
}

}  // namespace interrupt_tests

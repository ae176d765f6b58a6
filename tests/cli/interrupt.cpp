#include <catch2/catch.hpp>

#include <fitup/io/model_file.h>

#include "support/command_line.h"
#include "support/tiny_meshes.h"

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
  // The limit is generous for slow and busy machines; the program checks the flag 20 times per second.
  CHECK(result.afterInterrupt < 10s);
  CHECK((result.exitCode == 1 || result.exitCode == 3));  // with or without a finding before
  CHECK(contains(result.out, "cancelled"));
  CHECK_FALSE(contains(result.out, "gain:"));
  CHECK(contains(result.out, "report: out.json"));  // the known part is written
}

TEST_CASE("Ctrl-C ends the building of hierarchies of a large part soon", "[cli]") {
  const CommandLine fitup;
  Model model;
  model.assembly = Assembly("large");
  model.assembly.addNode("sphere", {}, {}, model.assembly.addPart(icosphere(1, 8)));  // 1.3 million triangles
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(fitup.file("large.fitup"), model);
  for (const char* kind : {"obb", "box"}) {
    const ProgramResult result =
        fitup({"info", "large.fitup", "--hierarchy", kind},
              {.folder = {}, .environment = {}, .limit = 120s, .interruptAfter = 2000ms});
    INFO(kind << "\n" << result.text());
    // Generous, as above: without other load it ends within a second.
    CHECK(result.afterInterrupt < 6s);
    CHECK(result.exitCode == 3);
    CHECK(contains(result.err, "cancelled"));
  }
}

}  // namespace interrupt_tests

#include <catch2/catch.hpp>

#include <fitup/io/model_file.h>

#include "support/analytic_solids.h"
#include "support/command_line.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace info_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("info --self-intersections says which faces of a part cross, and what that means", "[cli][info]") {
  const CommandLine fitup;
  const auto write = [&](const char* file, const MeshPtr& mesh) {
    Model model;
    model.assembly = Assembly("one");
    model.assembly.addNode("one", {}, {}, model.assembly.addPart(mesh));
    model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
    writeModelFile(fitup.file(file), model);
  };
  write("sound.fitup", sixSidedBox(1, 1, 1, 2));
  ProgramResult result = fitup({"info", "sound.fitup", "--self-intersections"});
  INFO(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "  crossings      in 0 of 1 distinct parts\n"));
  CHECK_FALSE(contains(fitup({"info", "sound.fitup"}).out, "crossings"));

  // The upper end of the second box crosses a wall of the first one.
  write("union.fitup", joined({box(2, 2, 2), transformed(box(1, 1, 1), shift(1, 0.1, 0.2))}));
  result = fitup({"info", "union.fitup", "--self-intersections"});
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "  crossings      in 1 of 1 distinct parts\n"));
  CHECK(contains(result.out, "cross: closed shells cross each other; verdicts take their union\n"));
  CHECK(contains(result.out, "face 0 x face 1: "));
  CHECK(contains(result.out, ", as at (1, "));
  CHECK_FALSE(contains(result.out, "itself"));
}

}  // namespace info_tests

#include <catch2/catch.hpp>

#include <cstdlib>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// The assembly of support/write_test_step.cpp. `kind`: BREP or FACES.
std::filesystem::path writeIges(const TemporaryFolder& folder, const std::string& kind) {
  const auto file = folder / (kind + ".igs");
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + kind + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

}  // namespace

TEST_CASE("each solid of an IGES file is a part, in its place and colour", "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(writeIges(folder, "BREP"));
  const Assembly& assembly = model.assembly;
  REQUIRE(assembly.instances().size() == 7);  // two blocks, pin, two wedges, two balls
  CHECK(countsOf(model).faces == 29);
  CHECK(countsOf(model).untessellated == 0);
  CHECK_FALSE(isIncomplete(model));
  CHECK(assembly.unit() == "mm");
  int red = 0, blocks = 0, wedges = 0;
  for (const NodeId id : assembly.instances()) {
    const TriangleMesh& mesh = assembly.part(*assembly.node(id).part);
    const double volume = signedVolume(mesh);
    CHECK(volume > 0);
    blocks += volume == Approx(10 * 20 * 30);
    wedges += volume == Approx(0.5 * (10 + 4) * 20 * 30);
    const auto colour = assembly.node(id).colour ? assembly.node(id).colour : mesh.surfaces().front().colour;
    red += colour && colour->red > 0.99F && colour->blue < 0.01F && colour->green < 0.01F;
  }
  CHECK(blocks == 2);
  CHECK(wedges == 2);
  CHECK(red == 1);
  const Box left = assembly.worldBounds(assembly.at("plate-and-pins/left"));
  CHECK(left.min.x == Approx(100));
  CHECK(left.max.z == Approx(30));
}

TEST_CASE("loose faces of an IGES file are one part", "[importers]") {
  const TemporaryFolder folder;
  const Model model = import(writeIges(folder, "FACES"));
  REQUIRE(model.assembly.instances().size() == 1);
  CHECK(countsOf(model).faces == 29);
  CHECK_FALSE(isIncomplete(model));
}

TEST_CASE("an IGES file that is cut off, empty or something else is refused", "[importers]") {
  const TemporaryFolder folder;
  const std::string text = readText(writeIges(folder, "BREP"));
  const auto problem = [&](std::string_view contents) {
    writeText(folder / "bad.igs", contents);
    return messageOf<ImportError>([&] { (void)import(folder / "bad.igs"); });
  };
  CHECK_THAT(problem(""), Catch::Contains("refused: the file is empty"));
  CHECK_THAT(problem("ISO-10303-21;\n"), Catch::Contains("refused: not an IGES file"));
  for (const std::size_t part : {1, 2, 3})
    CHECK_THAT(problem(std::string_view(text).substr(0, text.size() * part / 4)),
               Catch::Contains("refused: the file is cut off"));
}

TEST_CASE("a face that an IGES file declares and that does not arrive is said", "[importers]") {
  const TemporaryFolder folder;
  std::string text = readText(writeIges(folder, "FACES"));
  // The surface of the first trimmed surface's parameters becomes a pointer to nothing.
  std::size_t digit = text.find("\n144,") + 5;
  REQUIRE(digit > 5);
  for (; text[digit] != ','; ++digit) text[digit] = '0';
  writeText(folder / "damaged.igs", text);
  const Model model = import(folder / "damaged.igs");
  CHECK(countsOf(model).faces == 28);
  REQUIRE(isIncomplete(model));
  CHECK(model.warnings.back() == ImportWarning{"file", "holds 29 faces, of which 1 did not arrive", true});
}
#endif

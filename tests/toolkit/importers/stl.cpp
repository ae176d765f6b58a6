#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace stl_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Model importStl(const std::string& text) {
  const TemporaryFolder folder;
  writeText(folder / "a.stl", text);
  return import(folder / "a.stl");
}

std::string facet(float x) {
  const std::string c = std::to_string(x);
  return "facet normal 0 0 1\n outer loop\n  vertex " + c +
         " 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n";
}

std::string binary(std::uint32_t announced, int facets) {
  std::string text(80, ' ');
  text.append(reinterpret_cast<const char*>(&announced), 4);
  for (int i = 0; i < facets; ++i) {
    const float numbers[12] = {0, 0, 1, float(i), 0, 0, 1, 0, 0, 0, 1, 0};
    text.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    text.append(2, '\0');
  }
  return text;
}

bool isAbsent() {
  if (hasAssimp()) return false;
  WARN("skipped: this build reads no STL");
  return true;
}

}  // namespace

TEST_CASE("solids of an STL file are parts, and no facet is lost", "[importers]") {
  if (isAbsent()) return;
  const Model model = importStl("solid one\n" + facet(0) + facet(1) + "endsolid one\nsolid two\n" + facet(0) +
                                "endsolid two\n");
  REQUIRE(model.assembly.partCount() == 2);
  CHECK(model.assembly.part(PartId(0)).name() == "one");
  CHECK(model.assembly.part(PartId(0)).triangleCount() == 2);  // one of them without area
  CHECK(model.assembly.part(PartId(0)).validation().degenerateTriangles == 1);
  CHECK(model.assembly.part(PartId(1)).sourceTriangle(TriangleId(0)) == 2);
  CHECK(model.warnings.empty());
}

TEST_CASE("binary STL files are read, points that coincide are one", "[importers]") {
  if (isAbsent()) return;
  const Model model = importStl(binary(3, 3));
  const TriangleMesh& mesh = model.assembly.part(PartId(0));
  CHECK(mesh.triangleCount() == 3);
  CHECK(mesh.points().size() == 4);  // (1, 0, 0) is a corner of two kinds
  CHECK(model.warnings.empty());
}

TEST_CASE("an STL file from which facets are missing is no complete answer", "[importers]") {
  if (isAbsent()) return;
  for (const std::string& text : {binary(1000, 3), binary(4, 3), binary(4, 3).substr(0, 84 + 120)})
    CHECK_THAT(messageOf<ImportError>([&] { (void)importStl(text); }),
               Catch::Contains("refused: neither ASCII STL nor binary STL: "));
  // Headers of binary files may begin like text files.
  std::string solid = binary(4, 4) + "x";
  solid.replace(0, 6, "solid ");
  CHECK_THAT(messageOf<ImportError>([&] { (void)importStl(solid); }),
             Catch::Contains("declares 4 facets, which take 284 bytes, but has 285"));
  CHECK_THAT(messageOf<ImportError>([&] { (void)importStl(""); }),
             Catch::Contains("refused: the file is empty"));
  // A facet of two corners must not be skipped, nor one of which half was read as the normal of the next.
  const std::string corners = "\n outer loop\n  vertex 1 0 0\n  vertex 0 1 0\n", end = " endloop\nendfacet\n";
  for (const std::string& damaged : {"facet normal 0 0 1" + corners + end,
                                     "facet normal 0 endfacet 1" + corners + "  vertex 0 0 0\n" + end}) {
    INFO(damaged);
    bool isSaid = false;
    try {
      isSaid = isIncomplete(importStl("solid x\n" + facet(0) + damaged + facet(0) + "endsolid x\n"));
    } catch (const ImportError& error) {
      isSaid = std::string(error.what()).find("refused: ") != std::string::npos;
    }
    CHECK(isSaid);
  }
}

TEST_CASE("an STL coordinate that is not finite is an error", "[importers]") {
  if (isAbsent()) return;
  std::string text = binary(1, 1);
  const float nan = std::nanf("");
  std::memcpy(text.data() + 84 + 12, &nan, sizeof nan);
  CHECK_THAT(messageOf<ImportError>([&] { (void)importStl(text); }), Catch::Contains("not finite"));
}

}  // namespace stl_tests

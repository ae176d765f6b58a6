#include <catch2/catch.hpp>

#include <cmath>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace obj_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Model importObj(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  writeText(folder / "some model.obj", text);
  return import(folder / "some model.obj", options);
}

std::string errorOf(const std::string& text) {
  const std::string message = messageOf<ImportError>([&] { (void)importObj(text); });
  return message.substr(message.find("some model.obj: ") + 16);
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

bool isAbsent() {
  if (meshImporter()) return false;
  WARN("skipped: the mesh importer is absent");
  return true;
}

}  // namespace

TEST_CASE("OBJ objects are parts and groups are surfaces", "[importers]") {
  if (isAbsent()) return;
  const Model model =
      importObj(square +
                "o first thing\ng left side\nf 1 2 3\ng right\nf 1 3 4\ng left side\nf -1 -2 -3\n"
                "o second\ng a\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\n");
  REQUIRE(model.assembly.partCount() == 2);
  CHECK(model.assembly.path(NodeId(0)) == "first thing");
  const TriangleMesh& first = model.assembly.part(PartId(0));
  REQUIRE(first.surfaces().size() == 2);
  CHECK(first.surfaces()[0].name == "left side");
  CHECK(first.surfaces()[0].triangleCount == 2);
  CHECK(first.sourceTriangle(TriangleId(0)) == 0);
  CHECK(first.sourceTriangle(TriangleId(1)) == 2);
  CHECK(first.sourceTriangle(TriangleId(2)) == 1);
  const TriangleMesh& second = model.assembly.part(PartId(1));
  REQUIRE(second.surfaces().size() == 2);
  CHECK(second.surfaces()[1].name == "a / blue");
}

TEST_CASE("OBJ files without groups are divided at sharp edges", "[importers]") {
  if (isAbsent()) return;
  const std::string roof = square + "v 0.5 0.5 1\nf 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  const Model model = importObj(roof);
  CHECK(model.assembly.part(PartId(0)).surfaces().size() == 5);
  CHECK(model.assembly.part(PartId(0)).name() == "some model");
  CHECK(signedVolume(model.assembly.part(PartId(0))) == Approx(1.0 / 3));
  ReadOptions one;
  one.segmentationAngle.reset();
  one.unit = "in";
  const Model whole = importObj(roof, one);
  CHECK(whole.assembly.part(PartId(0)).surfaces().size() == 1);
  CHECK(whole.assembly.unit() == "in");
}

TEST_CASE("polygons of OBJ files are cut without leaving their outline", "[importers]") {
  if (isAbsent()) return;
  // A U: its area is 9 - 4; a fan of triangles from the first corner would cover more.
  const Model model = importObj(
      "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 1/1/1 2/2 3//3 4 5 6 7 \\\n "
      "8\n");
  const TriangleMesh& mesh = model.assembly.part(PartId(0));
  CHECK(mesh.triangleCount() == 6);
  double area = 0;
  for (const Surface& surface : mesh.surfaces()) area += surface.fingerprint.area;
  CHECK(area == Approx(7));
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) CHECK(mesh.sourceTriangle(TriangleId(i)) == 0);
}

TEST_CASE("OBJ faces of no area are kept", "[importers]") {
  if (isAbsent()) return;
  const Model model = importObj(square + "f 1 1 2\nf 1 2 3\nf 1 1 1\n");
  CHECK(model.assembly.part(PartId(0)).triangleCount() == 3);
  CHECK(model.assembly.part(PartId(0)).validation().degenerateTriangles == 2);
}

TEST_CASE("odd but lawful OBJ files are read", "[importers]") {
  if (isAbsent()) return;
  CHECK(countsOf(importObj("\xEF\xBB\xBF# c\r\nv +1 2. .5e1 # c\r\nv 0 0 0 1\r\nv 1 0 0 0.5 0.5 0.5\r\n"
                           "vt 0 0\r\nvn 0 0 1\r\ns off\r\nf 1 2 3"))
            .triangles == 1);
  CHECK(countsOf(importObj("f 1 2 3\rv 0 0 0\rv 1 0 0\rv 0 1 0\r")).triangles == 1);
}

TEST_CASE("numbers of an OBJ file that are too small for a double are 0", "[importers]") {
  if (isAbsent()) return;
  const Model model = importObj("v 1e-400 -1e-5000 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const TriangleMesh& mesh = model.assembly.part(PartId{0});
  CHECK(mesh.origin() + mesh.triangle(TriangleId{0}).v[0] == Vec3{});
}

TEST_CASE("what an OBJ file holds beside its faces is said", "[importers]") {
  if (isAbsent()) return;
  CHECK(importObj(square + "f 1 2 3\n").warnings.empty());
  CHECK(importObj(square + "f 1 2 3\np 1\nl 1 2 3\n").warnings ==
        std::vector<ImportWarning>{
            {"file", "2 points and lines are left out because only faces are checked", false}});
  const Model freeForm = importObj(square + "f 1 2 3\nsurf 0 1 0 1 1 2 3 4\nparm u 0 1\nend\n");
  CHECK(freeForm.warnings == std::vector<ImportWarning>{
                                 {"file", "1 free-form surfaces are not supported; they are missing", true}});
}

TEST_CASE("errors of OBJ files name the line", "[importers]") {
  if (isAbsent()) return;
  CHECK(errorOf("") == "refused: the file is empty");
  CHECK(errorOf("# nothing\n") == "refused: holds no triangles");
  CHECK(errorOf("v 0 0\n") == "refused: line 1: a point needs three coordinates");
  CHECK(errorOf("v 0 0 nan\n") == "refused: line 1: a coordinate is not finite");
  CHECK(errorOf("v 0 0 1e400\n") == "refused: line 1: a coordinate is not finite");
  CHECK(errorOf("v 0 0 1,5\n") == "refused: line 1: '1,5' is not a number");
  CHECK(errorOf(square + "f 1 2 5\n") == "refused: line 5: index 5 of 4 points");
  CHECK(errorOf(square + "f 1 2 -5\n") == "refused: line 5: index -5 of 4 points");
  for (const char* far : {"-9223372036854775808", "-9223372036854775807", "9223372036854775807"})
    CHECK(errorOf(square + "f 1 2 " + far + "\n") ==
          "refused: line 5: index " + std::string(far) + " of 4 points");
  CHECK_THAT(errorOf(square + "f 1 2 9223372036854775808\n"), Catch::Contains("line 5: "));
  CHECK(errorOf(square + "f 1 2 0\n") == "refused: line 5: '0' is not an index (they count from 1)");
  CHECK(errorOf(square + "f 1 2\n") == "refused: line 5: a face needs at least three corners");
  CHECK(errorOf(std::string("v\0 0", 4)) == "refused: not an OBJ file in ASCII or UTF-8");
}

namespace {

const std::string refused =
    "is outside the file's folder and is not read; results do not depend on its colours";

/// Imports `text` as an OBJ file with `library` beside it as "paint box.mtl".
Model importWithLibrary(const std::string& text, const std::string& library) {
  const TemporaryFolder folder;
  writeText(folder / "paint box.mtl", library);
  writeText(folder / "some model.obj", text);
  return import(folder / "some model.obj");
}

}  // namespace

TEST_CASE("surfaces of an OBJ file have the colours of their materials", "[importers]") {
  if (isAbsent()) return;
  const Model model = importWithLibrary(
      square +
          "usemtl red\nf 1 2 3\nusemtl glass\nf 1 3 4\nusemtl grey\nf 1 2 4\nusemtl none\nf 2 3 4\n"
          "o roof\nusemtl red\nf 1 2 3\nf 1 3 4\n"
          "mtllib paint box.mtl\n",
      "\xEF\xBB\xBF# by hand\r\nnewmtl red\r\nKa 0 0 0\r\nKd 1 2.5e-1 -3 # too low\r\nnewmtl glass\r\n"
      "Tr .75\r\nKd 0 1e9 0.5\r\nnewmtl grey\r\nKd 0.5\r\nd -halo 0.25\r\nnewmtl none\r\nd 1\r\nnewmtl "
      "red\r\nKd 0 0 0\r\n");
  CHECK(model.warnings.empty());
  const auto surfaces = model.assembly.part(PartId(0)).surfaces();
  REQUIRE(surfaces.size() == 4);
  CHECK(surfaces[0].colour == Colour{1, 0.25F, 0, 1});
  CHECK(surfaces[1].colour == Colour{0, 1, 0.5F, 0.25F});
  CHECK(surfaces[2].colour == Colour{0.5F, 0.5F, 0.5F, 0.25F});
  CHECK_FALSE(surfaces[3].colour);
  // A part of one material is divided into patches, which have the colour of the part.
  for (const Surface& surface : model.assembly.part(PartId(1)).surfaces())
    CHECK(surface.colour == Colour{1, 0.25F, 0, 1});
  REQUIRE(model.source.referencedFiles.size() == 1);
  CHECK(model.source.referencedFiles[0].path == "paint box.mtl");
}

TEST_CASE("names of OBJ files and their materials may hold '#', comments stand apart", "[importers]") {
  if (isAbsent()) return;
  const Model model =
      importWithLibrary("mtllib paint box.mtl\n# written by C:\\temp\\\n" + square +
                            "o Box #1\nusemtl Material #1\nf 1 2 3 # a face\nusemtl Material #2\nf 1 3 4\n"
                            "o as1/bolt#2 # the second\nusemtl Material #2\nf 1 2 3\n",
                        "newmtl Material #1\nKd 1 0 0\nnewmtl Material #2 # blue\nKd 0 0 1\n");
  CHECK(model.warnings.empty());
  REQUIRE(model.assembly.partCount() == 2);
  const auto surfaces = model.assembly.part(PartId(0)).surfaces();
  REQUIRE(surfaces.size() == 2);
  CHECK(surfaces[0].name == "Material #1");
  CHECK(surfaces[0].colour == Colour{1, 0, 0, 1});
  CHECK(surfaces[1].colour == Colour{0, 0, 1, 1});
  CHECK(model.assembly.part(PartId(0)).name() == "Box #1");
  CHECK(model.assembly.part(PartId(1)).name() == "as1/bolt#2");
}

TEST_CASE("patches of a part with a single group bear its name", "[importers]") {
  if (isAbsent()) return;
  const Model model = importObj(square + "v 0 0 1\ng side\nf 1 2 3\nf 1 2 5\n");
  const auto surfaces = model.assembly.part(PartId(0)).surfaces();
  REQUIRE(surfaces.size() == 2);
  for (const Surface& surface : surfaces) CHECK(surface.name == "side");
}

TEST_CASE("of material libraries those alone are named that may not be read", "[importers]") {
  if (isAbsent()) return;
  const std::string face = square + "usemtl red\nf 1 2 3\n";
  const auto warningsOf = [&](const std::string& statement, const std::string& library) {
    const Model model = importWithLibrary(statement + "\n" + face, library);
    CHECK(model.assembly.part(PartId(0)).triangleCount() == 1);
    CHECK_FALSE(isIncomplete(model));  // colours are not geometry
    return model.warnings;
  };
  const auto one = [](const std::string& library, const std::string& message) {
    return std::vector<ImportWarning>{{"material library " + library, message, false}};
  };
  const std::string good = "newmtl red\nKd 1 0 0\n";
  CHECK(warningsOf("mtllib no such.mtl", good).empty());
  CHECK(warningsOf("mtllib .", good).empty());
  for (const std::string outside : {"/etc/passwd", "../paint box.mtl", "a/../../x.mtl", "..\\x.mtl"})
    CHECK(warningsOf("mtllib " + outside, good) == one(outside, refused));
  CHECK(warningsOf("mtllib paint box.mtl", "newmtl blue\nKd 0 0 1\n").empty());
  CHECK(warningsOf("mtllib paint box.mtl", "newmtl red\nKd 1,0 0 0\nKd x\n").empty());
  CHECK(warningsOf("mtllib paint box.mtl\nmtllib paint box.mtl", good).empty());
  CHECK(warningsOf("mtllib", good).empty());
}

TEST_CASE("a material library behind a link that leads out of the folder is not read", "[importers]") {
  if (isAbsent()) return;
  const TemporaryFolder folder, elsewhere;
  writeText(elsewhere / "secret.mtl", "newmtl red\nKd 1 0 0\n");
  std::filesystem::create_symlink(elsewhere / "secret.mtl", folder / "link.mtl");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder / "sub");
  for (const std::string name : {"link.mtl", "sub/secret.mtl", "sub/../link.mtl"}) {
    writeText(folder / "a.obj", "mtllib " + name + "\n" + square + "usemtl red\nf 1 2 3\n");
    const Model model = import(folder / "a.obj");
    REQUIRE_FALSE(model.warnings.empty());
    CHECK(model.warnings[0] == ImportWarning{"material library " + name, refused, false});
    CHECK_FALSE(model.assembly.part(PartId(0)).surfaces().front().colour);
  }
  // One that stays within is read.
  writeText(folder / "paint.mtl", "newmtl red\nKd 1 0 0\n");
  std::filesystem::create_symlink("paint.mtl", folder / "inner.mtl");
  writeText(folder / "a.obj", "mtllib inner.mtl\n" + square + "usemtl red\nf 1 2 3\n");
  CHECK(import(folder / "a.obj").warnings.empty());
}

TEST_CASE("one statement may name several material libraries", "[importers]") {
  if (isAbsent()) return;
  const TemporaryFolder folder;
  writeText(folder / "a.mtl", "newmtl red\nKd 1 0 0\n");
  writeText(folder / "b.mtl", "newmtl blue\nKd 0 0 1\n");
  writeText(folder / "x.obj",
            "mtllib a.mtl gone.mtl b.mtl\n" + square + "usemtl blue\nf 1 2 3\nusemtl red\nf 1 3 4\n");
  const Model model = import(folder / "x.obj");
  CHECK(model.warnings.empty());
  CHECK(model.assembly.part(PartId(0)).surfaces()[0].colour == Colour{0, 0, 1, 1});
  CHECK(model.assembly.part(PartId(0)).surfaces()[1].colour == Colour{1, 0, 0, 1});
}

TEST_CASE("a material library that changes or turns up makes the cache out of date", "[importers][cache]") {
  if (isAbsent()) return;
  const TemporaryFolder folder;
  writeText(folder / "x.obj", "mtllib a.mtl\n" + square + "usemtl red\nf 1 2 3\n");
  ReadOptions options;
  options.importerFolder = meshImporter()->parent_path();
  options.useCache = true;
  options.cacheFolder = folder / "cache";
  bool isFresh = false;
  const auto colour = [&] {
    const Model model = readAssembly(folder / "x.obj", options);
    isFresh = !model.fromCache.empty();
    return model.assembly.part(PartId(0)).surfaces()[0].colour;
  };
  CHECK_FALSE(colour());
  CHECK_FALSE(isFresh);
  CHECK_FALSE(colour());
  CHECK(isFresh);
  writeText(folder / "a.mtl", "newmtl red\nKd 1 0 0\n");
  CHECK(colour() == Colour{1, 0, 0, 1});
  writeText(folder / "a.mtl", "newmtl red\nKd 0 1 0\n");
  CHECK(colour() == Colour{0, 1, 0, 1});
  std::filesystem::resize_file(folder / "a.mtl", std::size_t{65} << 20);
  CHECK_FALSE(colour());
  writeText(folder / "a.mtl", "newmtl red\nKd 0 0 1\n");
  CHECK(colour() == Colour{0, 0, 1, 1});
  CHECK_FALSE(isFresh);
  CHECK(colour() == Colour{0, 0, 1, 1});
  CHECK(isFresh);
}

}  // namespace obj_tests

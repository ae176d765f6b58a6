#include <catch2/catch.hpp>

#include <array>
#include <optional>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/mesh_export.h>

#include "support/import_checks.h"
#include "support/looks.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace obj_export_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Colours = std::vector<std::optional<Colour>>;

/// Makes a box whose six sides have these colours.
MeshPtr colouredBox(const Colours& colours) {
  const MeshPtr box = sixSidedBox(1, 2, 3);
  TriangleMesh::Data data = box->data();
  for (std::size_t i = 0; i < colours.size(); ++i) data.surfaces[i].colour = colours[i];
  return std::make_shared<const TriangleMesh>(std::move(data));
}

const Colour third{1.0F / 3, 2.0F / 3, 0.1F, 1}, glass{0.25F, 0.5F, 1, 0.3F}, blue{0, 0, 1, 1};
const Colours sides{third, std::nullopt, glass, third, std::nullopt, Colour{0, 0, 0, 0}};

/// Makes one instance in its part's colours, one that overrides them, one that is mirrored, one without any.
Assembly colouredAssembly() {
  Assembly assembly("coloured");
  const PartId box = assembly.addPart(colouredBox(sides)), plain = assembly.addPart(sixSidedBox(1, 1, 1));
  assembly.addNode("own", {}, std::nullopt, box);
  assembly.addNode("blue", Transform::translation({5, 0, 0}), std::nullopt, box, blue);
  assembly.addNode("mirrored", Transform::scaling(-1, 1, 1), std::nullopt, box);
  assembly.addNode("plain", {}, std::nullopt, plain);
  return assembly;
}

Colours coloursOf(const Model& model, const char* path) {
  Colours colours;
  for (const Surface& surface : model.assembly.meshOf(model.assembly.at(path)).surfaces())
    colours.push_back(surface.colour);
  return colours;
}

}  // namespace

TEST_CASE("colours go into OBJ and its material library and come back bit by bit", "[io][obj]") {
  const TemporaryFolder folder;
  // Names with blanks are one name.
  for (const char* name : {"a.obj", "two words#1 ä.obj"}) {
    INFO(name);
    writeObj(folder / name, colouredAssembly());
    const Model back = import(folder / name);
    CHECK(back.warnings.empty());
    CHECK(coloursOf(back, "own") == sides);
    CHECK(coloursOf(back, "mirrored") == sides);
    CHECK(coloursOf(back, "blue") == Colours(6, blue));
    CHECK(coloursOf(back, "plain") == Colours(6, std::nullopt));
  }
  CHECK(folder.entryCount() == 4);
}

TEST_CASE("without colours there is no material library", "[io][obj]") {
  const TemporaryFolder folder;
  Assembly assembly("plain");
  // Colours that nothing shows are not written: of a face without triangles, of a part without instances.
  TriangleMeshBuilder builder("half");
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) builder.addPoint(p);
  builder.beginSurface("lost", blue);
  builder.beginSurface("kept");
  builder.addTriangle(0, 1, 2);
  assembly.addNode("a", {}, std::nullopt, assembly.addPart(finished(builder)));
  assembly.addPart(colouredBox(sides));
  writeText(folder / "a.mtl", "mine");
  writeObj(folder / "a.obj", assembly);
  CHECK(readText(folder / "a.mtl") == "mine");
  const std::string text = readText(folder / "a.obj");
  CHECK(text.find("mtllib") == std::string::npos);
  CHECK(text.find("usemtl") == std::string::npos);
}

TEST_CASE("only a material library that was written with an OBJ file is replaced", "[io][obj]") {
  const TemporaryFolder folder;
  const Assembly assembly = colouredAssembly();
  for (const std::string own :
       {"", "newmtl red\nKd 1 0 0\n", "\n# Colours of an OBJ file, written with it by Fitup\n"}) {
    writeText(folder / "a.mtl", own);
    CHECK_THAT(messageOf<FileError>([&] { writeObj(folder / "a.obj", assembly); }), Catch::Contains("a.mtl"));
    CHECK(readText(folder / "a.mtl") == own);
    CHECK(folder.entryCount() == 1);
  }
  std::filesystem::remove(folder / "a.mtl");
  std::filesystem::create_directory(folder / "a.mtl");
  CHECK_THROWS_AS(writeObj(folder / "a.obj", assembly), FileError);
  std::filesystem::remove(folder / "a.mtl");
  // No file of another kind is replaced through a link, even one that begins like a library.
  writeObj(folder / "b.obj", assembly);
  std::filesystem::rename(folder / "b.mtl", folder / "b.txt");
  const std::string library = readText(folder / "b.txt");
  std::filesystem::create_symlink("b.txt", folder / "a.mtl");
  CHECK_THROWS_AS(writeObj(folder / "a.obj", Assembly(assembly)), FileError);
  CHECK(readText(folder / "b.txt") == library);
  std::filesystem::remove(folder / "a.mtl");

  writeObj(folder / "a.obj", assembly);
  CHECK(readText(folder / "a.mtl") == library);
  Assembly other("other");
  other.addNode("box", {}, std::nullopt, other.addPart(colouredBox(Colours(6, blue))));
  writeObj(folder / "a.obj", other);
  CHECK(readText(folder / "a.mtl") != library);
  CHECK(coloursOf(import(folder / "a.obj"), "box") == Colours(6, blue));
}

TEST_CASE("a material library of another time gives an OBJ file no wrong colour", "[io][obj]") {
  const TemporaryFolder folder;
  writeObj(folder / "a.obj", colouredAssembly());
  Assembly other("other");
  other.addNode("box", {}, std::nullopt, other.addPart(colouredBox({blue, third, blue, glass, blue, blue})));
  writeObj(folder / "b.obj", other);
  std::filesystem::rename(folder / "b.mtl", folder / "a.mtl");
  const Model mixed = import(folder / "a.obj");
  CHECK(mixed.warnings.empty());
  Colours known = sides;
  known[5].reset();
  CHECK(coloursOf(mixed, "own") == known);
}

TEST_CASE("a name that cannot stand in an OBJ file is refused where there are colours", "[io][obj]") {
  const TemporaryFolder folder;
  Assembly plain("plain");
  plain.addNode("a", {}, std::nullopt, plain.addPart(sixSidedBox(1, 1, 1)));
  for (const char* name : {"a\\b.obj", "a # b.obj", "# b.obj", " a.obj", "a\nb.obj", "a\x7f.obj"}) {
    INFO(name);
    CHECK_THROWS_AS(writeObj(folder / name, colouredAssembly()), InputError);
    CHECK(folder.entryCount() == 0);
    writeObj(folder / name, plain);
    std::filesystem::remove(folder / name);
  }
}

TEST_CASE("writing OBJ with colours can be cancelled at any look, with nothing written", "[io][obj]") {
  const TemporaryFolder folder;
  const Assembly assembly = colouredAssembly();
  Looks all;
  writeObj(folder / "a.obj", assembly, all.progress());
  const std::string obj = readText(folder / "a.obj");
  Assembly other("other");
  other.addNode("box", {}, std::nullopt, other.addPart(colouredBox(Colours(6, blue))));
  writeObj(folder / "a.obj", other);
  const std::string before = readText(folder / "a.obj"), library = readText(folder / "a.mtl");
  REQUIRE(before != obj);
  for (std::size_t i = 1; i <= all.count(); ++i) {
    Looks some(i);
    CHECK_THROWS_AS(writeObj(folder / "a.obj", assembly, some.progress()), CancelledError);
    CHECK(readText(folder / "a.obj") == before);
    CHECK(readText(folder / "a.mtl") == library);
    CHECK(folder.entryCount() == 2);
  }
}

}  // namespace obj_export_tests

#include <catch2/catch.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"
#include "support/tiny_meshes.h"

namespace convert_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Corners = std::array<std::array<double, 3>, 3>;

/// Returns all triangles in world coordinates, each from its smallest corner on, sorted.
std::vector<Corners> worldTriangles(const Assembly& assembly) {
  std::vector<Corners> result;
  for (NodeId node : assembly.instances()) {
    const TriangleMesh& mesh = assembly.meshOf(node);
    const Transform worldFromPart = assembly.worldFromNode(node);
    for (const TriangleIndices& t : mesh.triangles()) {
      Corners& corners = result.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = worldFromPart.apply(mesh.pointInPart(t[k]));
        corners[k] = {p.x, p.y, p.z};
      }
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TEST_CASE("a model file converts to an equal one", "[cli][convert]") {
  const CommandLine fitup;
  fitup.writePlant();
  const ProgramResult result = fitup({"convert", "plant.fitup", "copy.fitup"});
  INFO(result.text());
  REQUIRE(result.exitCode == 0);
  CHECK(contains(result.out, "copy.fitup"));
  CHECK(readModelFile(fitup.file("copy.fitup")).assembly.contentHash() ==
        readModelFile(fitup.file("plant.fitup")).assembly.contentHash());
  CHECK(fitup({"replay", "copy.fitup", "plant.track.json", "--mode", "first"}).exitCode ==
        1);  // the hash fits
}

TEST_CASE("several files become one model", "[cli][convert]") {
  const CommandLine fitup;
  fitup.writeRow(2, "row.fitup");
  fitup.writeRow(3, "other.fitup");
  const std::vector<std::string> join{"convert", "row.fitup", "other.fitup", "row.fitup", "all.fitup"};
  const ProgramResult result = fitup(join);
  INFO(result.text());
  REQUIRE(result.exitCode == 0);
  const Model all = readModelFile(fitup.file("all.fitup"));
  CHECK(all.assembly.instances().size() == 7);
  CHECK(all.assembly.find("other/row/cube-2"));
  CHECK(all.assembly.find("row#2/row/cube-1"));
  CHECK(all.collisionModels.size() == all.assembly.partCount());
  CHECK(all.source.path == "row.fitup, other.fitup, row.fitup");
  // The answer of one check of them, without the time it takes.
  const auto answer = [&](const std::vector<std::string>& files) {
    std::vector<std::string> arguments{"check"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    arguments.insert(arguments.end(), {"--move", "row#2=0,0,7"});
    const std::string out = fitup(arguments).out;
    const std::size_t end = out.find("\ncomplete\n");
    REQUIRE(end != std::string::npos);
    return out.substr(0, end);
  };
  CHECK(contains(answer({"all.fitup"}), "row#1/row/cube-1  x  other/row/cube-1"));
  CHECK(answer({"all.fitup"}) == answer({"row.fitup", "other.fitup", "row.fitup"}));

  // The same files may be written again; no other file is replaced, because a shell's wildcard may have named
  // it.
  CHECK(fitup(join).exitCode == 0);
  const std::string before = fitup.text("other.fitup");
  CHECK(problemOfFailure(fitup({"convert", "all.fitup", "row.fitup", "other.fitup"}),
                         {"other.fitup", "OUT", "already exists"}) == "");
  CHECK(fitup.text("other.fitup") == before);
  writeText(fitup.file("all.obj"), "o part\n");
  CHECK(problemOfFailure(fitup({"convert", "row.fitup", "other.fitup", "all.obj"}),
                         {"all.obj", "already exists"}) == "");
  CHECK(fitup({"convert", "row.fitup", "other.fitup", "both.obj"}).exitCode == 0);
  CHECK(problemOfFailure(fitup({"convert", "row.fitup", "none.fitup", "new.fitup"}), {"none.fitup"}) == "");
  CHECK_FALSE(std::filesystem::exists(fitup.file("new.fitup")));
}

#ifdef FITUP_TEST_MESH_FILES
TEST_CASE("a mesh file that was written is read back with the same triangles", "[cli][convert]") {
  const CommandLine fitup;
  fitup.writePlant();
  const ProgramResult out = fitup({"convert", "plant.fitup", "plant.obj"});
  INFO(out.text());
  REQUIRE(out.exitCode == 0);
  const ProgramResult back = fitup({"convert", "plant.obj", "back.fitup", "--no-cache"});
  INFO(back.text());
  REQUIRE(back.exitCode == 0);
  CHECK_FALSE(std::filesystem::exists(fitup.file("plant.obj.fitup")));

  const Assembly before = readModelFile(fitup.file("plant.fitup")).assembly;
  const Assembly after = readModelFile(fitup.file("back.fitup")).assembly;
  CHECK(after.instances().size() == before.instances().size());
  const std::vector<Corners> expected = worldTriangles(before), found = worldTriangles(after);
  REQUIRE(found.size() == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t axis = 0; axis < 3; ++axis)
        largest = std::max(largest, std::abs(found[i][k][axis] - expected[i][k][axis]));
  CHECK(largest <= 1e-3);  // 32-bit storage in large coordinates of metres, in mm

  std::size_t surfacesBefore = 0, surfacesAfter = 0;
  for (NodeId node : before.instances()) surfacesBefore += before.meshOf(node).surfaces().size();
  for (NodeId node : after.instances()) surfacesAfter += after.meshOf(node).surfaces().size();
  CHECK(surfacesAfter == surfacesBefore);
}

TEST_CASE("names with blanks stay apart from those with underscores in OBJ", "[cli][convert]") {
  const CommandLine fitup;
  Model model;
  model.assembly = Assembly("names");
  const PartId part = model.assembly.addPart(sixSidedBox(1, 1, 1));
  const std::vector<std::string> names{"a b", "a_b", "gro\xC3\x9F  und \"x\"", "c\\"};
  for (std::size_t i = 0; i < names.size(); ++i)
    model.assembly.addNode(names[i], Transform::translation({3.0 * static_cast<double>(i), 0, 0}), {}, part);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(fitup.file("names.fitup"), model);
  REQUIRE(fitup({"convert", "names.fitup", "names.obj"}).exitCode == 0);
  REQUIRE(fitup({"convert", "names.obj", "back.fitup", "--no-cache"}).exitCode == 0);
  const Assembly back = readModelFile(fitup.file("back.fitup")).assembly;
  std::vector<std::string> found;
  for (const NodeId node : back.instances()) found.push_back(back.node(node).name);
  CHECK(found == std::vector<std::string>{"a b", "a_b", names[2], "c_"});
}

TEST_CASE("colours survive a mesh file that is written", "[cli][convert]") {
  const CommandLine fitup;
  Model model;
  model.assembly = Assembly("colours");
  TriangleMesh::Data data = sixSidedBox(1, 1, 1)->data();
  const Colour red{1, 0, 0, 1}, glass{0, 0.5F, 0.75F, 0.25F};
  data.surfaces[0].colour = red;
  data.surfaces[1].colour = glass;
  const PartId part = model.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(data)));
  model.assembly.addNode("a", {}, std::nullopt, part);
  model.assembly.addNode("b", Transform::translation({3, 0, 0}), std::nullopt, part, glass);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(fitup.file("box.fitup"), model);
  std::vector<std::string> formats{".obj"};
#ifdef FITUP_HAS_ASSIMP
  formats.emplace_back(".glb");
#endif
  for (const std::string& extension : formats) {
    INFO(extension);
    const ProgramResult out = fitup({"convert", "box.fitup", "mesh" + extension});
    INFO(out.text());
    REQUIRE(out.exitCode == 0);
    CHECK(out.out == "mesh: mesh" + extension + "\n");
    REQUIRE(fitup({"convert", "mesh" + extension, "back.fitup", "--no-cache"}).exitCode == 0);
    const Assembly back = readModelFile(fitup.file("back.fitup")).assembly;
    CHECK(back.instances().size() == 2);
    for (const char* path : {"a", "b"}) {
      INFO(path);
      const NodeId node = back.at(path);
      const auto own = back.node(node).colour;
      std::vector<std::optional<Colour>> shown;
      for (const Surface& surface : back.meshOf(node).surfaces()) shown.push_back(own ? own : surface.colour);
      std::vector<std::optional<Colour>> expected(6, path[0] == 'a' ? std::nullopt : std::optional(glass));
      if (path[0] == 'a') expected[0] = red, expected[1] = glass;
      CHECK(shown == expected);
    }
    std::filesystem::remove(fitup.file("back.fitup"));
  }
  // A library made by the user stays, and so does the mesh file.
  REQUIRE(fitup({"convert", "box.fitup", "mine.obj"}).exitCode == 0);
  const std::string before = fitup.text("mine.obj");
  writeText(fitup.file("mine.mtl"), "newmtl mine\n");
  CHECK(problemOfFailure(fitup({"convert", "box.fitup", "mine.obj"}), {"mine.mtl", "already exists"}) == "");
  CHECK(fitup.text("mine.mtl") == "newmtl mine\n");
  CHECK(fitup.text("mine.obj") == before);
}

#ifdef FITUP_HAS_ASSIMP
TEST_CASE("an assembly becomes binary glTF and the same assembly again", "[cli][convert]") {
  const CommandLine fitup;
  fitup.writePlant();
  REQUIRE(fitup({"convert", "plant.fitup", "plant.GLB"}).exitCode == 0);
  REQUIRE(fitup({"convert", "plant.GLB", "back.fitup", "--no-cache"}).exitCode == 0);
  const Assembly before = readModelFile(fitup.file("plant.fitup")).assembly;
  const Assembly after = readModelFile(fitup.file("back.fitup")).assembly;
  CHECK(after.unit() == before.unit());
  CHECK(after.partCount() == before.partCount());
  CHECK(worldTriangles(after) == worldTriangles(before));
  // The same counts of surfaces and triangles; glTF does not store the kinds of faces.
  const auto answer = [&](const char* file) {
    const ProgramResult result = fitup({"check", file, "--move", "process-plant/piping/spool=0,-100,0"});
    CHECK(result.exitCode == 1);
    return result.out.substr(0, result.out.find('\n'));
  };
  CHECK(contains(answer("plant.fitup"), "2 pairs of parts intersect"));
  CHECK(answer("back.fitup") == answer("plant.fitup"));
  // An input is not overwritten.
  const std::string bytes = fitup.text("plant.GLB");
  CHECK(problemOfFailure(fitup({"convert", "plant.GLB", "plant.GLB"}), {"plant.GLB", "would overwrite"}) ==
        "");
  CHECK(fitup.text("plant.GLB") == bytes);
}
#endif

TEST_CASE("a mesh file is read once and then from the cache, which is said", "[cli][cache]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  REQUIRE(fitup({"convert", "row.fitup", "row.obj"}).exitCode == 0);
  const ProgramResult first = fitup({"info", "row.obj"});
  CHECK_FALSE(std::filesystem::exists(fitup.file("row.obj.fitup")));
  const ProgramResult second = fitup({"info", "row.obj"});
  CHECK(first.exitCode == 0);
  CHECK(first.err.empty());
  CHECK(second.out == first.out);
  CHECK(second.err == "row.obj: read from the cache, which holds an import of the same bytes\n");
  CHECK(fitup({"info", "row.obj", "--quiet"}).err.empty());
  CHECK(fitup({"info", "row.obj", "--no-cache"}).err.empty());
  // Reports contain it too.
  REQUIRE(fitup({"check", "row.obj", "--report", "a.json", "--report", "a.html"}).exitCode == 0);
  CHECK(readReport(fitup.file("a.json")).model.fromCache == std::vector<std::string>{"row.obj"});
  CHECK(contains(fitup.text("a.html"), "Read from the cache"));
  REQUIRE(fitup({"check", "row.obj", "--report", "a.json", "--no-cache"}).exitCode == 0);
  CHECK(readReport(fitup.file("a.json")).model.fromCache.empty());
  // Mesh files have no unit: the user gives it, and it is always shown.
  CHECK(contains(fitup({"info", "row.obj", "--unit", "in"}).out, "unit           in"));
  // Invalid options are refused for files of all kinds.
  for (const char* file : {"row.obj", "row.fitup"}) {
    CHECK(problemOfFailure(fitup({"info", file, "--unit", "parsec"}), {"--unit", "parsec"}) == "");
    CHECK(problemOfFailure(fitup({"info", file, "--segment", "some"}), {"--segment", "some"}) == "");
    CHECK(problemOfFailure(fitup({"info", file, "--segment", "999"}), {"--segment", "999"}) == "");
  }
  // A user's file beside it is left alone.
  REQUIRE(fitup({"convert", "row.fitup", "row.obj.fitup"}).exitCode == 0);
  const std::string own = fitup.text("row.obj.fitup");
  CHECK(contains(fitup({"info", "row.obj", "--unit", "cm"}).err, "row.obj.fitup is not used"));
  CHECK(fitup.text("row.obj.fitup") == own);
}

TEST_CASE("a limit of file sizes costs the cache, not the answer", "[cli][convert]") {
  const CommandLine fitup;
  REQUIRE(fitup({"generate", "torus", "torus.fitup", "--triangles", "5000"}).exitCode == 0);
  REQUIRE(fitup({"convert", "torus.fitup", "torus.obj"}).exitCode == 0);
  // The importer's file is smaller than the limit, the model file larger.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit less{300'000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &less) == 0);
  const ProgramResult result = fitup({"info", "torus.obj"});
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  CAPTURE(result.text());
  CHECK(result.exitCode == 0);
  CHECK(contains(result.out, "triangles      "));
  CHECK(contains(fitup({"cache", "list"}).out, "0 models"));
  CHECK(fitup({"info", "torus.obj"}).exitCode == 0);
  CHECK(contains(fitup({"cache", "list"}).out, "1 model,"));
}

TEST_CASE("control characters in names become U+FFFD", "[cli][convert]") {
  const CommandLine fitup;
  const std::string square = "f 1 2 3\n", instead = "\xEF\xBF\xBD";
  // Tab, DEL and next line (C1) are control characters; the no-break space is not.
  writeText(fitup.file("names.obj"),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\no a\tb\x7f"
            "c\xC2\x85"
            "d\xC2\xA0"
            "e\ng f\tg\n" +
                square);
  writeText(
      fitup.file("names.stl"),
      "solid a\tb\r\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
      "endfacet\nendsolid\n");
  const ProgramResult obj = fitup({"info", "names.obj", "--tree", "--surfaces"});
  INFO(obj.text());
  CHECK(contains(obj.out, "a" + instead + "b" + instead + "c" + instead +
                              "d\xC2\xA0"
                              "e  [1 face"));
  CHECK(contains(obj.out, "'f" + instead + "g'"));
  CHECK(contains(fitup({"info", "names.stl", "--tree"}).out, "  a" + instead + "b  ["));
}
#endif

TEST_CASE("a track goes through CSV and back unchanged", "[cli][convert]") {
  const CommandLine fitup;
  fitup.writePlant();
  REQUIRE(fitup({"convert", "plant.track.json", "track.csv"}).exitCode == 0);
  REQUIRE(fitup({"convert", "track.csv", "again.json"}).exitCode == 0);
  CHECK(fitup.text("again.json") == fitup.text("plant.track.json"));
  CHECK(fitup({"replay", "plant.fitup", "track.csv", "--mode", "first"}).exitCode == 1);
}

TEST_CASE("what cannot be converted is refused before anything is written", "[cli][convert]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  writeTrack(fitup.file("track.json"), {.moved = {"row/cube-0"}, .steps = {{{}}}});
  CHECK(problemOfFailure(fitup({"convert", "row.fitup", "row.ply"}), {"row.ply", "'.ply'", ".obj", ".glb"}) ==
        "");
  CHECK(problemOfFailure(fitup({"convert", "row.fitup", "row"}), {"row", "''"}) == "");
  CHECK(problemOfFailure(fitup({"convert", "row.fitup", "row.json"}), {"row.json", "'.json'"}) == "");
  CHECK(problemOfFailure(fitup({"convert", "track.json", "track.fitup"}),
                         {"track.fitup", "'.fitup'", ".csv"}) == "");
  CHECK(problemOfFailure(fitup({"convert", "none.fitup", "a.obj"}), {"none.fitup"}) == "");
  CHECK(problemOfFailure(fitup({"convert", "row.fitup", "no/folder/a.obj"}), {"no/folder/a.obj"}) == "");
  CHECK(fitup.folder().entryCount() == 2);
}

}  // namespace convert_tests

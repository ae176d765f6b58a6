#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>
#include <fitup/scene/interference.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace iges_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("loose faces and groups of an IGES file are where matrices that mirror place them", "[importers]") {
  const std::filesystem::path folder = FITUP_SOURCE_DIR "/tests/regressions/2026-shapes-not-translated";
  if (!cadImporter()) {
    WARN("skipped: the CAD importer is absent");
    return;
  }
  const Model face = import(folder / "mirrored-face.igs");
  CHECK_FALSE(isIncomplete(face));
  REQUIRE(face.assembly.instances().size() == 1);
  const Box box = face.assembly.worldBounds(face.assembly.instances().front());
  CHECK(box.min.x == Approx(40));
  CHECK(box.max.x == Approx(50));

  const Model closed = import(folder / "mirrored-box.igs");
  REQUIRE(closed.assembly.partCount() == 1);
  const TriangleMesh& mesh = closed.assembly.part(PartId(0));
  CHECK(signedVolume(mesh) == Approx(1000));
  // The planes' axes point outwards, as their triangles do.
  for (const Surface& surface : mesh.surfaces()) {
    const Triangle t = mesh.triangle(TriangleId{surface.firstTriangle});
    REQUIRE(surface.description);
    CHECK(dot(surface.description->axis, cross(t.v[1] - t.v[0], t.v[2] - t.v[0])) > 0);
  }
}

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// Writes the assembly of support/write_test_step.cpp. `kind`: BREP or FACES.
std::filesystem::path writeIges(const TemporaryFolder& folder, const std::string& kind) {
  const auto file = folder / (kind + ".igs");
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + kind + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

/// Returns the file with a transformation matrix (type 124: three rows of rotation and translation) for the
/// entity whose directory entry is of the type and has the name.
std::string withMatrix(const std::string& text, std::string_view type, std::string_view name,
                       const std::string& numbers) {
  std::map<char, std::vector<std::string>> sections;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    if (line.size() > 72) sections[line[72]].push_back(line);
    at = end + 1;
  }
  const auto right = [](std::string value, std::size_t width) {
    return std::string(width - value.size(), ' ') + value;
  };
  auto& directory = sections['D'];
  auto& parameters = sections['P'];
  const std::string entry = std::to_string(directory.size() + 1);
  bool isPlaced = false;
  for (std::size_t i = 0; i + 1 < directory.size() && !isPlaced; i += 2) {
    isPlaced = directory[i].substr(0, 8) == right(std::string(type), 8) &&
               directory[i + 1].substr(56, 8) == right(std::string(name), 8);
    if (isPlaced) directory[i].replace(48, 8, right(entry, 8));
  }
  REQUIRE(isPlaced);
  const std::string zero = right("0", 8);
  directory.push_back(right("124", 8) + right(std::to_string(parameters.size() + 1), 8) + zero + zero + zero +
                      zero + zero + zero + "00000000D" + right(entry, 7));
  directory.push_back(right("124", 8) + zero + zero + right("1", 8) + zero + std::string(24, ' ') + zero +
                      "D" + right(std::to_string(directory.size() + 1), 7));
  std::string data = "124," + numbers + ";";
  REQUIRE(data.size() <= 64);
  data.resize(64, ' ');
  parameters.push_back(data + right(entry, 8) + "P" + right(std::to_string(parameters.size() + 1), 7));
  std::string result, counts;
  for (const char section : {'S', 'G', 'D', 'P'}) {
    for (const std::string& line : sections[section]) result += line + "\n";
    counts += section + right(std::to_string(sections[section].size()), 7);
  }
  counts.resize(72, ' ');
  return result + counts + "T0000001\n";
}

Model importWithMatrix(const std::string& kind, std::string_view type, std::string_view name,
                       const std::string& numbers) {
  const TemporaryFolder folder;
  writeText(folder / "placed.igs", withMatrix(readText(writeIges(folder, kind)), type, name, numbers));
  return import(folder / "placed.igs");
}

/// The instances in world coordinates; mirrored ones reverse their triangles.
struct Placed {
  Box box;
  double volume = 0;
};
std::vector<Placed> placedIn(const Model& model) {
  std::vector<Placed> list;
  for (const NodeId id : model.assembly.instances())
    list.push_back({model.assembly.worldBounds(id), signedVolume(model.assembly.meshOf(id))});
  return list;
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
    const TriangleMesh& mesh = assembly.meshOf(id);
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

TEST_CASE("solids of an IGES file are where their own matrices place them", "[importers]") {
  const auto wedge = [](const std::string& numbers) {
    const Model model = importWithMatrix("BREP", "186", "wedge:1", numbers);
    CHECK_FALSE(isIncomplete(model));
    const std::vector<Placed> all = placedIn(model);
    REQUIRE(all.size() == 7);
    CHECK(all[3].volume == Approx(0.5 * (10 + 4) * 20 * 30));
    CHECK(all[4].box.min.x == Approx(-10));  // the mirror image beside it stays
    return all[3].box;
  };
  const Box shifted = wedge("1,0,0,500,0,1,0,0,0,0,1,0");
  CHECK(shifted.min.x == Approx(500));
  CHECK(shifted.max.x == Approx(510));
  CHECK(shifted.min.y == Approx(100));
  const Box mirrored = wedge("-1,0,0,500,0,1,0,0,0,0,1,7");
  CHECK(mirrored.min.x == Approx(490));
  CHECK(mirrored.max.x == Approx(500));
  CHECK(mirrored.min.z == Approx(7));
  const Box scaled = wedge("2,0,0,500,0,2,0,0,0,0,2,0");
  CHECK(scaled.max.x == Approx(520));
  CHECK(scaled.min.y == Approx(200));
  CHECK(isIncomplete(importWithMatrix("BREP", "186", "wedge:1", "0,0,0,500,0,1,0,0,0,0,1,0")));
}

TEST_CASE("groups of faces of an IGES file that are mirrored keep their outsides outside", "[importers]") {
  const auto together = [](const std::vector<Placed>& parts) {
    double volume = 0;
    for (const Placed& part : parts) volume += part.volume;
    return volume;
  };
  const TemporaryFolder folder;
  const double before = together(placedIn(import(writeIges(folder, "FACES"))));
  const Model faces = importWithMatrix("FACES", "402", "left", "-1,0,0,500,0,1,0,0,0,0,1,0");
  // The block that was drawn from 100 to 110.
  const std::vector<Placed> loose = placedIn(faces);
  const auto moved = std::find_if(loose.begin(), loose.end(),
                                  [](const Placed& part) { return part.box.min.x == Approx(390); });
  REQUIRE(moved != loose.end());
  CHECK(moved->box.max.x == Approx(400));
  CHECK(moved->volume == Approx(10 * 20 * 30));
  CHECK(together(loose) == Approx(before).epsilon(1e-3));
  for (const char* matrix : {"-1,0,0,500,0,1,0,0,0,0,1,0", "1,0,0,500,0,1,0,0,0,0,1,0"})
    CHECK_THAT(messageOf<ImportError>([&] { (void)importWithMatrix("BREP", "402", "plate-an", matrix); }),
               Catch::Contains("a group of several solids with a matrix is not supported"));
}

TEST_CASE("groups of faces of an IGES file are parts, and faces of no group those that hang together",
          "[importers]") {
  const TemporaryFolder folder;
  const auto file = writeIges(folder, "FACES");
  const Model model = import(file);
  std::vector<std::string> paths;
  for (const NodeId instance : model.assembly.instances()) paths.push_back(model.assembly.path(instance));
  CHECK(paths == std::vector<std::string>{"plate-and-pins/left", "plate-and-pins/right",
                                          "plate-and-pins/pin:1", "plate-and-pins/wedge:1",
                                          "plate-and-pins/group", "plate-and-pins/solid#1",
                                          "plate-and-pins/solid#2"});
  CHECK(countsOf(model).faces == 29);
  CHECK_FALSE(isIncomplete(model));
  // Joined along their edges, with outsides facing out.
  for (std::uint32_t i = 0; i < model.assembly.partCount(); ++i) {
    const TriangleMesh& mesh = model.assembly.part(PartId{i});
    INFO(paths[i]);
    CHECK(Watertightness(mesh, MeshTopology(mesh)).closed());
    CHECK(signedVolume(mesh) > 0);
  }
  ReadOptions merged;
  merged.mergeSolids = true;
  CHECK(import(file, merged).assembly.instances().size() == 1);
}

TEST_CASE("an assembly of a public IGES file has its parts and their contacts", "[importers][data]") {
  const auto file = sharedData("reports/import/iges_assembly_one_part.igs");
  if (!file) {
    WARN("skipped: iges_assembly_one_part.igs is absent");
    return;
  }
  const Model model = import(*file);
  REQUIRE(model.assembly.instances().size() == 18);
  CHECK_FALSE(isIncomplete(model));
  for (std::uint32_t i = 0; i < model.assembly.partCount(); ++i) {
    const TriangleMesh& mesh = model.assembly.part(PartId{i});
    CHECK(Watertightness(mesh, MeshTopology(mesh)).closed());
    CHECK(signedVolume(mesh) > 0);
  }
  CHECK(checkAllPairs(sceneOf(model)).pairs.size() >= 30);
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
  // The surface in the parameters of the first trimmed surface becomes a pointer to nothing.
  std::size_t digit = text.find("\n144,") + 5;
  REQUIRE(digit > 5);
  for (; text[digit] != ','; ++digit) text[digit] = '0';
  writeText(folder / "damaged.igs", text);
  const Model model = import(folder / "damaged.igs");
  CHECK(countsOf(model).faces == 28);
  REQUIRE(isIncomplete(model));
  CHECK(model.warnings.back() ==
        ImportWarning{"file",
                      "holds 29 faces, but only 28 were transferred; contacts with the others are not found",
                      true});
}
#endif

}  // namespace iges_tests

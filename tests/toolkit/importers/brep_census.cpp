// Compares imports of STEP and IGES files with what Open CASCADE alone makes of them
// (support/import_census.h).
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fitup/base/error.h>

#include "support/import_census.h"
#include "support/import_checks.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace brep_census_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// Written by support/write_test_step.cpp.
std::filesystem::path write(const TemporaryFolder& folder, const std::string& name, const std::string& mode) {
  const std::filesystem::path file = folder / name;
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + mode + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

void checkEqual(const CensusComparison& compared) {
  for (const std::string& difference : compared.differences) FAIL_CHECK(difference);
  CHECK(compared.solids.distinct == compared.partsOfSolids.distinct);
  CHECK(compared.solids.occurrences == compared.partsOfSolids.occurrences);
  CHECK(compared.faces == compared.facesOfParts);
  CHECK(compared.closedSolids == compared.closedParts);
  CHECK(compared.untessellatedOfParts == compared.leftOut.size());
}

/// A product of two solids and a sheet with two occurrences, and two sheets.
struct Bodies {
  TemporaryFolder folder;
  std::filesystem::path file = write(folder, "bodies.step", "BODIES");
  Census census = takeCensus(file);
  Model model = import(file);

  [[nodiscard]] std::vector<std::string> differences() const { return compare(census, model).differences; }
  /// Replaces the mesh of the first solid by a changed copy: surfaces for which `keepSurface` is false are
  /// dropped, triangles for which `keepTriangle` is, and points are moved.
  void change(
      const std::function<bool(std::size_t)>& keepSurface,
      const std::function<bool(std::size_t)>& keepTriangle,
      const std::function<Vec3(std::size_t, const Vec3&)>& moved = [](std::size_t, const Vec3& p) {
        return p;
      }) {
    const TriangleMesh& mesh = model.assembly.part(PartId{0});
    TriangleMeshBuilder builder(mesh.name());
    builder.setDeflection(*mesh.deflection());
    for (std::size_t i = 0; i < mesh.surfaces().size(); ++i) {
      const Surface& surface = mesh.surfaces()[i];
      if (!keepSurface(i)) continue;
      builder.beginSurface(surface.name, surface.colour, surface.description);
      for (std::uint32_t t = 0; t < surface.triangleCount; ++t) {
        if (!keepTriangle(surface.firstTriangle + t)) continue;
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k)
          corners[k] =
              builder.addPoint(moved(i, mesh.pointInPart(mesh.triangles()[surface.firstTriangle + t][k])));
        builder.addTriangle(corners[0], corners[1], corners[2]);
      }
    }
    model.assembly.replacePart(PartId{0}, std::make_shared<const TriangleMesh>(builder.build()));
  }
};

bool all(std::size_t) { return true; }

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("solids, sheets and faces of our own files are Open CASCADE's, and closed ones have closed meshes",
          "[importers][census]") {
  const TemporaryFolder folder;
  struct Input {
    const char *name, *mode;
    std::size_t solids, occurrences, sheets, partsOfSheets, faces, closed;
  };
  for (const Input& input :
       {Input{"mm.step", "MM", 6, 7, 0, 0, 23, 6}, Input{"inch.step", "INCH", 6, 7, 0, 0, 23, 6},
        Input{"external.step", "EXTERNAL", 6, 7, 0, 0, 23, 6},
        Input{"roots.step", "ROOTS", 4, 4, 0, 0, 11, 4}, Input{"bodies.step", "BODIES", 2, 4, 3, 3, 15, 2},
        Input{"solids.igs", "BREP", 7, 7, 0, 0, 29, 7}, Input{"faces.igs", "FACES", 0, 0, 29, 7, 29, 0}}) {
    INFO(input.name);
    const std::filesystem::path file = write(folder, input.name, input.mode);
    const CensusComparison compared = compare(takeCensus(std::filesystem::relative(file)), import(file));
    checkEqual(compared);
    CHECK(compared.solids.distinct == input.solids);
    CHECK(compared.solids.occurrences == input.occurrences);
    CHECK(compared.sheets.distinct == input.sheets);
    CHECK(compared.partsOfSheets.distinct == input.partsOfSheets);
    CHECK(compared.faces == input.faces);
    CHECK(compared.closedSolids == input.closed);
    CHECK(compared.leftOut.empty());
  }
}

TEST_CASE("solids, sheets and faces of the CAD files of the regressions are Open CASCADE's",
          "[importers][census]") {
  const std::vector<std::filesystem::path> files = cadFilesBelow(FITUP_SOURCE_DIR "/tests/regressions");
  CHECK(files.size() >= 4);
  for (const std::filesystem::path& file : files) {
    INFO(file.string());
    checkEqual(compare(takeCensus(file), import(file)));
  }
}

TEST_CASE("a census finds each kind of loss", "[importers][census]") {
  Bodies bodies;
  REQUIRE(bodies.differences().empty());
  REQUIRE(bodies.model.assembly.part(PartId{0}).triangleCount() == 12);
  const auto differences = [&] { return joined(bodies.differences()); };
  const auto ofSurface = [&](std::size_t surface) {
    const Surface& range = bodies.model.assembly.part(PartId{0}).surfaces()[surface];
    return [range](std::size_t triangle) {
      return triangle - range.firstTriangle < range.triangleCount;  // unsigned: nothing before the first
    };
  };

  SECTION("a face without triangles, which nothing says, and which leaves the solid open") {
    const auto isLost = ofSurface(2);
    bodies.change(all, [&](std::size_t triangle) { return !isLost(triangle); });
    CHECK_THAT(differences(), Catch::Contains("frame/base: face 2, area 100, valid, has no triangles, and no "
                                              "warning says so") &&
                                  Catch::Contains("frame/base: the solid is closed, its mesh is open"));
    SECTION("a valid one that is said is lost all the same") {
      bodies.model.warnings.push_back({"frame/base: face 2", "is missing", true});
      CHECK_THAT(differences(), Catch::Contains("valid, has no triangles\n"));
    }
    SECTION("an invalid one that is said may be left out") {
      bodies.model.warnings.push_back({"frame/base: face 2 'top'", "is missing", true});
      bodies.census.bodies[0].faces[2].isValid = false;
      CHECK_THAT(joined(compare(bodies.census, bodies.model).leftOut),
                 Catch::Contains("face 2, area 100, inv"));
      CHECK_THAT(differences(), !Catch::Contains("has no triangles"));
    }
  }
  SECTION("half a face") {
    const auto isOfFace = ofSurface(2);
    std::size_t kept = 0;
    bodies.change(all, [&](std::size_t triangle) { return !isOfFace(triangle) || kept++ == 0; });
    CHECK_THAT(
        differences(),
        Catch::Contains("machine/frame:1/base: face 2 of solid 0 'frame' of 6 faces at (5, 5, 5), area "
                        "100, edges 40, valid, is not there"));
  }
  SECTION("a face less") {
    bodies.change([](std::size_t surface) { return surface != 2; }, all);
    CHECK_THAT(differences(),
               Catch::Contains("solid 0 'frame' of 6 faces at (5, 5, 5): no part has its faces") &&
                   Catch::Contains("machine/frame:2/base: is no body of the file, of 5 faces"));
  }
  SECTION("all faces, one of them within the chord error of where it is, but not up to its neighbours") {
    bodies.change(all, all, [](std::size_t surface, const Vec3& p) {
      return surface == 2 ? p + Vec3{1e-3, 1e-3, 1e-3} : p;
    });
    CHECK_THAT(differences(), Catch::StartsWith("frame/base: the solid is closed, its mesh is open"));
    CHECK(bodies.differences().size() == 1);
    CHECK(compare(bodies.census, bodies.model).closedParts == 1);
    SECTION("which an open solid's mesh may be") {
      bodies.census.bodies[0].openEdges = 1;
      CHECK(bodies.differences().empty());
      CHECK(compare(bodies.census, bodies.model).closedSolids == 1);
    }
  }
  SECTION("another volume") {
    bodies.census.bodies[0].volume *= 1.1;
    CHECK_THAT(differences(),
               Catch::Contains("frame/base: the solid's volume is 1100, that of its mesh 1000"));
  }
  SECTION("an instance that stands elsewhere") {
    bodies.model.assembly.setPlacement(bodies.model.assembly.at("machine/frame:2"),
                                       Transform::translation({103, 0, 0}));
    CHECK_THAT(differences(), Catch::Contains("faces at (105, 5, 5): no part has its faces") &&
                                  Catch::Contains("machine/frame:2/base: is no body of the file"));
  }
  SECTION("an instance too few, and one too many") {
    const Census::Occurrence occurrence = bodies.census.occurrences.front();
    bodies.census.occurrences.push_back(occurrence);
    CHECK_THAT(differences(), Catch::Contains("faces at (5, 5, 5): no part has its faces"));
    bodies.census.occurrences.resize(bodies.census.occurrences.size() - 1);
    bodies.census.occurrences.erase(bodies.census.occurrences.begin());
    CHECK_THAT(differences(), Catch::Contains("machine/frame:1/base: is no body of the file"));
  }
  SECTION("a sheet too few") {
    const auto isSolid = [&](const Census::Occurrence& o) { return bodies.census.bodies[o.body].isSolid; };
    const auto sheet =
        std::find_if_not(bodies.census.occurrences.begin(), bodies.census.occurrences.end(), isSolid);
    const Census::Occurrence again = *sheet;
    bodies.census.occurrences.push_back(again);
    CHECK_THAT(differences(), Catch::StartsWith("sheet "));
  }
  SECTION("solids that are two in the file, and one part") {
    Census& census = bodies.census;
    const auto second = std::find_if(census.occurrences.begin() + 1, census.occurrences.end(),
                                     [](const Census::Occurrence& o) { return o.body == 0; });
    census.bodies.push_back(census.bodies[0]);
    second->body = census.bodies.size() - 1;
    CHECK_THAT(differences(), Catch::Contains("3 distinct solids, 2 parts made of them"));
  }
}

namespace {

/// Larger files take seconds.
constexpr std::uintmax_t smallFile = 300'000;

/// A file that Open CASCADE opens must open, and be equal. Returns true if it does.
bool isCheckedFile(const std::filesystem::path& file) {
  INFO(file.filename().string());
  Census census;
  try {
    census = takeCensus(file);
  } catch (const std::runtime_error&) {
    return false;
  }
  try {
    checkEqual(compare(census, import(file)));
  } catch (const Error& error) {
    FAIL_CHECK(error.what());
  }
  return true;
}

void checkData(bool small, std::size_t least) {
  const auto origin = sharedData("ORIGIN.md");
  if (!origin) {
    WARN("skipped: the shared data are absent");
    return;
  }
  std::size_t checked = 0;
  for (const std::filesystem::path& file : cadFilesBelow(origin->parent_path()))
    if ((std::filesystem::file_size(file) <= smallFile) == small) checked += isCheckedFile(file);
  CHECK(checked >= least);
}

}  // namespace

TEST_CASE("solids, sheets and faces of every small file of the shared data are Open CASCADE's",
          "[importers][census][data]") {
  checkData(true, 25);
}

TEST_CASE("solids, sheets and faces of every large file of the shared data are Open CASCADE's",
          "[.][importers][census][data][large]") {
  checkData(false, 16);
}

TEST_CASE("solids, sheets and faces of the largest STEP assembly are Open CASCADE's",
          "[.][importers][census][data][large]") {
  const auto zip = sharedData("step/openDogv2_20.zip");
  const TemporaryFolder folder;
  if (!zip ||
      std::system(("unzip -q '" + zip->string() + "' -d '" + folder.path().string() + "'").c_str()) != 0) {
    WARN("skipped: openDogv2_20.zip or unzip is absent");
    return;
  }
  const std::vector<std::filesystem::path> files = cadFilesBelow(folder.path());
  CHECK(std::count_if(files.begin(), files.end(), isCheckedFile) == 1);
}

TEST_CASE("a census says why there is none", "[importers][census]") {
  const TemporaryFolder folder;
  writeText(folder / "empty.step", "");
  CHECK(messageOf<std::runtime_error>([&] { takeCensus(folder / "empty.step"); }) ==
        "Open CASCADE opens nothing");
}
#endif

}  // namespace brep_census_tests

// Compares feature edges of CAD parts and their exact shapes with the meshes and with Open CASCADE.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

#include "support/import_checks.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace feature_edges_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Side = std::array<std::uint32_t, 2>;  // points, the smaller one first
using Faces = std::set<std::uint32_t>;

Side sideOf(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

/// Returns the sides of triangles at which a face ends, with the faces that have them, from the triangles
/// alone.
std::map<Side, Faces> boundaries(const TriangleMesh& mesh) {
  std::map<Side, std::multiset<std::uint32_t>> users;
  for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      users[sideOf(mesh.triangles()[t][k], mesh.triangles()[t][(k + 1) % 3])].insert(
          static_cast<std::uint32_t>(mesh.surfaceOf(TriangleId(t))));
  std::map<Side, Faces> result;
  for (const auto& [side, faces] : users)
    if (faces.size() == 1 || *faces.begin() != *faces.rbegin())
      result.emplace(side, Faces(faces.begin(), faces.end()));
  return result;
}

/// Returns the same according to the feature edges.
std::map<Side, Faces> featureEdgesOf(const TriangleMesh& mesh) {
  std::map<Side, Faces> result;
  for (const FeatureEdge& edge : mesh.featureEdges()) {
    if (edge.otherFace() == edge.face()) continue;  // within a face
    const auto points = mesh.edgePoints(edge);
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      Faces& faces = result[sideOf(points[k], points[k + 1])];
      faces.insert(edge.first);
      if (edge.otherFace()) faces.insert(edge.second);
    }
  }
  return result;
}

/// Checks that feature edges are exactly where faces of closed parts end, with the same faces.
void checkEdges(const Model& model) {
  std::size_t checked = 0;
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId(p));
    INFO(mesh.name());
    CHECK_FALSE(mesh.featureEdges().empty());
    const MeshTopology topology(mesh);
    const Watertightness watertightness(mesh, topology);
    // If triangles lie on each other, it is uncertain to which of them a side belongs.
    if (!watertightness.closed() || text(watertightness).find("more than two") != std::string::npos) continue;
    CHECK(featureEdgesOf(mesh) == boundaries(mesh));
    ++checked;
  }
  CHECK(checked > 0);
}

}  // namespace

#if defined(FITUP_WRITE_TEST_STEP)
TEST_CASE("feature edges are where faces end, with the faces on both sides", "[importers]") {
  const TemporaryFolder folder;
  for (const std::string name : {"a.step", "a.igs"}) {
    const std::string argument = name == "a.step" ? "MM" : "BREP";
    REQUIRE(runProgram(FITUP_WRITE_TEST_STEP, {(folder / name).string(), argument}).exitCode == 0);
    const Model model = import(folder / name);
    checkEdges(model);
    for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
      const TriangleMesh& mesh = model.assembly.part(PartId(p));
      if (mesh.name() == "block") CHECK(mesh.featureEdges().size() == 12);
      if (mesh.name() == "pin") {
        // Two circles, which are closed, and the seam of the mantle.
        REQUIRE(mesh.featureEdges().size() == 3);
        std::size_t seams = 0;
        for (const FeatureEdge& edge : mesh.featureEdges()) {
          const auto points = mesh.edgePoints(edge);
          const bool isSeam = edge.otherFace() == edge.face();
          seams += isSeam ? 1 : 0;
          CHECK((points.front() == points.back()) == !isSeam);
          CHECK(points.size() > (isSeam ? 1 : 8));
        }
        CHECK(seams == 1);
      }
    }
  }
}

TEST_CASE("open edges have one face", "[importers]") {
  const TemporaryFolder folder;
  REQUIRE(runProgram(FITUP_WRITE_TEST_STEP, {(folder / "a.step").string(), "BODIES"}).exitCode == 0);
  const Model model = import(folder / "a.step");
  std::size_t open = 0;
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId(p));
    INFO(mesh.name());
    CHECK(featureEdgesOf(mesh) == boundaries(mesh));
    for (const FeatureEdge& edge : mesh.featureEdges()) open += edge.otherFace() ? 0 : 1;
  }
  CHECK(open > 0);
}

TEST_CASE("the exact shape of a part has its faces, in the order of its surfaces", "[importers]") {
  const TemporaryFolder folder;
  const auto file = folder / "shape.bin";
  for (const auto& [name, argument] : {std::pair("a.step", "MM"), std::pair("b.step", "BODIES"),
                                       std::pair("a.igs", "BREP"), std::pair("b.igs", "FACES")}) {
    REQUIRE(runProgram(FITUP_WRITE_TEST_STEP, {(folder / name).string(), argument}).exitCode == 0);
    ReadOptions options;
    options.linearDeflection = 0.001;
    const Model model = import(folder / name, options);
    REQUIRE(model.exactShapes.size() == model.assembly.partCount());
    for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
      const TriangleMesh& mesh = model.assembly.part(PartId(p));
      INFO(name << ", " << mesh.name());
      const auto bytes = model.exactShapes[p].span();
      REQUIRE_FALSE(bytes.empty());
      writeText(file, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      const ProgramResult printed = runProgram(FITUP_PRINT_BREP, {file.string()});
      INFO(printed.text());
      REQUIRE(printed.exitCode == 0);
      std::istringstream areas(printed.out);
      for (const Surface& surface : mesh.surfaces()) {
        double exact = 0;
        REQUIRE(areas >> exact);
        CHECK(surface.fingerprint.area == Approx(exact).epsilon(1e-3));
      }
      std::string more;
      CHECK_FALSE(areas >> more);
    }
  }
}
#endif

TEST_CASE("feature edges of public files are where faces end", "[importers][data]") {
  if (!cadImporter()) return;
  for (const std::string name : {"step/as1-oc-214.stp", "step/screw.step"}) {
    const auto file = sharedData(name);
    if (!file) {
      WARN("skipped: " << name << " is not there");
      continue;
    }
    INFO(name);
    checkEdges(import(*file));
  }
}

}  // namespace feature_edges_tests

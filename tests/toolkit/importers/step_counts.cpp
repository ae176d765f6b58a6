#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "support/import_checks.h"
#include "support/test_data.h"

using namespace fitup;
using namespace fitup::test;

namespace {

/// What Open CASCADE itself finds in the file at 0.1 mm and 0.5 rad.
struct Expected {
  const char* file;
  std::size_t instances, parts, faces, untessellated, triangles;
};

constexpr Expected expectations[] = {
    {"step/as1-oc-214.stp", 18, 5, 160, 0, 5180},    {"step/13_5_hinge_R_assy.stp", 6, 5, 276, 0, 7852},
    {"step/AeroAssembly.step", 8, 8, 507, 0, 28836}, {"step/Bowden_Module.step", 33, 17, 2733, 0, 52730},
    {"step/SCDR.stp", 153, 153, 1369, 0, 30156},     {"step/morphV1.stp", 10, 6, 1849, 62, 78930},
    {"step/io1-tu-203.stp", 2, 2, 29, 0, 1880},      {"step/stp_multiple_shp_at_root.stp", 3, 3, 43, 0, 2020},
};

std::size_t unresolvedWarnings(const Model& model) {
  return static_cast<std::size_t>(std::count_if(
      model.warnings.begin(), model.warnings.end(),
      [](const auto& w) { return w.incomplete && w.message == "could not be tessellated; it is missing"; }));
}

}  // namespace

TEST_CASE("real STEP assemblies arrive whole", "[importers]") {
  for (const Expected& expected : expectations) {
    const auto file = sharedData(expected.file);
    if (!cadImporter() || !file) {
      WARN("skipped: " << expected.file << " or the importer is absent");
      continue;
    }
    INFO(expected.file);
    const Model model = import(*file);
    const ImportCounts counts = countsOf(model);
    CHECK(counts.instances == expected.instances);
    CHECK(counts.parts == expected.parts);
    CHECK(counts.faces == expected.faces);
    CHECK(counts.untessellated == expected.untessellated);
    CHECK(double(counts.triangles) == Approx(double(expected.triangles)).epsilon(0.02));
    CHECK(model.assembly.unit() == "mm");
    // Each untessellated face of a part is named once, and nothing else is said to be missing.
    CHECK(isIncomplete(model) == (expected.untessellated > 0));
    if (expected.untessellated > 0) CHECK(unresolvedWarnings(model) > 0);
  }
}

TEST_CASE("names of STEP files become paths", "[importers]") {
  const auto file = sharedData("step/as1-oc-214.stp");
  if (!cadImporter() || !file) {
    WARN("skipped: as1-oc-214.stp or the importer is absent");
    return;
  }
  const Model model = import(*file);
  const NodeId bolt = model.assembly.at("as1/l-bracket-assembly_2/nut-bolt-assembly_3/bolt_1");
  const AssemblyNode& node = model.assembly.node(bolt);
  REQUIRE(node.part);
  const TriangleMesh& mesh = model.assembly.part(*node.part);
  CHECK(mesh.name() == "bolt");
  REQUIRE(mesh.surfaces()[0].colour);
  CHECK(mesh.surfaces()[0].colour->blue == Approx(1));
  // The plate, 180 x 150 x 20 mm, and its world box.
  const Box plate = model.assembly.worldBounds(model.assembly.at("as1/plate_1"));
  CHECK(plate.max.x - plate.min.x == Approx(180).margin(0.01));
  Box all;
  for (NodeId instance : model.assembly.instances()) all.extend(model.assembly.worldBounds(instance));
  CHECK(all.max.x - all.min.x == Approx(200.1).margin(0.2));
}

TEST_CASE("parts and their mirror images both have their outsides outside", "[importers]") {
  const auto file = sharedData("step/morphV1.stp");
  if (!cadImporter() || !file) {
    WARN("skipped: morphV1.stp or the importer is absent");
    return;
  }
  const Model model = import(*file);
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    INFO(model.assembly.part(PartId(p)).name());
    CHECK(signedVolume(model.assembly.part(PartId(p))) > 0);
  }
}

TEST_CASE("importing twice gives the same model", "[importers]") {
  const auto file = sharedData("step/13_5_hinge_R_assy.stp");
  if (!cadImporter() || !file) {
    WARN("skipped: 13_5_hinge_R_assy.stp or the importer is absent");
    return;
  }
  CHECK(import(*file).assembly.contentHash() == import(*file).assembly.contentHash());
}

TEST_CASE("a finer tessellation has more triangles", "[importers]") {
  const auto file = sharedData("step/as1-oc-214.stp");
  if (!cadImporter() || !file) {
    WARN("skipped: as1-oc-214.stp or the importer is absent");
    return;
  }
  ReadOptions fine;
  fine.linearDeflection = 0.01;
  fine.angularDeflection = 0.2;
  const Model model = import(*file, fine);
  CHECK(countsOf(model).triangles > 6000);
  CHECK(model.assembly.part(PartId(0)).deflection() == Deflection{0.01, 0.2});
}

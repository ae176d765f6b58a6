#include <catch2/catch.hpp>

#include "support/import_checks.h"
#include "support/test_data.h"

namespace step_counts_tests {

using namespace fitup;
using namespace fitup::test;

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

TEST_CASE("parts of a real assembly and their mirror images have their outsides outside",
          "[.][importers][large]") {
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

}  // namespace step_counts_tests

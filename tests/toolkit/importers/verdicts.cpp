#include <catch2/catch.hpp>

#include <fitup/query/verdict.h>
#include <fitup/scene/interference.h>

#include "support/import_checks.h"
#include "support/test_data.h"

namespace verdicts_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::optional<Model> readStep(const char* name) {
  const auto file = sharedData(name);
  if (!cadImporter() || !file) {
    WARN("skipped: " << name << " or the importer is absent");
    return std::nullopt;
  }
  return import(*file);
}

InterferenceReport judged(const Model& model) {
  InterferenceOptions options;
  options.request.mode = QueryMode::firstSurfacePair;
  options.verdict = VerdictOptions{};
  return checkAllPairs(sceneOf(model), {}, options);
}

}  // namespace

TEST_CASE("parts of real STEP assemblies are closed, welded along the faces' edges", "[importers][verdict]") {
  for (const char* name : {"step/as1-oc-214.stp", "step/13_5_hinge_R_assy.stp", "step/Bowden_Module.step"})
    if (const auto model = readStep(name))
      for (std::uint32_t i = 0; i < model->assembly.partCount(); ++i) {
        const TriangleMesh& mesh = model->assembly.part(PartId{i});
        const Watertightness watertightness(mesh, MeshTopology(mesh));
        INFO(name << ": " << mesh.name() << ": " << text(watertightness));
        CHECK(watertightness.closed());
        CHECK(watertightness.volume() > 0);
      }
}

TEST_CASE("as designed, mated parts of as1 and the hinge are in contact, and but for a rivet none clash",
          "[importers][verdict]") {
  // The rivet is the second solid of its bracket's product; Open CASCADE's Boolean finds 0.174 mm3 in common.
  for (const auto& [name, contacts, clashes] :
       {std::tuple{"step/as1-oc-214.stp", 32, 0}, std::tuple{"step/13_5_hinge_R_assy.stp", 7, 1}})
    if (const auto model = readStep(name)) {
      INFO(name);
      const InterferenceReport report = judged(*model);
      CHECK(report.status == ReportStatus::complete);
      CHECK(report.count(Verdict::clash) == static_cast<std::size_t>(clashes));
      CHECK(report.count(Verdict::contact) == static_cast<std::size_t>(contacts));
    }
}

TEST_CASE("a bracket of as1 pressed 1 mm into its plate clashes, lifted 1 mm it is clear at 1 mm",
          "[importers][verdict]") {
  const auto model = readStep("step/as1-oc-214.stp");
  if (!model) return;
  const Assembly& assembly = model->assembly;
  const NodeId plate = assembly.at("as1/plate_1"),
               bracket = assembly.at("as1/l-bracket-assembly_1/l-bracket_1");
  const Scene scene = sceneOf(*model);
  // The plate is perpendicular to z in the world, and the bracket stands on it.
  const auto at = [&](double z) {
    return verdict(scene.posedSolid(plate),
                   scene.posedSolid(bracket, {{bracket, Transform::translation({0, 0, z}) *
                                                            assembly.worldFromNode(bracket)}}));
  };
  const double deflection = 0.1;
  CHECK(at(0).verdict == Verdict::contact);
  const VerdictReport in = at(-1), out = at(1);
  CHECK(in.verdict == Verdict::clash);
  REQUIRE(in.depth);
  CHECK(*in.depth == Approx(1).margin(deflection));
  CHECK(out.verdict == Verdict::clear);
  REQUIRE(out.distance);
  CHECK(*out.distance == Approx(1).margin(deflection));
}

}  // namespace verdicts_tests

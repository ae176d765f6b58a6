#include <viewer/core/findings.h>

#include <catch2/catch.hpp>
#include <set>

#include <fitup/io/report_build.h>
#include <models/process_plant.h>

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("findings have the ids of reports and witnesses of their surfaces", "[viewer][findings]") {
  Model model;
  model.assembly = models::makeProcessPlant();
  model.collisionModels = buildCollisionModels(model.assembly);
  const Session session(model, "plant.fitup");
  for (const QueryMode mode :
       {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs}) {
    InterferenceOptions options;
    options.request.mode = mode;
    const InterferenceReport report = checkAllPairs(model.assembly, model.collisionModels, options);
    ReportContext context;
    context.options = options;
    const ReportDocument document = buildReport(context, model, report);
    std::set<std::string> expected, found;
    for (const ReportedPair& pair : document.runs.at(0).pairs)
      for (const ReportedFinding& finding : pair.findings) expected.insert(finding.id);
    REQUIRE_FALSE(expected.empty());
    for (const Finding& finding : listFindings(model.assembly, report)) {
      found.insert(idOf(model.assembly, finding));
      REQUIRE(finding.witness);
      const TriangleMesh &a = model.assembly.part(*model.assembly.node(finding.a).part),
                         &b = model.assembly.part(*model.assembly.node(finding.b).part);
      CHECK(a.surfaceOf(finding.witness->a) == finding.surfaces->a);
      CHECK(b.surfaceOf(finding.witness->b) == finding.surfaces->b);
      const Box box = boundsOf(session, finding);
      CHECK_FALSE(box.empty());
      CHECK(box.overlaps(model.assembly.worldBounds(finding.a)));
      CHECK(box.overlaps(model.assembly.worldBounds(finding.b)));
    }
    CHECK(found == expected);
  }
}

TEST_CASE("reviews go into reports", "[viewer][findings]") {
  Model model;
  model.assembly = models::makeProcessPlant();
  model.collisionModels = buildCollisionModels(model.assembly);
  const InterferenceReport report = checkAllPairs(model.assembly, model.collisionModels, {});
  const Finding finding = listFindings(model.assembly, report).at(2);
  ReportContext context;
  context.reviews[idOf(model.assembly, finding)] = {ReviewStatus::approved, "it bends"};
  std::size_t reviewed = 0;
  const ReportDocument document = buildReport(context, model, report);
  for (const ReportedPair& pair : document.runs.at(0).pairs)
    for (const ReportedFinding& each : pair.findings)
      if (each.review == Review{ReviewStatus::approved, "it bends"}) {
        ++reviewed;
        CHECK(each.id == context.reviews.begin()->first);
      }
  CHECK(reviewed == 1);
}

#include <viewer/core/finding_place.h>
#include <viewer/core/findings.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include <fitup/io/report_build.h>
#include <fitup/scene/clash_depths.h>
#include <fitup/scene/finding_counts.h>
#include <models/process_plant.h>

namespace findings_tests {

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("findings have the ids of reports and witnesses of their surfaces", "[viewer][findings]") {
  Model model;
  model.assembly = models::makeProcessPlant();
  model.collisionModels = buildCollisionModels(model.assembly);
  const Session session(model, {"plant.fitup"});
  for (const QueryMode mode :
       {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs}) {
    InterferenceOptions options;
    options.request.mode = mode;
    const InterferenceReport report = checkAllPairs(sceneOf(model), {}, options);
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
      const TriangleMesh &a = model.assembly.meshOf(finding.a), &b = model.assembly.meshOf(finding.b);
      CHECK(a.surfaceOf(finding.witness->a) == finding.surfaces->a);
      CHECK(b.surfaceOf(finding.witness->b) == finding.surfaces->b);
      const FindingPlace place = placeOf(session.scene(), {}, finding, pairOf(report, finding));
      const Box at = Box::around({&place.point, 1});
      CHECK(at.overlaps(place.around));
      CHECK(at.overlaps(model.assembly.worldBounds(finding.a)));
      CHECK(at.overlaps(model.assembly.worldBounds(finding.b)));
      CHECK_FALSE(place.seen.empty());
    }
    CHECK(found == expected);
  }
}

TEST_CASE("the table has the verdicts of reports, and copies are one row", "[viewer][findings]") {
  Model model;
  model.assembly = models::makeProcessPlant();
  const NodeId spool = model.assembly.at("process-plant/piping/spool"),
               pump = model.assembly.at("process-plant/equipment/pump");
  const auto copy = [&](NodeId node, const char* name, double by) {
    return model.assembly.addNode(name,
                                  Transform::translation({by, 0, 0}) * model.assembly.worldFromNode(node), {},
                                  model.assembly.partOf(node));
  };
  const NodeId again = copy(spool, "again", 0), third = copy(spool, "third", 0);
  copy(pump, "deep", 3);  // clashes with some of its faces only
  model.collisionModels = buildCollisionModels(model.assembly);
  InterferenceOptions options;
  options.request.mode = QueryMode::allSurfacePairs;
  options.verdict = VerdictOptions{.tolerance = 0.5};
  const InterferenceReport report = checkAllPairs(sceneOf(model), {}, options);
  ReportContext context;
  context.options = options;
  const ReportDocument document = buildReport(context, model, report);
  std::map<std::string, Severity> expected, found;
  for (const ReportedPair& pair : document.runs.at(0).pairs) {
    Severity worst = Severity::intersection;
    for (const ReportedFinding& finding : pair.findings) {
      expected[finding.id] = finding.assessment.severity();
      worst = std::max(worst, finding.assessment.severity());
    }
    if (worst < pair.assessment.severity()) expected[pair.id] = pair.assessment.severity();
  }
  std::size_t sets = 0;
  const std::vector<Finding> findings = listFindings(model.assembly, report);
  for (const Finding& finding : findings) {
    CHECK_FALSE(finding.depthIsOpen);
    found[idOf(model.assembly, finding)] = finding.severity;
    if (finding.copies.empty()) continue;
    ++sets;
    CHECK(finding.instances() == std::set{spool, again, third});
    CHECK_FALSE(containedPart(model.assembly, finding));
  }
  CHECK(sets == 1);
  for (const auto& [id, severity] : found) {
    INFO(id);
    REQUIRE(expected.contains(id));
    CHECK(severity == expected[id]);
  }
  std::set<Severity> severities;
  for (const auto& [id, severity] : expected) severities.insert(severity);
  CHECK(severities.contains(Severity::contact));
  CHECK(severities.contains(Severity::clash));
  CHECK(found.size() > expected.size() / 2);
  CHECK(changesBetween(findings, findings).empty());
  CHECK(countFindings(report) == countFindings(document.runs.at(0).pairs));
}

TEST_CASE("a check without regions states no verdict of faces that a report contradicts",
          "[viewer][findings]") {
  Model model;
  model.assembly = models::makeProcessPlant();
  const NodeId pump = model.assembly.at("process-plant/equipment/pump");
  for (const double by : {0.6, 3.0, 40.0})
    model.assembly.addNode("pump" + std::to_string(by),
                           Transform::translation({by, 0, 0}) * model.assembly.worldFromNode(pump), {},
                           model.assembly.partOf(pump));
  model.collisionModels = buildCollisionModels(model.assembly);
  const Scene scene = sceneOf(model);
  InterferenceOptions options;
  options.request.mode = QueryMode::allSurfacePairs;
  options.verdict = VerdictOptions{.tolerance = 0.5};
  ReportContext context;
  context.options = options;
  const ReportDocument document = buildReport(context, model, checkAllPairs(scene, {}, options));
  std::map<std::string, Severity> expected;
  std::size_t clashes = 0, all = 0;
  for (const ReportedPair& pair : document.runs.at(0).pairs)
    for (const ReportedFinding& finding : pair.findings) {
      expected[finding.id] = finding.assessment.severity();
      clashes += finding.assessment.verdict == Verdict::clash;
      ++all;
    }
  REQUIRE(clashes > 0);
  REQUIRE(clashes < all);

  options.verdict->regions = false;
  InterferenceReport report = checkAllPairs(scene, {}, options);
  REQUIRE(needsDepths(report));
  const auto check = [&] {
    std::size_t stated = 0;
    std::set<std::pair<NodeId, NodeId>> clashing;  // that have a row which says so
    for (const Finding& finding : listFindings(model.assembly, report)) {
      if (finding.found.verdict == Verdict::clash) clashing.emplace(finding.a, finding.b);
      if (!finding.surfaces || !finding.found.verdict) continue;
      ++stated;
      INFO(idOf(model.assembly, finding));
      CHECK(finding.severity == expected.at(idOf(model.assembly, finding)));
    }
    CHECK(clashing.size() == countFindings(report).clashes);
    const FaceCounts faces = countFaces(report);
    CHECK(faces.all == all);
    CHECK(faces.open == all - stated);
    CHECK(faces.clashes + faces.contacts + faces.undecided == stated);
  };
  check();
  CHECK(countFaces(report).open > 0);
  ClashDepths().measure(scene, {}, report, *options.verdict);
  // Whatever the search has found, it is the last word.
  CHECK_FALSE(needsDepths(report));
  check();
  CHECK(countFaces(report).open == 0);
  CHECK(countFaces(report).clashes == clashes);
}

TEST_CASE("reviews go into reports", "[viewer][findings]") {
  Model model;
  model.assembly = models::makeProcessPlant();
  model.collisionModels = buildCollisionModels(model.assembly);
  const InterferenceReport report = checkAllPairs(sceneOf(model));
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

TEST_CASE("the change between two lists of findings makes one of the other", "[viewer]") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    // Lists in the order of reports, with few ids, so that they largely agree.
    const auto list = [&random] {
      std::set<std::tuple<int, int, int>> keys;
      for (unsigned i = random() % 40; i > 0; --i) keys.insert({random() % 3, 3, random() % 25});
      std::vector<Finding> findings;
      for (const auto& [a, b, surface] : keys) {
        Finding finding;
        finding.a = NodeId(a);
        finding.b = NodeId(b);
        if (surface > 0) finding.surfaces = SurfacePair{SurfaceId(surface / 5), SurfaceId(surface % 5)};
        findings.push_back(finding);
      }
      return findings;
    };
    const std::vector<Finding> before = list(), after = list();
    const std::vector<FindingsChange> changes = changesBetween(before, after);
    std::vector<Finding> made = before;
    std::size_t gone = 0, come = 0;
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      const auto at = made.begin() + static_cast<std::ptrdiff_t>(change->oldAt);
      const auto count = static_cast<std::ptrdiff_t>(change->count);
      const auto from = after.begin() + static_cast<std::ptrdiff_t>(change->newAt);
      if (change->inserts)
        made.insert(at, from, from + count);
      else
        made.erase(at, at + count);
      (change->inserts ? come : gone) += change->count;
    }
    REQUIRE(std::equal(made.begin(), made.end(), after.begin(), after.end(), isSameFinding));
    // No row is removed and inserted again.
    const auto isIn = [](const std::vector<Finding>& all, const Finding& finding) {
      return std::ranges::any_of(all, [&](const Finding& other) { return isSameFinding(finding, other); });
    };
    CHECK(gone == static_cast<std::size_t>(std::ranges::count_if(
                      before, [&](const Finding& finding) { return !isIn(after, finding); })));
    CHECK(come == static_cast<std::size_t>(std::ranges::count_if(
                      after, [&](const Finding& finding) { return !isIn(before, finding); })));
  }
}

}  // namespace findings_tests

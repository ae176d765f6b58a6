#include "sample_report.h"

#include <memory>

namespace fitup::test {

ReportedFinding sampleFinding(const std::string& pathA, std::uint32_t n, const std::string& pathB,
                              std::uint32_t m) {
  const auto surface = [](std::uint32_t ordinal) {
    return ReportedSurface{ordinal, "", "plane", {SurfaceKind::plane, 4.0, {10.0 * ordinal, 1.0 / 3.0, -2}}};
  };
  ReportedFinding finding;
  finding.a = surface(n);
  finding.b = surface(m);
  finding.id = findingId(pathA, finding.a, pathB, finding.b);
  finding.triangles = {{n, m}};
  return finding;
}

ReportDocument emptyCheck() {
  ReportDocument report;
  report.program = "fitup test";
  report.model.file = "sample.step";
  report.model.instances = {"a", "b", "c"};
  report.request = {"triangles", "wide", "include", "on", false, {}, {}, {}};
  report.runs.emplace_back();
  return report;
}

ReportDocument checkWith(const std::string& a, const std::string& b,
                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& faces) {
  ReportDocument report = emptyCheck();
  ReportedPair pair;
  pair.a = a;
  pair.b = b;
  pair.id = pairId(a, b);
  for (const auto& [n, m] : faces) pair.findings.push_back(sampleFinding(a, n, b, m));
  report.runs[0].pairs.push_back(std::move(pair));
  return report;
}

ReportDocument fullReport(ReportKind kind) {
  ReportDocument report = emptyCheck();
  report.kind = kind;
  report.model = {"sample.step", 0x0123456789abcdefULL, "in", "source.step", digestText(digestOf("source")),
                  "linear 0.1",  {"a", "b", "c"},       {}};
  report.request.maxPairs = 12;
  report.request.timeBudgetMilliseconds = 0.5;
  report.request.verdicts = true;
  report.request.tolerance = 0.2;
  report.request.exactShapes = true;
  report.model.incomplete = {"a", "c"};
  report.model.fromCache = {"source.step"};
  report.model.ownTolerances = {0.2, 0.25, 1.0 / 3.0};
  report.model.placed = {{"b", Transform::rigid({0.5, 0.5, 0.5, 0.5}, {1, 2, 1.0 / 3.0}), 1.0 / 3.0, 0.5}};
  report.request.rules.rules = {
      {"a", "c", "threads"},
      {"a", "b", "hot", RuleAction::clearance, 2.5},
      {.a = "*",
       .b = "b",
       .whereA = {.part = "M8*", .layer = "fasteners"},
       .whereB = {.colour = "#ff8000", .layer = "1?"}},
      {.a = "*", .b = "*", .action = RuleAction::allowOverlap, .depth = 0.5, .fastener = Fastener::thread}};
  report.request.rules.resolved = std::make_shared<RuleMatches>(RuleMatches{
      {{}, {}, {.a = {"a", "c"}, .b = {"b"}, .pairs = {}}, {.a = {}, .b = {}, .pairs = {{"a", "c"}}}}});
  report.request.rules.check = CheckSets{{"a"}, {"frame", "tank*"}};
  report.status = ReportStatus::truncated;
  report.geometryIncomplete = true;
  report.warnings = {{"a: face 1", "could not be tessellated", true}, {"", "old", false}};
  if (kind == ReportKind::diff) {
    report.oldFile = "old.json";
    report.newFile = "new.json";
    report.placedOtherwise = {"b"};
  }
  if (kind == ReportKind::replay) {
    report.track = "track.json";
    report.trackHash = 0xfedcba9876543210ULL;
    report.moved = {"a"};
  }
  ReportedPair pair;
  pair.a = "a";
  pair.b = "b";
  pair.id = pairId("a", "b");
  pair.rule = 1;
  pair.assessment.verdict = Verdict::clash;
  pair.assessment.tolerance = 0.2;
  pair.assessment.volume = 1.0 / 7;
  pair.assessment.volumeErrorBound = 1e-3;
  pair.assessment.wayOut = Vec3{0, 0.25, -1.0 / 3};
  pair.review = {ReviewStatus::reviewed, ""};
  ReportedFinding finding = sampleFinding("a", 3, "b", 0);
  finding.a.name = "thread <1>";
  finding.triangles = {{7, 4}, {8, 4294967295U}};
  finding.assessment = {Verdict::clash, 0.2,  1.0 / 3.0, 0.0625,        true,
                        0.001,          1e-6, 0.25,      Vec3{1, 2, 3}, Vec3{0, 0, 1}};
  finding.extent = Box{{1, 2, 3}, {4, 5, 6}};
  finding.region = 2;
  finding.review = {ReviewStatus::approved, "press fit, \"wanted\""};
  if (kind == ReportKind::diff) {
    finding.change = FindingChange::notRechecked;
    finding.changeReason = "left out by rule 0";
    finding.steps = {1, 2, 5};
  }
  pair.findings = {finding, sampleFinding("a", 1, "b", 1)};
  ReportedPair cut;
  cut.a = "a";
  cut.b = "c";
  cut.id = pairId("a", "c");
  cut.status = ReportStatus::truncated;
  cut.volumeUnknownBecause = "part 'c' is not closed";
  ReportedPair copies;
  copies.a = "b";
  copies.b = "c";
  copies.id = pairId("b", "c");
  copies.assessment.verdict = Verdict::clash;
  copies.copies = {"b", "c", "d"};
  copies.copyPairs = 2;
  ReportedRun& run = report.runs.front();
  run = {0, ReportStatus::truncated, 3, 1, 2, 4, 1.5, {}, {pair, cut, copies}};
  run.stats.boxTests = 17;
  if (kind == ReportKind::replay) {
    report.runs.push_back(run);
    report.runs.back().step = 1;
  }
  if (kind == ReportKind::diff) report.runs.front() = {0, {}, 0, 0, 0, 0, 0, {}, {pair}};
  ReportedPair carried;
  carried.a = "b";
  carried.b = "c";
  carried.id = pairId("b", "c");
  carried.findings = {sampleFinding("b", 1, "c", 2)};
  carried.findings[0].review = {ReviewStatus::active, "look again"};
  if (kind == ReportKind::replay) carried.findings[0].trackHash = 5;
  report.carried = {carried};
  return report;
}

}  // namespace fitup::test

#include <fitup/io/report_diff.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "support/compared_reports.h"
#include "support/sample_report.h"

namespace report_diff_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Renumbers the face; its id follows.
void renumber(ReportDocument& report, std::size_t f, std::uint32_t ordinal) {
  ReportedPair& pair = report.runs[0].pairs[0];
  pair.findings[f].a.ordinal = ordinal;
  pair.findings[f].id = findingId(pair.a, pair.findings[f].a, pair.b, pair.findings[f].b);
}

}  // namespace

TEST_CASE("new, gone and unchanged findings", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 2}, {3, 3}});
  const ReportDocument after = checkWith("a", "b", {{1, 1}, {3, 3}, {4, 4}});
  finding(before, 0).review = {ReviewStatus::approved, "mated"};
  finding(before, 1).review = {ReviewStatus::active, "to mend"};
  finding(before, 2).review = {ReviewStatus::resolved, "thought so"};
  const ReportComparison c = compareReports(before, after);
  CHECK(countsOf(c) == Counts{1, 1, 2, 0});
  const auto& findings = c.diff.runs.at(0).pairs.at(0).findings;
  REQUIRE(findings.size() == 4);
  CHECK(findings[0].change == FindingChange::unchanged);
  CHECK(findings[0].review == Review{ReviewStatus::approved, "mated"});
  CHECK(findings[1].review == Review{ReviewStatus::active, "thought so"});  // it exists after all
  CHECK(findings[2].change == FindingChange::isNew);
  CHECK(findings[2].review == Review{});
  CHECK(findings[3].change == FindingChange::gone);
  CHECK(findings[3].review == Review{ReviewStatus::resolved, "to mend"});
  CHECK(c.diff.kind == ReportKind::diff);

  const ReportDocument& carried = c.carriedOver;
  REQUIRE(carried.runs.at(0).pairs.at(0).findings.size() == 3);
  CHECK(carried.kind == ReportKind::check);
  CHECK(carried.runs[0].pairs[0].findings[0].review == Review{ReviewStatus::approved, "mated"});
  CHECK(carried.runs[0].pairs[0].findings[2].review == Review{});
  CHECK(carried.carried.empty());
  CHECK(countsOf(compareReports(after, after)) == Counts{0, 0, 3, 0});
  CHECK(countsOf(compareReports(emptyCheck(), after)) == Counts{3, 0, 0, 0});
  CHECK(countsOf(compareReports(after, emptyCheck())) == Counts{0, 3, 0, 0});
}

TEST_CASE("a finding that nobody looked at becomes active, a review of the new report stays",
          "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 2}});
  ReportDocument after = before;
  finding(before, 1).review = {ReviewStatus::reviewed, "old words"};
  finding(after, 1).review = {ReviewStatus::approved, "new words"};
  ReportComparison c = compareReports(before, after);
  CHECK(finding(c.carriedOver, 0).review == Review{ReviewStatus::active, ""});
  CHECK(finding(c.carriedOver, 1).review == Review{ReviewStatus::approved, "new words"});
}

TEST_CASE("contact that became a clash is new, and what was approved has to be looked at again",
          "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 2}, {3, 3}});
  for (ReportedFinding& f : before.runs[0].pairs[0].findings) f.assessment.verdict = Verdict::contact;
  before.runs[0].pairs[0].assessment.verdict = Verdict::contact;
  finding(before, 0).review = {ReviewStatus::approved, "seated"};
  finding(before, 1).review = {ReviewStatus::approved, "seated too"};
  ReportDocument after = before;
  for (ReportedFinding& f : after.runs[0].pairs[0].findings) f.review = {};
  after.runs[0].pairs[0].assessment.verdict = Verdict::clash;
  finding(after, 0).assessment.verdict = Verdict::clash;
  finding(after, 2).assessment.verdict.reset();  // not asked: nothing is known to be worse

  const ReportComparison worse = compareReports(before, after);
  CHECK(countsOf(worse) == Counts{1, 0, 2, 0});
  const auto& findings = worse.diff.runs.at(0).pairs.at(0).findings;
  CHECK(findings[0].change == FindingChange::isNew);
  CHECK(findings[0].changeReason == "was contact");
  CHECK(findings[0].review == Review{ReviewStatus::active, "seated"});
  CHECK(findings[1].review == Review{ReviewStatus::approved, "seated too"});
  ReportDocument carried = worse.carriedOver;
  CHECK(finding(carried, 0).review == Review{ReviewStatus::active, "seated"});

  const ReportComparison better = compareReports(after, before);
  CHECK(countsOf(better) == Counts{0, 0, 3, 0});
}

TEST_CASE("a pair that became a clash is new where none of its findings shows it", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 2}});
  ReportedPair& pair = before.runs[0].pairs[0];
  pair.assessment.verdict = Verdict::contact;
  pair.review = {ReviewStatus::approved, "seated"};
  for (ReportedFinding& f : pair.findings) {
    f.assessment.verdict = Verdict::contact;
    f.review = {ReviewStatus::approved, "seated"};
  }
  ReportDocument after = before;
  after.runs[0].pairs[0].review = {};
  for (ReportedFinding& f : after.runs[0].pairs[0].findings) f.review = {};
  after.runs[0].pairs[0].assessment = {.verdict = Verdict::clash, .depth = 2};

  const ReportComparison worse = compareReports(before, after);
  CHECK(countsOf(worse) == Counts{1, 0, 2, 0});
  const ReportedFinding& whole = worse.diff.runs.at(0).pairs.at(0).findings.back();
  CHECK(whole.a.ordinal == wholePart);
  CHECK(whole.id == pair.id);
  CHECK(whole.change == FindingChange::isNew);
  CHECK(whole.changeReason == "was contact");
  CHECK(whole.assessment.depth == 2);
  // An approved contact does not hide it.
  CHECK(whole.review == Review{ReviewStatus::active, "seated"});
  CHECK(worse.carriedOver.runs[0].pairs[0].review == Review{ReviewStatus::active, "seated"});

  CHECK(countsOf(compareReports(after, after)) == Counts{0, 0, 3, 0});
  // The clash is gone, which is reported for the whole parts.
  CHECK(countsOf(compareReports(after, before)) == Counts{0, 1, 2, 0});
  before.request.mode = "first";
  CHECK(countsOf(compareReports(after, before)) == Counts{0, 1, 2, 0});
  before.request.mode = "triangles";

  // Also if the finding with the clash had no known kind before.
  before.runs[0].pairs[0].findings[0].assessment.verdict.reset();
  after.runs[0].pairs[0].findings[0].assessment.verdict = Verdict::clash;
  CHECK(compareReports(before, after).isNew == 1);

  // Contact before, too near after.
  after.runs[0].pairs[0].assessment = {.verdict = Verdict::contact, .distance = 0, .tooNear = true};
  after.runs[0].pairs[0].findings[0].assessment.verdict = Verdict::contact;
  CHECK(countsOf(compareReports(before, after)) == Counts{1, 0, 2, 0});
  const ReportComparison notAsked = compareReports(after, before);
  CHECK(countsOf(notAsked) == Counts{0, 0, 2, 1});
  CHECK(reasonOf(notAsked) == "this clearance was not requested");
}

TEST_CASE("whole parts of one report are not new or gone where findings of the other say as much",
          "[io][report][diff]") {
  ReportDocument one = checkWith("a", "b", {{1, 1}}), other = checkWith("a", "b", {{2, 2}});
  for (ReportDocument* report : {&one, &other})
    report->runs[0].pairs[0].assessment = {.verdict = Verdict::clash, .depth = 1};
  finding(one, 0).assessment.verdict = Verdict::contact;
  finding(other, 0).assessment.verdict = Verdict::clash;
  CHECK(countsOf(compareReports(one, other)) == Counts{1, 1, 1, 0});
  CHECK(countsOf(compareReports(other, one)) == Counts{1, 1, 1, 0});
  // Verdicts were not requested before, so nothing is known to be worse.
  ReportDocument plain = one;
  plain.runs[0].pairs[0].assessment = {};
  finding(plain, 0).assessment = {};
  CHECK(countsOf(compareReports(plain, one)) == Counts{0, 0, 2, 0});
  const ReportComparison c = compareReports(one, plain);
  CHECK(countsOf(c) == Counts{0, 0, 1, 1});
  CHECK(reasonOf(c) == "verdicts were not requested");
}

TEST_CASE("of what is gone nothing is said by rules of the other report", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}});
  before.request.rules.rules = {Rule{.a = "a", .b = "b", .action = RuleAction::allowContact}};
  before.runs[0].pairs[0].rule = 0;
  ReportDocument after = emptyCheck();
  after.request.rules.rules = {Rule{.a = "b", .b = "c", .action = RuleAction::clearance, .distance = 1}};
  const ReportComparison c = compareReports(before, after);
  REQUIRE(c.gone == 1);
  CHECK_FALSE(c.diff.runs.at(0).pairs.at(0).rule);
}

TEST_CASE("differences intersect if something is there now", "[io][report][diff]") {
  const ReportDocument some = checkWith("a", "b", {{1, 1}}), none = emptyCheck();
  CHECK_FALSE(compareReports(some, none).diff.intersects());
  CHECK(compareReports(none, some).diff.intersects());
  CHECK(compareReports(some, some).diff.intersects());
  ReportDocument elsewhere = none;
  elsewhere.model.instances = {"a", "c"};
  CHECK_FALSE(compareReports(some, elsewhere).diff.intersects());
  ReportDocument inside = checkWith("a", "b", {});
  inside.runs[0].pairs[0].assessment.verdict = Verdict::clash;
  CHECK_FALSE(compareReports(none, inside).diff.intersects());  // like the report itself
}

TEST_CASE("what a rule approved is not carried along as if people had", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 2}});
  before.request.rules.rules = {
      Rule{.a = "a", .b = "b", .reason = "seat", .action = RuleAction::allowContact}};
  ReportedPair& pair = before.runs[0].pairs[0];
  pair.rule = 0;
  pair.assessment.verdict = Verdict::contact;
  const Review byRule{ReviewStatus::approved, "contact allowed by a rule: seat"};
  pair.review = byRule;
  for (ReportedFinding& f : pair.findings) f.assessment.verdict = Verdict::contact;
  pair.findings[0].review = byRule;
  pair.findings[1].review = {ReviewStatus::approved, "so we agreed"};

  // The same without the rule.
  ReportDocument after = before;
  after.request.rules = {};
  after.runs[0].pairs[0].rule.reset();
  after.runs[0].pairs[0].review = {};
  for (ReportedFinding& f : after.runs[0].pairs[0].findings) f.review = {};
  ReportDocument carried = compareReports(before, after).carriedOver;
  CHECK(finding(carried, 0).review == Review{ReviewStatus::active, ""});
  CHECK(finding(carried, 1).review == Review{ReviewStatus::approved, "so we agreed"});
  CHECK(carried.runs[0].pairs[0].review == Review{ReviewStatus::active, ""});
  // With the rule, the new report contains it, but users' reviews have precedence.
  ReportDocument again = before;
  again.runs[0].pairs[0].findings[1].review = byRule;
  carried = compareReports(before, again).carriedOver;
  CHECK(finding(carried, 0).review == byRule);
  CHECK(finding(carried, 1).review == Review{ReviewStatus::approved, "so we agreed"});

  // Nor through a report that did not check the pair.
  ReportDocument between = emptyCheck();
  between.request.rules.check = CheckSets{{"a"}, {"c"}};
  between.request.rules.rules = {Rule{.a = "a", .b = "c"}};
  const ReportDocument kept = compareReports(before, between).carriedOver;
  REQUIRE(kept.carried.size() == 1);
  carried = compareReports(kept, after).carriedOver;
  CHECK(finding(carried, 0).review == Review{ReviewStatus::active, ""});
  CHECK(finding(carried, 1).review == Review{ReviewStatus::approved, "so we agreed"});
  CHECK(carried.runs[0].pairs[0].review == Review{ReviewStatus::active, ""});
}

TEST_CASE("of a replay the worst step counts: whole parts that clash at one", "[io][report][diff]") {
  // A part that is allowed to be in contact at the first step and lies inside the other at the second.
  ReportDocument before = checkWith("a", "b", {});
  before.kind = ReportKind::replay;
  before.request.rules.rules = {Rule{.a = "a", .b = "b", .action = RuleAction::allowContact}};
  ReportedPair& first = before.runs[0].pairs[0];
  first.rule = 0;
  first.assessment.verdict = Verdict::contact;
  first.review = {ReviewStatus::approved, "contact allowed by a rule"};
  before.runs.push_back(before.runs[0]);
  before.runs[1].step = 1;
  ReportDocument contact = before;
  ReportedPair& second = before.runs[1].pairs[0];
  second.assessment.verdict = Verdict::clash;
  second.assessment.depth = 2;
  second.review = {};

  ReportDocument after = before;
  after.request.rules = {};
  for (ReportedRun& run : after.runs) {
    run.pairs[0].rule.reset();
    run.pairs[0].review = {};
  }
  const ReportComparison same = compareReports(before, after);
  CHECK(countsOf(same) == Counts{0, 0, 1, 0});
  for (const ReportedRun& run : same.carriedOver.runs)
    CHECK(run.pairs[0].review == Review{ReviewStatus::active, ""});
  const ReportComparison worse = compareReports(contact, after);
  CHECK(countsOf(worse) == Counts{1, 0, 0, 0});
  CHECK(worse.diff.runs.at(0).pairs.at(0).findings.at(0).changeReason == "was contact");
  // Being nearer than a rule allows and then in contact is not a clash.
  ReportDocument near = after;
  for (ReportedRun& run : near.runs) run.pairs[0].assessment = {.verdict = Verdict::clear, .tooNear = true};
  ReportDocument touching = near;
  for (ReportedRun& run : touching.runs) run.pairs[0].assessment.verdict = Verdict::contact;
  CHECK(countsOf(compareReports(near, touching)) == Counts{0, 0, 1, 0});
}

TEST_CASE("rules speak at each step of a replay, what people wrote holds for all", "[io][report][diff]") {
  // In contact, which a rule allows, then deeper.
  ReportDocument report = checkWith("a", "b", {{1, 1}});
  report.kind = ReportKind::replay;
  report.moved = {"a"};
  report.request.rules.rules = {
      Rule{.a = "a", .b = "b", .reason = "seat", .action = RuleAction::allowContact}};
  const Review byRule{ReviewStatus::approved, "contact allowed by a rule: seat"};
  report.runs.push_back(report.runs[0]);
  report.runs[1].step = 1;
  for (ReportedRun& run : report.runs) {
    ReportedPair& pair = run.pairs[0];
    const bool isContact = run.step == 0;
    pair.rule = 0;
    pair.assessment.verdict = pair.findings[0].assessment.verdict =
        isContact ? Verdict::contact : Verdict::clash;
    pair.review = pair.findings[0].review = isContact ? byRule : Review{};
  }
  ReportDocument carried = compareReports(report, report).carriedOver;
  for (const ReportedPair* pair : {&carried.runs[0].pairs[0], &carried.runs[1].pairs[0]}) {
    const Review expected = pair == &carried.runs[0].pairs[0] ? byRule : Review{ReviewStatus::active, ""};
    CHECK(pair->review == expected);
    CHECK(pair->findings[0].review == expected);
  }
  // A user's review at one step only.
  ReportDocument written = report;
  const Review byPeople{ReviewStatus::reviewed, "to be moved"};
  written.runs[1].pairs[0].findings[0].review = byPeople;
  carried = compareReports(written, report).carriedOver;
  for (const ReportedRun& run : carried.runs) CHECK(run.pairs[0].findings[0].review == byPeople);
  CHECK(carried.runs[0].pairs[0].review == byRule);
}

TEST_CASE("instances in the other order are the same pair", "[io][report][diff]") {
  const ReportDocument before = checkWith("a", "b", {{1, 2}, {2, 1}});
  ReportDocument after = checkWith("b", "a", {{2, 1}, {1, 2}});
  CHECK(countsOf(compareReports(before, after)) == Counts{0, 0, 2, 0});
  // Also if faces have to be recognised.
  renumber(after, 0, 20);
  renumber(after, 1, 10);
  CHECK(countsOf(compareReports(before, after)) == Counts{0, 0, 2, 0});
}

TEST_CASE("renumbered faces are recognised by their fingerprints", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 2}, {3, 3}});
  for (std::size_t f = 0; f < 3; ++f) finding(before, f).review = {ReviewStatus::approved, std::to_string(f)};
  ReportDocument after = before;
  for (std::size_t f = 0; f < 3; ++f) finding(after, f).review = {};
  renumber(after, 0, 2);  // faces 1 and 2 have changed places, 3 became 7
  renumber(after, 1, 1);
  renumber(after, 2, 7);
  ReportComparison c = compareReports(before, after);
  CHECK(countsOf(c) == Counts{0, 0, 3, 0});
  for (std::size_t f = 0; f < 3; ++f)
    CHECK(finding(c.carriedOver, f).review == Review{ReviewStatus::approved, std::to_string(f)});

  // Another tessellation changes areas and places slightly; another kind or place means another face.
  ReportDocument finer = after;
  finding(finer, 2).a.fingerprint.area *= 1.005;
  finding(finer, 2).a.fingerprint.centroid.y += 0.01;
  renumber(finer, 2, 8);
  CHECK(countsOf(compareReports(before, finer)) == Counts{0, 0, 3, 0});
  CHECK(countsOf(compareReports(before, finer, {.tolerance = 0.001})) == Counts{1, 1, 2, 0});
  ReportDocument other = after;
  finding(other, 2).a.fingerprint.kind = SurfaceKind::cylinder;
  renumber(other, 2, 8);
  CHECK(countsOf(compareReports(before, other)) == Counts{1, 1, 2, 0});
}

TEST_CASE("of several faces that would do the nearest is taken", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}, {2, 1}});
  finding(before, 1).a.fingerprint = finding(before, 0).a.fingerprint;
  finding(before, 1).a.fingerprint.centroid.x += 0.015;
  renumber(before, 1, 2);
  ReportDocument after = before;
  std::swap(finding(after, 0), finding(after, 1));
  finding(after, 0).a.fingerprint.centroid.x += 0.001;
  finding(after, 1).a.fingerprint.centroid.x -= 0.001;
  renumber(after, 0, 11);
  renumber(after, 1, 12);
  finding(before, 0).review.comment = "first";
  finding(before, 1).review.comment = "second";
  ReportComparison c = compareReports(before, after);
  CHECK(countsOf(c) == Counts{0, 0, 2, 0});
  CHECK(finding(c.carriedOver, 0).review.comment == "second");
  CHECK(finding(c.carriedOver, 1).review.comment == "first");
}

TEST_CASE("instances that one of both reports had elsewhere are reported", "[io][report][diff]") {
  ReportDocument before = emptyCheck(), after = emptyCheck();
  CHECK(compareReports(before, after).diff.placedOtherwise.empty());
  before.model.placed = {{"c", Transform::translation({1, 0, 0})}, {"a", Transform::translation({2, 0, 0})}};
  CHECK(compareReports(before, before).diff.placedOtherwise.empty());
  CHECK(compareReports(before, after).diff.placedOtherwise == std::vector<std::string>{"a", "c"});
  CHECK(compareReports(after, before).diff.placedOtherwise == std::vector<std::string>{"a", "c"});
  after.model.placed = {{"a", Transform::translation({2, 0, 0})}, {"c", Transform::translation({1, 1, 0})}};
  const ReportComparison c = compareReports(before, after);
  CHECK(c.diff.placedOtherwise == std::vector<std::string>{"c"});
  CHECK(c.carriedOver.placedOtherwise.empty());
}

TEST_CASE("replays are compared over all their steps", "[io][report][diff]") {
  const auto replayOf = [](const std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>& steps) {
    ReportDocument report = emptyCheck();
    report.kind = ReportKind::replay;
    report.moved = {"a"};
    report.runs.clear();
    for (const auto& faces : steps) {
      report.runs.push_back(checkWith("a", "b", faces).runs[0]);
      report.runs.back().step = report.runs.size() - 1;
      if (faces.empty()) report.runs.back().pairs.clear();
    }
    return report;
  };
  ReportDocument before = replayOf({{{1, 1}}, {{1, 1}, {2, 2}}, {}});
  before.runs[1].pairs[0].findings[0].review = {ReviewStatus::approved, "slides"};
  before.runs[0].pairs[0].findings[0].review = {ReviewStatus::approved, "slides"};
  const ReportDocument after = replayOf({{}, {{1, 1}}, {{1, 1}}, {{3, 3}}});
  const ReportComparison c = compareReports(before, after);
  CHECK(countsOf(c) == Counts{1, 1, 1, 0});
  const auto& findings = c.diff.runs.at(0).pairs.at(0).findings;
  CHECK(findings.at(0).steps == std::vector<std::size_t>{1, 2});
  for (std::size_t step : {1U, 2U})
    CHECK(c.carriedOver.runs.at(step).pairs.at(0).findings.at(0).review ==
          Review{ReviewStatus::approved, "slides"});

  ReportDocument others = replayOf({{}});
  others.moved = {"c"};
  CHECK(reasonOf(compareReports(before, others)) == "neither part moves");
}

TEST_CASE("reports that cannot be compared are refused", "[io][report][diff]") {
  ReportDocument replay = emptyCheck(), inches = emptyCheck(), diff = emptyCheck();
  replay.kind = ReportKind::replay;
  inches.model.unit = "in";
  diff.kind = ReportKind::diff;
  CHECK_THROWS_AS(compareReports(emptyCheck(), replay), InputError);
  CHECK_THROWS_AS(compareReports(emptyCheck(), inches), InputError);
  CHECK_THROWS_AS(compareReports(diff, emptyCheck()), InputError);
}

namespace {

/// A check of "a" to "e" in which the sets are copies in one place, and the other pairs clash in one face.
ReportDocument checkOfCopies(const std::vector<std::vector<std::string>>& sets,
                             const std::vector<std::pair<std::string, std::string>>& pairs = {}) {
  ReportDocument report = emptyCheck();
  report.model.instances = {"a", "b", "c", "d", "e"};
  report.request.verdicts = true;
  report.request.tolerance = 0.1;
  const Assessment clash{.verdict = Verdict::clash, .tolerance = 0.1, .depth = 1};
  for (const auto& set : sets) {
    ReportedPair pair;
    pair.id = pairId(set[0], set[1]);
    pair.a = set[0];
    pair.b = set[1];
    pair.assessment = clash;
    pair.copies = set;
    pair.copyPairs = set.size() * (set.size() - 1) / 2;
    report.runs.at(0).pairs.push_back(pair);
  }
  for (const auto& [a, b] : pairs) {
    ReportedPair pair;
    pair.id = pairId(a, b);
    pair.a = a;
    pair.b = b;
    pair.assessment = clash;
    pair.findings = {sampleFinding(a, 1, b, 1)};
    pair.findings[0].assessment = clash;
    report.runs.at(0).pairs.push_back(pair);
  }
  return report;
}

}  // namespace

TEST_CASE("sets of copies are compared as one finding", "[io][report][diff]") {
  const auto counts = [](const ReportDocument& before, const ReportDocument& after) {
    return countsOf(compareReports(before, after));
  };
  const ReportDocument none = checkOfCopies({}), three = checkOfCopies({{"a", "b", "c"}});
  CHECK(counts(none, three) == Counts{1, 0, 0, 0});
  CHECK(counts(three, none) == Counts{0, 1, 0, 0});
  CHECK(counts(three, three) == Counts{0, 0, 1, 0});
  // Fewer copies are the same finding, also if the first one is gone; more are a new one.
  CHECK(counts(three, checkOfCopies({{"a", "b"}})) == Counts{0, 0, 1, 0});
  CHECK(counts(three, checkOfCopies({{"b", "c"}})) == Counts{0, 0, 1, 0});
  const ReportComparison grown = compareReports(three, checkOfCopies({{"a", "b", "c", "d"}}));
  CHECK(countsOf(grown) == Counts{1, 0, 0, 0});
  CHECK(grown.newToActOn == 1);
  CHECK(grown.diff.runs.at(0).pairs.at(0).findings.at(0).changeReason == "1 of them are new");

  // Reports of older versions list each pair.
  const ReportDocument listed = checkOfCopies({}, {{"a", "b"}, {"a", "c"}, {"b", "c"}});
  const ReportComparison joined = compareReports(listed, three);
  CHECK(joined.isNew == 0);
  CHECK(joined.gone == 0);
  CHECK(joined.notRechecked == 0);
  CHECK(counts(checkOfCopies({}, {{"a", "b"}}), three) == Counts{1, 0, 0, 0});  // c is new
  // A copy that was moved a little still clashes with the others.
  CHECK(counts(three, checkOfCopies({{"a", "b"}}, {{"a", "c"}, {"b", "c"}})) == Counts{0, 0, 3, 0});
  CHECK(counts(three, checkOfCopies({}, {{"a", "b"}})) == Counts{0, 0, 1, 0});

  ReportDocument reviewed = three;
  reviewed.runs[0].pairs[0].review = {ReviewStatus::approved, "spare parts"};
  const ReportComparison same = compareReports(reviewed, checkOfCopies({{"b", "c"}}));
  CHECK(same.carriedOver.runs.at(0).pairs.at(0).review == Review{ReviewStatus::approved, "spare parts"});
  const ReportComparison more = compareReports(reviewed, checkOfCopies({{"a", "b", "c", "e"}}));
  CHECK(more.carriedOver.runs.at(0).pairs.at(0).review == Review{ReviewStatus::active, "spare parts"});
}

}  // namespace report_diff_tests

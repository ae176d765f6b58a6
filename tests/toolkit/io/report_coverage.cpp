#include <fitup/io/report_diff.h>

#include <catch2/catch.hpp>

#include "support/compared_reports.h"
#include "support/sample_report.h"

namespace report_coverage_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("what the old report did not look at is not new", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}});
  const ReportDocument after = checkWith("a", "b", {{1, 1}, {2, 2}});
  const auto reason = [&](const ReportDocument& old) {
    const ReportComparison c = compareReports(old, after);
    CHECK(countsOf(c) == Counts{0, 0, 2, 0});
    CHECK(c.carriedOver.runs[0].pairs[0].findings[1].review == Review{});
    return c.diff.runs.at(0).pairs.at(0).findings.at(1).changeReason;
  };
  ReportDocument first = before;
  first.request.mode = "first";
  CHECK(reason(first) == "not examined before: only one pair of surfaces was requested");
  first = before;
  first.request.stopAtFirstPair = true;  // as in older reports of a replay
  CHECK(reason(first) == "not examined before: only one pair of surfaces was requested");
  ReportDocument cut = before;
  cut.status = cut.runs[0].pairs[0].status = ReportStatus::truncated;
  CHECK(reason(cut) == "not examined before: the check of the pair was truncated");
  // For a pair that was cut short before anything was found, it is unknown whether it meets.
  cut.runs[0].pairs[0].findings.clear();
  CHECK(countsOf(compareReports(cut, after)) == Counts{2, 0, 0, 0});
  // Nor for another pair.
  CHECK(countsOf(compareReports(first, checkWith("a", "c", {{1, 1}}))) == Counts{1, 1, 0, 0});

  // A clash is new if the pair was known to be in contact.
  first.request.mode = "first";
  first.runs[0].pairs[0].assessment.verdict = finding(first, 0).assessment.verdict = Verdict::contact;
  ReportDocument clash = after;
  clash.runs[0].pairs[0].assessment.verdict = Verdict::clash;
  finding(clash, 0).assessment.verdict = Verdict::contact;
  finding(clash, 1).assessment.verdict = Verdict::clash;
  const ReportComparison c = compareReports(first, clash);
  CHECK(countsOf(c) == Counts{1, 0, 1, 0});
  CHECK(c.diff.runs.at(0).pairs.at(0).findings.at(1).changeReason == "was contact");
}

TEST_CASE("what was not looked at again is not gone", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}});
  finding(before, 0).review = {ReviewStatus::approved, "keep me"};
  const auto reason = [&](ReportDocument after) {
    const ReportComparison c = compareReports(before, after);
    CHECK(countsOf(c) == Counts{0, 0, 0, 1});
    // Its review is not lost.
    REQUIRE(c.carriedOver.carried.size() == 1);
    CHECK(c.carriedOver.carried[0].findings.at(0).review == Review{ReviewStatus::approved, "keep me"});
    // ... and returns with the finding.
    ReportComparison again = compareReports(c.carriedOver, checkWith("a", "b", {{1, 1}}));
    CHECK(again.unchanged == 1);
    CHECK(finding(again.carriedOver, 0).review == Review{ReviewStatus::approved, "keep me"});
    return reasonOf(c);
  };
  ReportDocument after = emptyCheck();
  after.model.instances = {"a", "c"};
  CHECK(reason(after) == "'b' is not in the new model");

  after = emptyCheck();
  after.request.rules.rules = {{"c", "*", "other"}, {"b", "a", "threads"}};
  CHECK(reason(after) == "left out by rule 1 (threads)");
  after.request.rules.rules[1].action = RuleAction::allowContact;
  CHECK(compareReports(before, after).gone == 1);

  after = emptyCheck();
  after.request.rules.check = CheckSets{{"a"}, {"c"}};
  CHECK(reason(after) == "outside the sets that were checked");

  after = emptyCheck();
  after.status = ReportStatus::cancelled;
  CHECK(reason(after) == "the check was cancelled");

  after = checkWith("a", "b", {});
  after.status = after.runs[0].pairs[0].status = ReportStatus::truncated;
  CHECK(reason(after) == "its check was truncated");
  // This pair was finished before the end.
  after.runs[0].pairs[0].status = ReportStatus::complete;
  CHECK(compareReports(before, after).gone == 1);

  after = checkWith("b", "a", {{5, 5}});
  after.request.mode = "first";
  const ReportComparison first = compareReports(before, after);
  CHECK(countsOf(first) == Counts{1, 0, 0, 1});
  CHECK(reasonOf(first) == "only one pair of surfaces was requested");

  after = emptyCheck();
  after.request.touching = "exclude";
  CHECK(reason(after) == "touching was excluded this time");
}

TEST_CASE("parts that were only near each other are gone if the new report looked as far",
          "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {});
  Assessment& found = before.runs[0].pairs[0].assessment;
  found.distance = 0.3;
  const auto reason = [&](const ReportDocument& after) {
    const ReportComparison c = compareReports(before, after);
    CHECK(c.gone + c.notRechecked == 1);
    // Carried along, and compared the next time.
    CHECK(c.carriedOver.carried.size() == c.notRechecked);
    if (c.notRechecked == 1) CHECK(compareReports(c.carriedOver, after).notRechecked == 1);
    return c.gone == 1 ? "gone" : reasonOf(c);
  };
  ReportDocument plain = emptyCheck(), coarse = emptyCheck(), fine = emptyCheck(), own = emptyCheck();
  coarse.request.verdicts = fine.request.verdicts = own.request.verdicts = true;
  coarse.request.tolerance = 0.5;
  fine.request.tolerance = 0.1;
  ReportDocument wide = emptyCheck(), narrow = emptyCheck();
  wide.request.rules.rules = {{"a", "b", "", RuleAction::clearance, 5}};
  narrow.request.rules.rules = {{"a", "b", "", RuleAction::clearance, 0.2}};
  SECTION("contact") {
    found.verdict = Verdict::contact;
    CHECK(reason(plain) == "verdicts were not requested");
    CHECK(reason(coarse) == "gone");
    CHECK(reason(own) == "gone");
    CHECK(reason(fine) == "the tolerance was smaller");
    CHECK(reason(wide) == "gone");
  }
  SECTION("less than a clearance") {
    found.tooNear = true;
    CHECK(reason(plain) == "this clearance was not requested");
    CHECK(reason(wide) == "gone");
    CHECK(reason(narrow) == "this clearance was not requested");
    CHECK(reason(fine) == "this clearance was not requested");
  }
  SECTION("one inside the other") {
    found.verdict = Verdict::clash;
    CHECK(reason(plain) == "verdicts were not requested");
    CHECK(reason(wide) == "verdicts were not requested");
    CHECK(reason(fine) == "gone");
  }
}

TEST_CASE("each pair's own tolerance may have been smaller", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {}), after = emptyCheck();
  before.runs[0].pairs[0].assessment = {.verdict = Verdict::contact, .tolerance = 0.5, .distance = 0.3};
  after.request.verdicts = true;
  after.model.ownTolerances = {0.1, 0.2, 1};
  CHECK(reasonOf(compareReports(before, after)) == "the tolerance was smaller");
  after.model.ownTolerances = {0.1, 0.4, 0};
  CHECK(compareReports(before, after).gone == 1);
  // The status of the pair itself counts, if the new report lists it.
  after = checkWith("a", "b", {});
  after.request.verdicts = true;
  after.runs[0].pairs[0].assessment = {.verdict = Verdict::clear, .tolerance = 0.2, .distance = 0.3};
  CHECK(reasonOf(compareReports(before, after)) == "the tolerance was smaller");
}

TEST_CASE("what geometry is missing for is not gone", "[io][report][diff]") {
  const ReportDocument before = checkWith("a", "b", {{1, 1}});
  ReportDocument after = emptyCheck();
  after.geometryIncomplete = true;
  after.warnings = {{"nut: face 1", "could not be tessellated", true}};
  after.model.incomplete = std::vector<std::string>{"b"};
  const ReportComparison c = compareReports(before, after);
  CHECK(countsOf(c) == Counts{0, 0, 0, 1});
  CHECK(reasonOf(c) == "geometry of 'b' is missing");
  after.model.incomplete = std::vector<std::string>{"c"};
  CHECK(compareReports(before, after).gone == 1);
  after.model.incomplete.reset();
  CHECK(reasonOf(compareReports(before, after)) == "geometry of 'a' may be missing");
  // It was found, although the same geometry is missing.
  ReportDocument lacking = before;
  lacking.geometryIncomplete = true;
  lacking.warnings = after.warnings;
  CHECK(compareReports(lacking, after).gone == 1);
}

TEST_CASE("what was found on a motion of other parts, or a longer one, is not gone", "[io][report][diff]") {
  ReportDocument before = checkWith("a", "b", {{1, 1}});
  before.kind = ReportKind::replay;
  before.moved = {"a"};
  before.runs.push_back(before.runs[0]);
  before.runs[1].step = 1;
  before.runs[0].pairs.clear();
  ReportDocument after = before;
  after.runs[1].pairs.clear();
  CHECK(compareReports(before, after).gone == 1);
  before.trackHash = after.trackHash = 1;
  CHECK(compareReports(before, after).gone == 1);
  CHECK(compareReports(before, after).diff.placedOtherwise.empty());
  // An edited motion is reported.
  after.trackHash = 2;
  CHECK(compareReports(before, after).gone == 1);
  CHECK(compareReports(before, after).diff.placedOtherwise == std::vector<std::string>{"a"});

  after.moved = {"a", "b"};
  const ReportComparison other = compareReports(before, after);
  CHECK(reasonOf(other) == "it was found in another motion");
  CHECK(other.diff.placedOtherwise == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(other.diff.runs.at(0).pairs.at(0).findings.at(0).trackHash);
  // A finding that is carried along is gone after a replay of its motion.
  REQUIRE(other.carriedOver.carried.size() == 1);
  ReportDocument again = after;
  again.moved = {"a"};
  CHECK(reasonOf(compareReports(other.carriedOver, again)) == "it was found in another motion");
  again.trackHash = 1;
  CHECK(compareReports(other.carriedOver, again).gone == 1);

  // Older reports do not contain the poses.
  after.trackHash.reset();
  CHECK(reasonOf(compareReports(before, after)) == "it was found in another motion");
  after.moved = before.moved;
  after.runs.pop_back();
  CHECK(reasonOf(compareReports(before, after)) == "the motion ended before step 1");

  before.model.instances = after.model.instances = {"s/a", "s/b"};
  ReportedPair& pair = before.runs[1].pairs[0];
  pair.a = "s/a";
  pair.b = "s/b";
  after.moved = {"s"};
  CHECK(reasonOf(compareReports(before, after)) == "both parts move as one");
}

}  // namespace report_coverage_tests

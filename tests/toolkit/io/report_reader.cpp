#include <fitup/io/report_reader.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <functional>

#include <fitup/base/error.h>
#include <fitup/io/report_file.h>

#include "support/sample_report.h"
#include "support/temporary_folder.h"

namespace report_reader_tests {

using namespace fitup;
using namespace fitup::test;
using Json = nlohmann::json;

TEST_CASE("a report is read back as it was written", "[io][report]") {
  const TemporaryFolder folder;
  for (ReportKind kind : {ReportKind::check, ReportKind::replay, ReportKind::diff}) {
    const ReportDocument report = fullReport(kind);
    writeReport(folder / "one.json", report);
    const ReportDocument read = readReport(folder / "one.json");
    writeReport(folder / "two.json", read);
    INFO(name(kind));
    CHECK(readText(folder / "one.json") == readText(folder / "two.json"));
    CHECK(read.kind == kind);
    CHECK(read.model.placed == report.model.placed);
    CHECK(read.model.incomplete == report.model.incomplete);
    CHECK(read.model.ownTolerances == report.model.ownTolerances);
    CHECK(read.trackHash == report.trackHash);
    CHECK(read.carried.at(0).findings.at(0).trackHash == report.carried[0].findings[0].trackHash);
    CHECK(read.placedOtherwise == report.placedOtherwise);
    CHECK(read.request.verdicts);
    CHECK(read.request.tolerance == 0.2);
    CHECK(read.request.rules.rules.at(1).distance == 2.5);
    CHECK(read.request.rules == report.request.rules);
    CHECK(read.request.rules.find("a", "b") == &read.request.rules.rules.at(1));
    CHECK(read.request.rules.find("c", "b") == &read.request.rules.rules.at(2));
    CHECK(read.model.placed.at(0).angle == 0.5);
    CHECK(read.model.placed.at(0).distance == 1.0 / 3.0);
    if (kind != ReportKind::diff) {
      CHECK(read.runs.at(0).pairs.at(2).copies == std::vector<std::string>{"b", "c", "d"});
      CHECK(read.runs.at(0).pairs.at(2).copyPairs == 2);
      CHECK(countFindings(read.runs.at(0).pairs) == countFindings(report.runs.at(0).pairs));
    }
    CHECK(read.request.rules.check->b == std::vector<std::string>{"frame", "tank*"});
    const ReportedPair& pair = read.runs.at(0).pairs.at(0);
    CHECK(pair.rule == 1U);
    CHECK(pair.assessment.verdict == Verdict::clash);
    CHECK(pair.assessment == report.runs[0].pairs[0].assessment);
    CHECK(pair.assessment.volume == 1.0 / 7);
    if (kind != ReportKind::diff)
      CHECK(read.runs.at(0).pairs.at(1).volumeUnknownBecause == "part 'c' is not closed");
    CHECK(pair.assessment.tolerance == 0.2);
    const ReportedFinding& finding = pair.findings.at(0);
    CHECK(finding.id == report.runs[0].pairs[0].findings[0].id);
    CHECK(finding.assessment.depth == 1.0 / 3.0);
    CHECK(finding.assessment.depthErrorBound == 0.0625);
    CHECK(finding.assessment.depthIsLowerBound);
    CHECK(finding.assessment.direction == Vec3{0, 0, 1});
    CHECK(finding.a.fingerprint == report.runs[0].pairs[0].findings[0].a.fingerprint);
    CHECK(finding.extent->max == Vec3{4, 5, 6});
    CHECK(finding.region == 2U);
    CHECK(finding.review == Review{ReviewStatus::approved, "press fit, \"wanted\""});
    CHECK(finding.triangles == report.runs[0].pairs[0].findings[0].triangles);
    CHECK(read.carried.size() == 1);
    CHECK(read.warnings == report.warnings);
  }
}

TEST_CASE("errors of a report name the place and the problem", "[io][report]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  writeReport(file, fullReport(ReportKind::check));
  const Json whole = Json::parse(readText(file));
  const auto error = [&](const std::function<void(Json&)>& change) {
    Json json = whole;
    change(json);
    writeText(file, json.dump());
    const std::string message = messageOf<InputError>([&] { (void)readReport(file); });
    const std::string start = file.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  CHECK(error([](Json& j) { j["format"] = "other"; }) == "not a file of format 'fitup-report'");
  CHECK(error([](Json& j) { j["version"] = 1; }) == "version: is 1; this program reads 2 to 3");
  CHECK(error([](Json& j) { j["kind"] = "chek"; }) ==
        "kind: is 'chek', which is not one of check, replay, diff");
  CHECK(error([](Json& j) { j["model"].erase("unit"); }) == "model: unit: is missing");
  CHECK(error([](Json& j) { j["model"]["hash"] = "12"; }) == "model: hash: must be 16 hexadecimal digits");
  CHECK(error([](Json& j) { j["model"]["ownTolerances"] = {1}; }) ==
        "model: ownTolerances: must have one entry for each instance");
  CHECK(error([](Json& j) { j["narrowPairs"] = -1; }) == "narrowPairs: must be a non-negative whole number");
  CHECK(error([](Json& j) { j["pairs"] = 3; }) == "pairs: must be an array");
  CHECK(error([](Json& j) { j["pairs"][0].erase("id"); }) == "pair 0: id: is missing");
  CHECK(error([](Json& j) { j["pairs"][0]["surfacePairs"][0]["a"]["ordinal"] = 1.5; }) ==
        "pair 0: finding 0: a: ordinal: must be a whole number from 0 to 4294967295");
  CHECK(error([](Json& j) {
          j["pairs"][0]["surfacePairs"][0]["point"] = {1, 2};
        }) == "pair 0: finding 0: point: must be an array of 3 finite numbers");
  CHECK(error([](Json& j) { j["pairs"][0]["surfacePairs"][0]["review"]["status"] = "okay"; }) ==
        "pair 0: finding 0: review: status: is 'okay', which is not one of new, active, reviewed, approved, "
        "resolved");
  CHECK(error([](Json& j) { j["pairs"][0]["surfacePairs"][0]["triangles"][0] = {1}; }) ==
        "pair 0: finding 0: triangles: must be pairs");
  CHECK(
      error([](Json& j) { j["request"]["rules"][1]["action"] = "no"; }) ==
      "request: rule 1: action: is 'no', which is not one of ignore, allowContact, allowOverlap, clearance");
  writeText(file, "{");
  CHECK_THROWS_AS(readReport(file), InputError);
  CHECK_THROWS_AS(readReport(folder / "none.json"), FileError);
}

TEST_CASE("whole parts have no ordinal in a report", "[io][report]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  ReportDocument report = fullReport(ReportKind::diff);
  ReportedFinding& finding = report.runs[0].pairs[0].findings[0];
  finding.a.ordinal = finding.b.ordinal = wholePart;
  writeReport(file, report);
  Json json = Json::parse(readText(file));
  for (const char* side : {"a", "b"}) {
    Json& ordinal = json["pairs"][0]["surfacePairs"][0][side]["ordinal"];
    CHECK(ordinal.is_null());
    ordinal = 4294967295U;  // as in older files
  }
  CHECK(readReport(file).runs.at(0).pairs.at(0).findings.at(0).a.ordinal == wholePart);
  writeText(file, json.dump());
  CHECK(readReport(file).runs.at(0).pairs.at(0).findings.at(0).b.ordinal == wholePart);
}

TEST_CASE("a report without reviews is one that nobody has looked at", "[io][report]") {
  const TemporaryFolder folder;
  writeReport(folder / "r.json", fullReport(ReportKind::check));
  Json json = Json::parse(readText(folder / "r.json"));
  json["pairs"][0]["surfacePairs"][0].erase("review");
  json["pairs"][0]["unknown"] = "passed over";
  writeText(folder / "r.json", json.dump());
  CHECK(readReport(folder / "r.json").runs.at(0).pairs.at(0).findings.at(0).review == Review{});
}

}  // namespace report_reader_tests

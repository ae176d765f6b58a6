#include <fitup/io/report_file.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/detail/csv.h>

#include "support/sample_model.h"
#include "support/sample_report.h"
#include "support/temporary_folder.h"

namespace report_file_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

PairInterference samplePair() {
  PairInterference pair;
  pair.a = NodeId(1);
  pair.b = NodeId(2);
  // The wedge's triangles 0 and 1 are surface 0, triangle 2 is surface 2; the sheet has one surface.
  pair.report.surfacePairs = {{SurfaceId(0), SurfaceId(0)}, {SurfaceId(2), SurfaceId(0)}};
  pair.report.trianglePairs = {
      {TriangleId(0), TriangleId(4)}, {TriangleId(1), TriangleId(3)}, {TriangleId(2), TriangleId(0)}};
  return pair;
}

InterferenceReport sampleReport() {
  InterferenceReport report;
  report.pairs = {samplePair()};
  PairInterference cut;
  cut.a = NodeId(1);
  cut.b = NodeId(3);
  cut.report.status = ReportStatus::truncated;
  report.pairs.push_back(cut);
  report.status = ReportStatus::truncated;
  report.consideredPairs = 3;
  report.stats.boxTests = 17;
  return report;
}

ReportContext sampleContext() {
  ReportContext context{"fitup test", "sample.step", "", {}};
  context.options.rules.rules = {{"*", "bolt", "thread"}};
  return context;
}

nlohmann::json parsed(const std::filesystem::path& file) { return nlohmann::json::parse(readText(file)); }

}  // namespace

TEST_CASE("findings between whole parts have a row in a CSV of differences", "[io][report]") {
  ReportDocument diff = fullReport(ReportKind::diff);
  ReportedPair& pair = diff.runs.at(0).pairs.at(0);
  ReportedFinding& finding = pair.findings.at(0);
  finding.a.ordinal = finding.b.ordinal = wholePart;
  finding.triangles.clear();
  pair.findings.resize(1);
  diff.runs[0].pairs.resize(1);
  const TemporaryFolder folder;
  writeReport(folder / "d.csv", diff);
  const std::string text = readText(folder / "d.csv");
  CHECK_THAT(text, Catch::Contains("," + finding.id + ","));
  CHECK(text.find(std::to_string(wholePart)) == std::string::npos);
}

TEST_CASE("a pair that is worse than its findings has a row of its own in a CSV", "[io][report]") {
  const TemporaryFolder folder;
  ReportDocument report = fullReport(ReportKind::check);
  ReportedPair& pair = report.runs.at(0).pairs.at(0);
  report.runs[0].pairs.resize(1);
  const auto rowsOfPair = [&] {
    writeReport(folder / "r.csv", report);
    std::istringstream lines(readText(folder / "r.csv"));
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);)
      if (line.find("," + pair.id + ",") != std::string::npos) rows.push_back(line);
    return rows;
  };
  CHECK(rowsOfPair().empty());  // a finding has the clash
  pair.findings[0].assessment.verdict = Verdict::contact;
  pair.assessment.depth = 2;
  pair.assessment.chordError = 0.125;
  pair.assessment.rounding = 0.0625;
  REQUIRE(rowsOfPair().size() == 1);
  CHECK(rowsOfPair()[0] ==
        ",a,b,complete,,,,,,,,," + pair.id +
            ",,,,clash,0.2,2,0,false,,,1,reviewed,,,,0.14285714285714285,0.001,0,0.25,-0.3333333333333333,"
            "0.125,0.0625");
  // Less than a clearance, with and without a verdict.
  pair.assessment = {.verdict = Verdict::contact, .distance = 0, .tooNear = true};
  REQUIRE(rowsOfPair().size() == 1);
  CHECK_THAT(rowsOfPair()[0], Catch::Contains(",contact,,,,,0,true,1,"));
  pair.assessment.verdict.reset();
  for (ReportedFinding& finding : pair.findings) finding.assessment = {};
  REQUIRE(rowsOfPair().size() == 1);
  CHECK_THAT(rowsOfPair()[0], Catch::Contains(",,,,,,0,true,1,"));
}

TEST_CASE("a JSON report says what was found in the words of the file", "[io]") {
  const TemporaryFolder folder;
  const Model model = sampleModel();
  writeReport(folder / "r.json", sampleContext(), model, sampleReport());
  const auto json = parsed(folder / "r.json");
  CHECK(json["format"] == "fitup-report");
  CHECK(json["version"] == 3);
  CHECK(json["kind"] == "check");
  CHECK(json["model"]["unit"] == "in");
  CHECK(json["model"]["hash"] == hashText(model.assembly.contentHash()));
  CHECK(json["status"] == "truncated");
  CHECK(json["intersects"] == true);
  CHECK(json["geometryIncomplete"] == true);
  CHECK(json["warnings"].size() == 2);
  CHECK(json["request"]["mode"] == "triangles");
  CHECK(json["request"]["rules"][0]["reason"] == "thread");
  CHECK(json["stats"]["boxTests"] == 17);
  REQUIRE(json["pairs"].size() == 2);
  const auto& pair = json["pairs"][0];
  CHECK(pair["a"] == "top/a%2Fb%231");
  CHECK(pair["b"] == "top/mirrored");
  REQUIRE(pair["surfacePairs"].size() == 2);
  const auto& surface = pair["surfacePairs"][0]["a"];
  CHECK(surface["ordinal"] == 0);
  CHECK(surface["name"] == "base");
  CHECK(surface["description"] == "cylinder d 12");
  CHECK(surface["fingerprint"]["kind"] == "cylinder");
  CHECK(surface["fingerprint"]["area"] == 0.5);
  CHECK(pair["surfacePairs"][0]["review"] == nlohmann::json{{"status", "new"}, {"comment", ""}});
  // By their indices in the source.
  CHECK(pair["surfacePairs"][0]["triangles"] == nlohmann::json{{7, 4}, {8, 3}});
  CHECK(pair["surfacePairs"][1]["triangles"] == nlohmann::json::array({{2, 0}}));
  CHECK(json["pairs"][1]["status"] == "truncated");
  CHECK(json["pairs"][1]["surfacePairs"].empty());
}

TEST_CASE("a JSON report of a replay lists its steps", "[io]") {
  const TemporaryFolder folder;
  ReplayReport replay;
  replay.steps = {{0, {}}, {7, sampleReport()}};
  ReportContext context = sampleContext();
  context.trackFile = "t.json";
  writeReport(folder / "r.json", context, sampleModel(), replay);
  const auto json = parsed(folder / "r.json");
  CHECK(json["kind"] == "replay");
  CHECK(json["track"] == "t.json");
  CHECK(json["intersects"] == true);
  REQUIRE(json["steps"].size() == 2);
  CHECK(json["steps"][0]["pairs"].empty());
  CHECK(json["steps"][0]["intersects"] == false);
  CHECK(json["steps"][1]["step"] == 7);
  CHECK(json["steps"][1]["pairs"].size() == 2);

  writeReport(folder / "empty.json", context, sampleModel(), ReplayReport{});
  CHECK(parsed(folder / "empty.json")["steps"].empty());
}

TEST_CASE("a CSV report has a row for each pair of triangles", "[io]") {
  const TemporaryFolder folder;
  ReplayReport replay;
  replay.steps = {{7, sampleReport()}};
  replay.status = ReportStatus::truncated;
  writeReport(folder / "r.csv", sampleContext(), sampleModel(), replay);
  const ReportDocument document = buildReport(sampleContext(), sampleModel(), replay);
  const auto& pairs = document.runs[0].pairs;
  const std::string first = "," + pairs[0].findings[0].id, second = "," + pairs[0].findings[1].id;
  const std::string rest = ",,,,,,,,,,,,new,,,,,,,,,,\n";  // no point: these triangles have nothing in common
  CHECK(readText(folder / "r.csv") ==
        "# fitup-report,3\n# program,fitup test\n# model,sample.step\n# unit,in\n# status,truncated\n"
        "# incomplete,wedge: face 1,could not be tessellated\n# warning,file,old\n"
        "# pairs of parts,1\n# pairs of faces,2\n"
        "step,a,b,status,surface_a,name_a,description_a,surface_b,name_b,description_b,triangle_a,triangle_b,"
        "id,x,y,z,verdict,tolerance,depth,depth_error_bound,depth_is_lower_bound,distance,too_near,rule,"
        "review,comment,change,copies,volume,volume_error_bound,way_out_x,way_out_y,way_out_z,"
        "chord_error,rounding\n"
        "7,top/a%2Fb%231,top/mirrored,complete,0,base,cylinder d 12,0,,,7,4" +
            first + rest + "7,top/a%2Fb%231,top/mirrored,complete,0,base,cylinder d 12,0,,,8,3" + first +
            rest + "7,top/a%2Fb%231,top/mirrored,complete,2,,,0,,,2,0" + second + rest +
            "7,top/a%2Fb%231,mirrored,truncated,,,,,,,,," + pairs[1].id + rest);
}

TEST_CASE("names that are not UTF-8 do not spoil a report", "[io]") {
  const TemporaryFolder folder;
  ReportContext context = sampleContext();
  context.modelFile = "gr\xF6\xDF.step";
  writeReport(folder / "r.json", context, sampleModel(), InterferenceReport{});
  CHECK(parsed(folder / "r.json")["model"]["file"] == "gr\xEF\xBF\xBD\xEF\xBF\xBD.step");
}

TEST_CASE("other extensions of reports are refused", "[io]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(writeReport(folder / "r.xml", sampleContext(), sampleModel(), sampleReport()), InputError);
  CHECK(folder.entryCount() == 0);
}

TEST_CASE("cells of a CSV report stay one cell for spreadsheets that split at semicolons or tabulators",
          "[io][report]") {
  CHECK(detail::csvField("a;b") == "\"a;b\"");
  CHECK(detail::csvField("a\tb") == "\"a\tb\"");
  CHECK(detail::csvField("a;=1+1") == "\"a;=1+1\"");
  CHECK(detail::csvField("a b") == "a b");
  ReportDocument report = checkWith("left;=1+1", "right\t=1+1", {{1, 1}});
  const TemporaryFolder folder;
  writeReport(folder / "r.csv", report);
  const std::string text = readText(folder / "r.csv");
  CHECK_THAT(text, Catch::Contains(",\"left;=1+1\",") && Catch::Contains(",\"right\t=1+1\","));
}

}  // namespace report_file_tests

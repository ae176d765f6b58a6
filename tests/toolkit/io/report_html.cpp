#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include <fitup/io/report_file.h>
#include <fitup/io/report_formats/html.h>

#include "support/sample_report.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace report_html_tests {

using namespace fitup;
using namespace fitup::test;
using Json = nlohmann::json;

namespace {

std::size_t countOf(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

/// Returns the data for the page's script.
Json embedded(const std::string& html, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t at = html.find(begin);
  REQUIRE(at != std::string::npos);
  return Json::parse(html.substr(at + begin.size(), html.find("</script>", at) - at - begin.size()));
}

/// Returns the value of a field in each row.
std::vector<Json> column(const Json& data, const std::string& field) {
  const auto& fields = data["fields"];
  const auto at = static_cast<std::size_t>(std::find(fields.begin(), fields.end(), field) - fields.begin());
  std::vector<Json> values;
  for (const Json& row : data["rows"]) values.push_back(row.at(at));
  return values;
}

/// Makes two crossed bars, and a third one apart.
Model bars() {
  Model model;
  const PartId bar = model.assembly.addPart(sixSidedBox(4, 1, 1));
  model.assembly.addNode("along", {}, {}, bar);
  model.assembly.addNode("across", Transform::rotation({0, 0, 1}, 1.5), {}, bar);
  model.assembly.addNode("apart", Transform::translation({0, 0, 9}), {}, bar);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  return model;
}

}  // namespace

TEST_CASE("names in an HTML report neither end the data nor turn the line", "[io][report][html]") {
  const TemporaryFolder folder;
  const std::string name =
      "</SCRIPT><script>alert(1)</script><!-- \x1b[2J\xc2\x9b\xe2\x80\xae\" ' \\u003c/script> &lt;\xff";
  const std::string shown =
      "</SCRIPT><script>alert(1)</script><!-- \\x1b[2J\\u009b\\u202e\" ' \\u003c/script> &lt;\\xff";
  ReportDocument report = fullReport(ReportKind::check);
  report.model.file = report.model.unit = report.model.source = report.program = report.track = name;
  report.warnings = {{name, name, true}};
  report.model.placed.emplace_back().path = name;
  report.request.rules.rules.push_back({name, name, name, RuleAction::ignore});
  ReportedPair& pair = report.runs[0].pairs[0];
  pair.a = pair.b = name;
  pair.findings[0].a.name = pair.findings[0].id = pair.findings[0].changeReason = name;
  pair.findings[0].review.comment = name + "\nsecond line";
  ReportPictures pictures;
  pictures.ofFinding[name] = "jpeg";
  pictures.absence = name;
  std::ostringstream out;
  detail::writeReportHtml(out, report, pictures);
  const std::string html = out.str();
  CHECK(countOf(html, "<script") == 3);
  CHECK(countOf(html, "</script>") == 3);
  CHECK(countOf(html, "</SCRIPT>") == 0);
  for (const char* piece : {"\x1b", "\xc2\x9b", "\xe2\x80\xae"}) CHECK(countOf(html, piece) == 0);
  const Json data = embedded(html, "data"), drawn = embedded(html, "pictures");
  CHECK(drawn.contains(shown));
  CHECK(column(data, "id").at(0) == shown);  // by this id the page finds the picture
  CHECK(column(data, "comment").at(0) == shown + "\nsecond line");
  CHECK(data["paths"].at(0) == shown);
  for (const char* field : {"file", "unit", "program", "track", "absence"})
    CHECK(data["head"][field] == shown);
  CHECK(data["head"]["warnings"].at(0) == shown + ": " + shown);
}

TEST_CASE("an HTML report lists the pairs of parts without scripts too", "[io][report][html]") {
  ReportDocument report = fullReport(ReportKind::check);
  report.status = ReportStatus::complete;
  report.geometryIncomplete = false;
  ReportedPair pair;
  pair.a = "a <b>";
  pair.b = "b & c";
  pair.assessment.verdict = Verdict::clash;
  pair.assessment.depth = 1.25;
  const auto tableOf = [&](int pairs) {
    report.runs[0].pairs.clear();
    for (int i = 0; i < pairs; ++i) {
      pair.id = std::to_string(i);
      pair.a = "a <b>" + pair.id;
      report.runs[0].pairs.push_back(pair);
    }
    std::ostringstream out;
    detail::writeReportHtml(out, report, {});
    const std::string html = out.str();
    const std::size_t from = html.find("<noscript>"), to = html.find("</noscript>");
    REQUIRE(to != std::string::npos);
    return html.substr(from, to - from);
  };
  CHECK(tableOf(1).find("<tr><td>a &lt;b&gt;0</td><td>b &amp; c</td><td>clash</td><td>1.25</td></tr>") !=
        std::string::npos);
  CHECK(tableOf(1).find("more pairs") == std::string::npos);
  pair.assessment.depthIsLowerBound = true;
  CHECK(tableOf(1).find("<td>\u2265 1.25</td>") != std::string::npos);
  // What is not certain is said.
  CHECK(tableOf(1).find("may be more clashes") == std::string::npos);
  pair.assessment.verdict = Verdict::undecided;
  CHECK(tableOf(1).find("There may be more clashes: verdicts are undecided.") != std::string::npos);
  pair.assessment.verdict = Verdict::clash;
  report.status = ReportStatus::truncated;
  report.geometryIncomplete = true;
  CHECK(tableOf(1).find("There may be more clashes: the check was truncated, geometry is missing.") !=
        std::string::npos);
  const std::string many = tableOf(1200);
  CHECK(countOf(many, "<tr>") == 1 + 1000);
  CHECK(many.find("and 200 more pairs") != std::string::npos);
}

TEST_CASE("an HTML report is one file that refers to nothing else", "[io][report][html]") {
  const TemporaryFolder folder;
  ReportDocument report = fullReport(ReportKind::check);
  report.runs[0].pairs[0].findings[0].a.name = "</script><b>&amp; <!--";
  report.runs[0].pairs[0].findings[0].review.comment = "<img src=x onerror=alert(1)>";
  writeReport(folder / "r.html", report);
  const std::string html = readText(folder / "r.html");
  for (const char* outside : {"http:", "https:", "src=\"", "href=", "@import", "url("}) {
    INFO(outside);
    // The name of the SVG namespace is an identifier and loads nothing.
    CHECK(countOf(html, outside) == (std::string(outside) == "http:" ? 1 : 0));
  }
  CHECK(countOf(html, "http://www.w3.org/2000/svg") == 1);
  CHECK(countOf(html, "<script") == 3);
  CHECK(countOf(html, "</script>") == 3);  // names cannot end the data
  CHECK(countOf(html, "<img") == 0);
  const Json data = embedded(html, "data");
  CHECK(column(data, "faceA").at(0) == "face 3 (plane) '</script><b>&amp; <!--'");
  CHECK(column(data, "comment").at(0) == "<img src=x onerror=alert(1)>");
  CHECK(column(data, "id").at(0) == report.runs[0].pairs[0].findings[0].id);
  CHECK(column(data, "verdict").at(0) == 4);
  // A third, up to 0.0625 deeper, with a chord error of 0.001: digits down to these.
  const Json texts = column(data, "texts").at(0);
  CHECK(texts.at(0) == "\u2265 0.333");
  CHECK(texts.at(1) == "at least 0.333 in, \u00b1 0.064");
  CHECK(texts.at(2) == "0.25 in, \u00b1 0.0011");
  CHECK(texts.at(4) == "0,  0,  1");
  CHECK(column(data, "review").at(0) == 3);
  CHECK(data["head"]["status"] == "truncated");
  CHECK(data["head"]["cut"].size() == 1);
  CHECK(embedded(html, "pictures").empty());
  CHECK(data["head"]["absence"] != "");
}

TEST_CASE("an HTML report of a replay gathers the steps of a finding", "[io][report][html]") {
  const TemporaryFolder folder;
  ReportDocument report = fullReport(ReportKind::replay);
  for (ReportedRun& run : report.runs) run.pairs.pop_back();  // a set of copies
  report.runs.push_back(report.runs[1]);
  report.runs[2].step = 5;
  report.runs[2].pairs[0].findings.pop_back();
  writeReport(folder / "r.html", report);
  const Json data = embedded(readText(folder / "r.html"), "data");
  REQUIRE(data["rows"].size() == 2);
  const auto ids = column(data, "id"), steps = column(data, "steps");
  const bool first = ids[0] == report.runs[0].pairs[0].findings[0].id;
  CHECK(steps[first ? 0 : 1] == Json{{0, 1}, {5, 5}});
  CHECK(steps[first ? 1 : 0] == Json::array({{0, 1}}));
  CHECK(data["head"]["hitSteps"] == 3);
  CHECK(data["head"]["lastStep"] == 5);
}

TEST_CASE("an HTML report lists pairs that no finding reports", "[io][report][html]") {
  const TemporaryFolder folder;
  ReportDocument report = fullReport(ReportKind::check);
  auto& pairs = report.runs.at(0).pairs;
  pairs.resize(1);
  const auto data = [&] {
    writeReport(folder / "r.html", report);
    return embedded(readText(folder / "r.html"), "data");
  };
  CHECK(column(data(), "whole") == std::vector<Json>{0, 0});
  // A clash that no finding has, a pair that is too near, and one that is clear as required.
  pairs[0].findings[0].assessment.verdict = Verdict::contact;
  ReportedPair near = pairs[0], clear = pairs[0];
  near.b = clear.a = "c";
  near.id = pairId("a", "c");
  near.assessment = {.verdict = Verdict::contact, .distance = 0, .tooNear = true};
  clear.id = pairId("b", "c");
  clear.assessment = {.verdict = Verdict::clear, .distance = 0.25};
  clear.findings.clear();
  pairs.push_back(near);
  pairs.push_back(clear);
  const Json json = data();
  CHECK(column(json, "whole") == std::vector<Json>{0, 0, 1, 0, 0, 1, 1});
  const auto verdicts = column(json, "verdict"), ids = column(json, "id");
  CHECK(verdicts.at(2) == 4);
  CHECK(ids.at(2) == pairs[0].id);
  CHECK(column(json, "faceA").at(2) == "the whole part");
  CHECK(verdicts.at(5) == 3);
  CHECK(ids.at(5) == near.id);
  CHECK(verdicts.at(6) == 0);
  CHECK(column(json, "distance").at(6) == 0.25);
}

#ifdef FITUP_HAS_PICTURES
TEST_CASE("an HTML report of a check has pictures, the same at each run", "[io][report][html]") {
  const TemporaryFolder folder;
  const Model model = bars();
  ReportContext context{"fitup test", "bars", "", {}};
  const InterferenceReport report = checkAllPairs(sceneOf(model));
  writeReport(folder / "none.html", context, model, report);
  CHECK(embedded(readText(folder / "none.html"), "data")["head"]["absence"] != "");
  context.drawPictures = drawReportPictures;
  REQUIRE(report.intersects());
  writeReport(folder / "r.html", context, model, report);
  const std::string html = readText(folder / "r.html");
  const Json data = embedded(html, "data"), pictures = embedded(html, "pictures");
  CHECK(data["head"]["absence"] == "");
  CHECK(pictures.size() == data["rows"].size() + 1);  // and the whole
  for (const Json& id : column(data, "id")) {
    REQUIRE(pictures.contains(id.get<std::string>()));
    CHECK(pictures[id.get<std::string>()].get<std::string>().starts_with("/9j/"));  // a JPEG's first bytes
  }
  for (const Json& place : column(data, "place"))
    for (const Json& share : place) CHECK((share > 0 && share < 1));
  InterferenceReport again = report;
  ReportContext threads = context;
  threads.options.threads = 2;
  writeReport(folder / "again.html", threads, model, again);
  CHECK(embedded(readText(folder / "again.html"), "pictures") == pictures);
}

TEST_CASE("contacts have pictures on request only", "[io][report][html]") {
  const TemporaryFolder folder;
  Model model;
  const PartId cube = model.assembly.addPart(boxBetween({0, 0, 0}, {1, 1, 1}));
  model.assembly.addNode("left", {}, {}, cube);
  model.assembly.addNode("right", Transform::translation({1, 0, 0}), {}, cube);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  ReportContext context{"fitup test", "cubes", "", {}};
  context.options.verdict = VerdictOptions{.tolerance = 0.01};
  context.drawPictures = drawReportPictures;
  const InterferenceReport report = checkAllPairs(sceneOf(model), {}, context.options);
  REQUIRE(report.count(Verdict::contact) == 1);
  REQUIRE(report.intersects());
  for (const PicturesOf of : {PicturesOf::toActOn, PicturesOf::all}) {
    context.picturesOf = of;
    writeReport(folder / "r.html", context, model, report);
    const Json pictures = embedded(readText(folder / "r.html"), "pictures");
    CHECK(pictures.contains(""));  // the whole
    CHECK((pictures.size() > 1) == (of == PicturesOf::all));
  }
}
#endif

}  // namespace report_html_tests

// Tests what the table, the status bar and reports show of verdicts, clearances and what was left out.
#include <catch2/catch.hpp>

#include <QSettings>

#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <viewer/core/check_scope.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/status_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace verdicts_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Around a cube of side 10: one 2 deep in it, one 0.5 deep, one wholly inside, one that touches it, one 2.5
/// away, a triangle that pierces it. They do not touch each other.
class Bench {
 public:
  Bench() {
    Model model;
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
      model.assembly.addNode(name, at, {}, model.assembly.addPart(withDeflection(mesh, 0.005)));
    };
    add("base", sixSidedBox(10, 10, 10), {});
    add("deep", sixSidedBox(4, 4, 4), shift(5, 0, 0));
    add("shallow", sixSidedBox(4, 4, 4), shift(0, 6.5, 0));
    add("inside", sixSidedBox(1, 1, 1), shift(-2, 0, -2));
    add("mated", sixSidedBox(1, 1, 1), shift(0, 0, 5.5));
    add("apart", sixSidedBox(1, 1, 1), shift(-8, 0, 0));
    add("sheet", fromTriangle({{{0, -8, 0}, {0, -3, 0}, {1, -8, 1}}}), {});
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(file, model);
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder / "bench.fitup";
};

Rules rulesOfBench() {
  Rules rules;
  rules.rules = {{"apart", "base", "", RuleAction::clearance, 4},
                 {"mated", "base", "welded", RuleAction::allowContact}};
  return rules;
}

/// Returns the row of a part's finding with the base.
QModelIndex rowOf(WindowSession& gui, const std::string& part) {
  const InterferenceModel& model = gui.window.table().model();
  const NodeId node = gui.document.session()->assembly().at(part);
  for (int row = 0; row < model.rowCount(); ++row)
    if (const QModelIndex index = model.index(row, 0); model.finding(index).instances().contains(node))
      return index;
  FAIL("nothing is found of " << part);
  return {};
}

std::string cell(WindowSession& gui, const std::string& part, InterferenceModel::Column column) {
  return rowOf(gui, part).siblingAtColumn(column).data().toString().toStdString();
}

std::string status(WindowSession& gui) { return gui.window.statusLine().verdictText().toStdString(); }

}  // namespace

TEST_CASE("depths are those of a full check, in the table and in reports", "[gui]") {
  const Bench bench;
  WindowSession gui;
  gui.open(bench.file);
  // At once: the answer has no depths yet.
  gui.document.exportReport(bench.folder / "report.json");
  gui.settle();
  const ReportDocument report = readReport(bench.folder / "report.json");
  std::map<std::string, double> depths;
  for (const ReportedPair& pair : report.runs.at(0).pairs)
    if (pair.assessment.depth) depths[pair.b] = *pair.assessment.depth;
  CHECK(depths.at("deep") == Approx(2).margin(0.02));
  CHECK(depths.at("shallow") == Approx(0.5).margin(0.02));

  waitForDepths(gui);
  const InterferenceModel& model = gui.window.table().model();
  CHECK(model.finding(rowOf(gui, "deep")).found.depth.value() == Approx(2).margin(0.02));
  CHECK(model.finding(rowOf(gui, "shallow")).found.depth.value() == Approx(0.5).margin(0.02));
  QTreeView& view = gui.window.table().view();
  view.sortByColumn(InterferenceModel::depth, Qt::DescendingOrder);
  double last = 1e9;
  for (int row = 0; row < view.model()->rowCount(); ++row) {
    const Finding& finding = gui.window.table().rows().finding(view.model()->index(row, 0));
    const double depth = finding.found.depth.value_or(-1e9);
    CHECK(depth <= last);
    last = depth;
  }
  // Another question about the same placements has them at once.
  gui.selectInTree("deep");
  CHECK_FALSE(model.finding(rowOf(gui, "deep")).depthIsOpen);
  gui.document.session()->move(std::vector{gui.document.session()->assembly().at("deep")}, {{}, {1, 0, 0}},
                               "Move");
  gui.settle();
  waitForDepths(gui);
  CHECK(model.finding(rowOf(gui, "deep")).found.depth.value() == Approx(1).margin(0.02));
}

TEST_CASE("scripts can wait for depths", "[gui]") {
  const Bench bench;
  WindowSession gui;
  CHECK(gui.run({}, {"depths"}) == "session, line 1: no model is open");
  gui.open(bench.file);
  const InterferenceModel& model = gui.window.table().model();
  REQUIRE(gui.run({}, {"select deep", "move 0.5 0 0"}).empty());
  // The depth is open here, except on a busy machine, where it arrives together with the answer.
  REQUIRE(gui.run({}, {"move 0.25 0 0", "depths"}).empty());
  for (int row = 0; row < model.count(); ++row) CHECK_FALSE(model.finding(row).depthIsOpen);
  CHECK(model.finding(rowOf(gui, "deep")).found.depth.value() == Approx(1.25).margin(0.02));
  // If all are known, there is nothing to wait for; the next question overtakes a wait.
  CHECK(gui.run({}, {"depths", "move 0.1 0 0", "undo", "depths", "hide", "show-all", "depths"}).empty());
  CHECK_FALSE(model.finding(rowOf(gui, "deep")).depthIsOpen);
  CHECK(gui.run({}, {"verdicts off", "depths"}) == "session, line 2: depths are shown only with verdicts on");
}

TEST_CASE("a clearance that is not kept is reported with its distance, with verdicts and without", "[gui]") {
  const Bench bench;
  WindowSession gui;
  gui.open(bench.file);
  setRules(gui, rulesOfBench());
  for (const bool verdicts : {false, true}) {
    CAPTURE(verdicts);
    CheckSettings settings = gui.document.check().settings();
    settings.verdicts = verdicts;
    gui.document.check().setSettings(settings);
    gui.settle();
    CHECK(cell(gui, "apart", InterferenceModel::verdict) == "too near: 2.5 of 4");
    CHECK(status(gui).find("1 pair of parts too near") != std::string::npos);
  }
}

TEST_CASE("contact that a rule allows is approved in the table, as in reports", "[gui]") {
  const Bench bench;
  WindowSession gui;
  gui.open(bench.file);
  CHECK(cell(gui, "mated", InterferenceModel::status) == "new");
  setRules(gui, rulesOfBench());
  CHECK(cell(gui, "mated", InterferenceModel::status) == "approved");
  CHECK(cell(gui, "mated", InterferenceModel::comment) == "contact allowed by a rule: welded");
  // A user's review has precedence.
  gui.window.table().model().setStatus({rowOf(gui, "mated")}, ReviewStatus::active);
  CHECK(cell(gui, "mated", InterferenceModel::status) == "active");
}

TEST_CASE("parts that are not closed are reported, and their depths are least ones", "[gui]") {
  const Bench bench;
  WindowSession gui;
  gui.open(bench.file);
  waitForDepths(gui);
  CHECK(status(gui).find("1 part not closed") != std::string::npos);
  CHECK(cell(gui, "sheet", InterferenceModel::depth).substr(0, 3) == "≥");
  CHECK(cell(gui, "deep", InterferenceModel::depth).substr(0, 1) == "2");
}

TEST_CASE("the status says what a check was narrowed to and what rules left out", "[gui]") {
  const Bench bench;
  WindowSession gui;
  gui.open(bench.file);
  const Assembly& assembly = gui.document.session()->assembly();
  Rules rules;
  rules.rules = {{"*", "*", "", RuleAction::ignore}};
  setRules(gui, rules);
  CHECK(status(gui).find("pairs left out by rules") != std::string::npos);
  rules.rules.clear();
  rules.check =
      checkSetsOf(assembly, {assembly.at("apart"), assembly.at("mated")}, CheckScope::amongSelected);
  setRules(gui, rules);
  CHECK(status(gui).find("0 clashes") != std::string::npos);
  CHECK(status(gui).find("only pairs among 2 parts") != std::string::npos);
  CHECK(gui.window.tree().scopeText().contains("only pairs among 2 parts"));
  rules.check = checkSetsOf(assembly, {assembly.at("apart")}, CheckScope::withSelected);
  setRules(gui, rules);
  CHECK(status(gui).find("only pairs with 1 part") != std::string::npos);
  // One part alone has no pair.
  setRules(gui, {});
  gui.selectInTree("deep");
  gui.key(Qt::Key_W, Qt::ShiftModifier);
  CHECK_FALSE(gui.document.session()->state().rules.check);
  CHECK(gui.window.errorText().contains("at least two parts"));
}

TEST_CASE("the mode of the first pair of faces is reported, and not remembered", "[gui]") {
  const Bench bench;
  {
    WindowSession gui;
    gui.open(bench.file);
    CheckSettings settings = gui.document.check().settings();
    settings.mode = QueryMode::firstSurfacePair;
    settings.verdicts = false;
    gui.document.check().setSettings(settings);
    gui.settle();
    CHECK(status(gui) == "4 pairs of parts intersect");
    CHECK(gui.window.table().countText().endsWith(" (first pair of faces only)"));
    rememberSettings(gui.window);
  }
  WindowSession gui;
  recallSettings(gui.window);
  CHECK(gui.document.check().settings().mode == QueryMode::allSurfacePairs);
  QSettings().setValue("work/queryMode", 0);  // from an older version
  recallSettings(gui.window);
  CHECK(gui.document.check().settings().mode == QueryMode::allSurfacePairs);
  QSettings().clear();
}

TEST_CASE("while a new model is checked nothing is reported of it", "[gui]") {
  const Bench bench;
  WindowSession gui;
  std::string atOnce, count;
  QObject::connect(&gui.document.check(), &LiveCheck::asked, &gui.window, [&] {
    if (!atOnce.empty()) return;
    atOnce = status(gui);
    count = gui.window.table().countText().toStdString();
  });
  gui.open(bench.file);
  CHECK(atOnce == "checking...");
  CHECK(count == "checking...");
  CHECK(status(gui).find("clash") != std::string::npos);
}

TEST_CASE("a long name does not widen the window", "[gui]") {
  const TemporaryFolder folder;
  Model model;
  const PartId cube = model.assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.01));
  model.assembly.addNode("a", {}, {}, cube);
  model.assembly.addNode(std::string(400, 'w'), shift(3, 0, 0), {}, cube);
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "long.fitup", model);
  WindowSession gui;
  gui.open(folder / "long.fitup");
  const int before = gui.window.minimumSizeHint().width();
  gui.selectInTree("a");
  REQUIRE(gui.document.check().answer().nearest);
  CHECK(gui.window.minimumSizeHint().width() < before + 200);
}

}  // namespace verdicts_tests

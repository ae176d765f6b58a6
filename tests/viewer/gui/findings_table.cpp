// Tests the order, the filters and the numbers of the table of findings, and that it agrees with reports.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTest>

#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <fitup/scene/finding_counts.h>
#include <models/process_plant.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/status_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace findings_table_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// The plant with two more pumps, which clash with the first one with some of their faces only.
class Pumps {
 public:
  Pumps() {
    Model model;
    model.assembly = models::makeProcessPlant();
    const NodeId pump = model.assembly.at("process-plant/equipment/pump");
    for (const double by : {3.0, 40.0})
      model.assembly.addNode("pump" + std::to_string(by),
                             Transform::translation({by, 0, 0}) * model.assembly.worldFromNode(pump), {},
                             model.assembly.partOf(pump));
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(file, model);
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder / "pumps.fitup";
};

/// Boxes that stand for each of the verdicts: a clash, a pair nearer than a rule allows, contacts, and one
/// that is undecided, because a part ends in a hole.
class Kinds {
 public:
  Kinds() {
    Model model;
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
      model.assembly.addNode(name, at, {}, model.assembly.addPart(withDeflection(mesh, 0.005)));
    };
    add("mated1", sixSidedBox(1, 1, 1), shift(0, 0, 5.5));
    add("apart", sixSidedBox(1, 1, 1), shift(-8, 0, 0));
    add("base", sixSidedBox(10, 10, 10), {});
    add("deep", sixSidedBox(4, 4, 4), shift(5, 0, 0));
    add("mated2", sixSidedBox(1, 1, 1), shift(0, 0, -5.5));
    add("cup", withoutFace(*sixSidedBox(4, 4, 4), "+z"), shift(0, 40, 0));
    add("cork", sixSidedBox(3, 3, 3), shift(0, 40, 2.6));
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(file, model);
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder / "kinds.fitup";

 private:
  static MeshPtr withoutFace(const TriangleMesh& mesh, const std::string& face) {
    TriangleMeshBuilder builder(mesh.name());
    for (std::uint32_t i = 0; i < mesh.points().size(); ++i) builder.addPoint(mesh.pointInPart(i));
    for (const Surface& surface : mesh.surfaces()) {
      if (surface.name == face) continue;
      builder.beginSurface(surface.name);
      for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
        const TriangleIndices& corners = mesh.triangles()[surface.firstTriangle + i];
        builder.addTriangle(corners[0], corners[1], corners[2]);
      }
    }
    return std::make_shared<const TriangleMesh>(builder.build());
  }
};

/// The findings in the order in which the table shows them.
std::vector<Finding> shownRows(WindowSession& gui) {
  QTableView& view = gui.window.table().view();
  std::vector<Finding> rows;
  for (int row = 0; row < view.model()->rowCount(); ++row)
    rows.push_back(gui.window.table().model().finding(
        static_cast<QSortFilterProxyModel*>(view.model())->mapToSource(view.model()->index(row, 0)).row()));
  return rows;
}

void openKinds(WindowSession& gui, const Kinds& kinds) {
  gui.open(kinds.file);
  Rules rules;
  rules.rules = {{"apart", "base", "", RuleAction::clearance, 4}};
  setRules(gui, rules);
  REQUIRE(gui.run({}, {"depths"}).empty());
}

const InterferenceReport& reportOf(WindowSession& gui) { return *gui.document.check().answer().report; }

}  // namespace

TEST_CASE("the table states of pairs of faces what the exported report does", "[gui][findings]") {
  const Pumps pumps;
  WindowSession gui;
  gui.open(pumps.file);
  // What the table says as soon as the answer comes, when depths are not known yet.
  std::map<std::string, Verdict> stated;
  const auto note = [&] {
    stated.clear();
    const InterferenceModel& model = gui.window.table().model();
    for (int row = 0; row < model.rowCount(); ++row) {
      const Finding& finding = model.finding(row);
      if (finding.surfaces && finding.found.verdict)
        stated[idOf(gui.document.session()->assembly(), finding)] = *finding.found.verdict;
    }
  };
  std::map<std::string, Verdict> atOnce;
  const auto connection = QObject::connect(&gui.document.check(), &LiveCheck::answered, &gui.window, [&] {
    if (!gui.document.check().answer().options->verdict || !atOnce.empty()) return;
    note();
    atOnce = stated;
  });
  REQUIRE(gui.run({}, {"tolerance 0.5", "verdicts on", "depths"}).empty());
  QObject::disconnect(connection);
  waitForDepths(gui);
  note();

  gui.document.exportReport(pumps.folder / "report.json");
  gui.settle();
  const ReportDocument report = readReport(pumps.folder / "report.json");
  std::map<std::string, Verdict> reported;
  std::size_t clashes = 0;
  for (const ReportedPair& pair : report.runs.at(0).pairs)
    for (const ReportedFinding& finding : pair.findings) {
      reported[finding.id] = finding.assessment.verdict.value();
      clashes += finding.assessment.verdict == Verdict::clash;
    }
  REQUIRE(clashes > 0);
  REQUIRE(clashes < reported.size());
  CHECK(stated == reported);
  for (const auto& [id, verdict] : atOnce) {
    INFO(id);
    CHECK(reported.at(id) == verdict);
  }
  // The window states the same numbers, of both kinds, in two places.
  const FindingCounts counts = countFindings(report.runs.at(0).pairs);
  const QString ofFaces = QString("%1 of %2 pairs of faces").arg(clashes).arg(reported.size());
  CHECK(gui.window.table().countText().contains(QString("%1 of %2 pairs of parts and %3 clash")
                                                    .arg(counts.clashes)
                                                    .arg(counts.clashes + counts.contacts + counts.undecided)
                                                    .arg(ofFaces)));
  CHECK(gui.window.statusLine().verdictText().startsWith(QString("%1 clash").arg(counts.clashes)));
  CHECK(gui.window.statusLine().verdictText().contains(ofFaces + " clash"));
}

TEST_CASE("clashes come first, grouped by pairs of parts", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  const std::vector<Finding> rows = shownRows(gui);
  std::vector<Severity> order;
  for (const Finding& row : rows)
    if (order.empty() || order.back() != row.ofPair) order.push_back(row.ofPair);
  CHECK(order == std::vector{Severity::clash, Severity::undecided, Severity::tooNear, Severity::contact});
  // The rows of a pair are together, and the first of them is marked.
  const QAbstractItemModel& shown = *gui.window.table().view().model();
  std::set<std::pair<NodeId, NodeId>> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    const bool isFirst = pairs.emplace(rows[i].a, rows[i].b).second;
    const QModelIndex index = shown.index(static_cast<int>(i), InterferenceModel::partA);
    CHECK(index.data(FindingsFilter::isFirstOfPairRole).toBool() == isFirst);
    if (!isFirst) CHECK((rows[i].a == rows[i - 1].a && rows[i].b == rows[i - 1].b));
    CHECK(index.data(Qt::ForegroundRole).isValid() == !isFirst);
  }
  CHECK(rows.size() > pairs.size());
  // Within a pair, faces that clash come before those in contact.
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].a == rows[i - 1].a && rows[i].b == rows[i - 1].b && rows[i - 1].surfaces)
      CHECK(rankOf(rows[i - 1].severity) <= rankOf(rows[i].severity));

  // A click on a heading sorts by it; the third one groups again.
  QTableView& view = gui.window.table().view();
  const auto ids = [&] {
    std::vector<std::string> all;
    for (const Finding& row : shownRows(gui)) all.push_back(idOf(gui.document.session()->assembly(), row));
    return all;
  };
  const auto grouped = ids();
  const QPoint heading(view.columnViewportPosition(InterferenceModel::faceB) + 20, 8);
  const auto click = [&] {
    QTest::mouseClick(view.horizontalHeader()->viewport(), Qt::LeftButton, {}, heading);
  };
  click();
  CHECK(ids() != grouped);
  click();
  CHECK(ids() != grouped);
  click();
  CHECK(ids() == grouped);
}

TEST_CASE("the table is filtered by verdict", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  QComboBox& verdicts = gui.window.table().verdicts();
  const std::size_t all = shownRows(gui).size();
  std::size_t sum = 0;
  for (const auto& [text, severity] : {std::pair{"clash", Severity::clash},
                                       {"undecided", Severity::undecided},
                                       {"too near", Severity::tooNear},
                                       {"contact", Severity::contact}}) {
    CAPTURE(text);
    QTest::keyClick(&verdicts, Qt::Key_Down);
    REQUIRE(verdicts.currentText() == text);
    const std::vector<Finding> rows = shownRows(gui);
    CHECK_FALSE(rows.empty());
    for (const Finding& row : rows) CHECK(row.severity == severity);
    CHECK(gui.window.table().countText().startsWith(QString("%1 of %2 findings").arg(rows.size()).arg(all)));
    sum += rows.size();
  }
  CHECK(sum == all);
  QTest::keyClick(&verdicts, Qt::Key_Home);
  CHECK(shownRows(gui).size() == all);
}

TEST_CASE("Ctrl+C copies the chosen rows with headings that have units", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  QTableView& view = gui.window.table().view();
  const auto row = gui.window.table().model().rowCount() - 1;
  gui.window.table().model().setData(gui.window.table().model().index(row, InterferenceModel::comment),
                                     "two\tcells\nand lines", Qt::EditRole);
  QApplication::setActiveWindow(&gui.window);
  view.setFocus();
  view.selectAll();
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  REQUIRE(lines.size() == view.model()->rowCount() + 1);
  CHECK(lines[0] == "Part A\tFace A\tPart B\tFace B\tVerdict\tDepth (mm)\tStatus\tComment");
  for (int i = 1; i < lines.size(); ++i) {
    const QStringList cells = lines[i].split('\t');
    REQUIRE(cells.size() == InterferenceModel::columns);
    for (int column = 0; column < InterferenceModel::columns; ++column)
      CHECK(cells[column] == view.model()->index(i - 1, column).data().toString());
  }
  CHECK(QApplication::clipboard()->text().contains("two\\tcells\\nand lines"));
  CHECK(lines[1].contains("\tclash\t2"));
  // Some rows, in their order, however they were chosen.
  view.clearSelection();
  view.setSelectionMode(QAbstractItemView::MultiSelection);
  view.selectRow(2);
  view.selectRow(0);
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  CHECK(QApplication::clipboard()->text() == lines[0] + '\n' + lines[1] + '\n' + lines[3] + '\n');
  // Scripts sort by the name of a column, without its unit.
  CHECK(gui.run({}, {"sort depth"}).empty());
}

TEST_CASE("what is known survives Verdicts off and on", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  const auto known = gui.document.check().answer().report;
  const std::vector<Finding> rows = shownRows(gui);
  const auto texts = [&] { return gui.window.table().countText() + gui.window.statusLine().verdictText(); };
  const QString before = texts();
  const auto toggle = [&] { QTest::keyClick(&gui.window, Qt::Key_V); };
  QApplication::setActiveWindow(&gui.window);
  toggle();
  gui.settle();
  REQUIRE_FALSE(gui.document.check().settings().verdicts);
  CHECK_FALSE(gui.document.check().answer().options->verdict);
  const auto plain = gui.document.check().answer().report;
  CHECK(texts() != before);
  toggle();
  // At once: nothing was checked anew.
  CHECK_FALSE(gui.document.check().isChecking());
  CHECK(gui.document.check().answer().report == known);
  CHECK(texts() == before);
  CHECK(shownRows(gui).size() == rows.size());
  toggle();
  CHECK_FALSE(gui.document.check().isChecking());
  CHECK(gui.document.check().answer().report == plain);
  gui.settle();

  // What has changed in the meantime counts.
  const NodeId deep = gui.document.session()->assembly().at("deep");
  gui.document.session()->move(std::vector{deep}, {{}, {1, 0, 0}}, "Move");
  gui.settle();
  toggle();
  REQUIRE(gui.run({}, {"depths"}).empty());
  CHECK(gui.document.check().answer().report != known);
  for (const PairInterference& pair : reportOf(gui).pairs)
    if (pair.b == deep || pair.a == deep) CHECK(pair.assessment().depth.value() == Approx(1).margin(0.02));
  gui.document.session()->undo();
  toggle();
  gui.settle();
  gui.document.session()->edit("Tolerance", [](SessionState& state) { state.tolerance = 3; });
  gui.settle();
  toggle();
  REQUIRE(gui.run({}, {"depths"}).empty());
  CHECK(countFindings(reportOf(gui)).clashes == 0);
  // A selection meanwhile asks for another distance.
  toggle();
  gui.settle();
  gui.selectInTree("deep");
  toggle();
  gui.settle();
  REQUIRE(gui.document.check().answer().nearest);
  CHECK(gui.document.check().answer().nearest->a == deep);
  // Drags after that are answered.
  REQUIRE(gui.run({}, {"move 9 0 0", "depths"}).empty());
  for (const Finding& row : shownRows(gui)) CHECK_FALSE(row.instances().contains(deep));
}

}  // namespace findings_table_tests

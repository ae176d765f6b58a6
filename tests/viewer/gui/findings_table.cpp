// Tests the order, the filters and the numbers of the table of findings, and that it agrees with reports.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
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
#include <viewer/gui/properties_panel.h>
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

/// The pairs of parts in the order in which the table shows them, or the findings below one of them.
std::vector<Finding> shownRows(WindowSession& gui, const QModelIndex& pair = {}) {
  const FindingsFilter& shown = gui.window.table().rows();
  std::vector<Finding> rows;
  for (int row = 0; row < shown.rowCount(pair); ++row)
    rows.push_back(shown.finding(shown.index(row, 0, pair)));
  return rows;
}

/// The row of a pair with several pairs of faces.
QModelIndex pairWithFaces(WindowSession& gui) {
  const FindingsFilter& shown = gui.window.table().rows();
  for (int row = 0; row < shown.rowCount(); ++row)
    if (shown.rowCount(shown.index(row, 0)) > 1) return shown.index(row, 0);
  FAIL("each pair of parts has at most one pair of faces");
  return {};
}

/// True if the arrow at the end of a heading is wider above than below.
bool arrowPointsDown(QHeaderView& header, int section) {
  const QImage image = header.grab().toImage();
  const int end = header.sectionViewportPosition(section) + header.sectionSize(section);
  std::vector<int> widths;
  for (int y = 0; y < header.height(); ++y) {
    int dark = 0;
    for (int x = end - 20; x < end - 3; ++x) dark += image.pixelColor(x, y).lightness() < 140;
    if (dark > 0) widths.push_back(dark);
  }
  REQUIRE(widths.size() > 1);
  REQUIRE(widths.front() != widths.back());
  return widths.front() > widths.back();
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
    for (int row = 0; row < model.count(); ++row) {
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
  const QString text = gui.window.table().countText();
  CHECK(text.startsWith(QString("%1 pairs of parts: %2 clash")
                            .arg(counts.clashes + counts.contacts + counts.undecided)
                            .arg(counts.clashes)));
  CHECK(text.endsWith(ofFaces + " clash"));
  CHECK(gui.window.statusLine().verdictText().startsWith(QString("%1 clash").arg(counts.clashes)));
  CHECK(gui.window.statusLine().verdictText().contains(ofFaces + " clash"));
}

TEST_CASE("pairs of parts are folded, the worst first", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  InterferenceTable& table = gui.window.table();
  const FindingsFilter& shown = gui.window.table().rows();
  const std::vector<Finding> rows = shownRows(gui);
  std::vector<Severity> order;
  std::set<std::pair<NodeId, NodeId>> pairs;
  for (const Finding& row : rows) {
    if (order.empty() || order.back() != row.severity) order.push_back(row.severity);
    pairs.emplace(row.a, row.b);
  }
  CHECK(order == std::vector{Severity::clash, Severity::tooNear, Severity::undecided, Severity::contact});
  CHECK(pairs.size() == rows.size());
  CHECK(gui.run({}, {"expect-findings " + std::to_string(gui.window.table().model().count())}).empty());
  CHECK(static_cast<std::size_t>(gui.window.table().model().count()) > rows.size());

  // A pair says how many pairs of faces it has; one shares the row of its pair.
  const QModelIndex pair = pairWithFaces(gui);
  const std::vector<Finding> faces = shownRows(gui, pair);
  CHECK(pair.siblingAtColumn(InterferenceModel::faceA).data().toString() ==
        QString("%1 pairs").arg(faces.size()));
  CHECK_FALSE(shown.finding(pair).surfaces);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    CHECK(std::pair(faces[i].a, faces[i].b) == std::pair(rows.front().a, rows.front().b));
    CHECK(faces[i].surfaces);
    if (i > 0) CHECK(rankOf(faces[i - 1].severity) <= rankOf(faces[i].severity));
  }
  bool isOneShared = false;
  for (int row = 0; row < shown.rowCount(); ++row) {
    const QModelIndex each = shown.index(row, 0);
    CHECK(shown.rowCount(each) != 1);
    isOneShared |= shown.finding(each).surfaces.has_value();
  }
  CHECK(isOneShared == std::ranges::any_of(table.model().pairs(), [](const PairFindings& each) {
          return each.pairsOfFaces == 1 && !each.isFinding;
        }));
}

TEST_CASE("a triangle and keys open the rows of faces", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  QTreeView& view = gui.window.table().view();
  const QModelIndex pair = pairWithFaces(gui);
  REQUIRE_FALSE(view.isExpanded(pair));
  const QRect cell = view.visualRect(pair);
  const QPoint triangle(cell.left() - view.indentation() / 2, cell.center().y());
  const auto click = [&](const QPoint& at) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at); };
  click(triangle);
  CHECK(view.isExpanded(pair));
  click(triangle);
  CHECK_FALSE(view.isExpanded(pair));
  click(cell.center());
  QApplication::setActiveWindow(&gui.window);
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_Right);
  CHECK(view.isExpanded(pair));
  // The next finding is the next visible row.
  gui.key(Qt::Key_N);
  CHECK(view.currentIndex().parent() == pair);
  REQUIRE(gui.window.table().current());
  CHECK(gui.window.table().current()->surfaces);
  // The row of faces that goes out of sight passes the choice on to its pair.
  view.collapse(pair);
  CHECK(view.selectionModel()->selectedRows() == QModelIndexList{pair});
  CHECK_FALSE(gui.window.table().current()->surfaces);
  gui.key(Qt::Key_N);
  CHECK_FALSE(view.currentIndex().parent().isValid());
  CHECK(view.currentIndex().row() == pair.row() + 1);
  gui.key(Qt::Key_N, Qt::ShiftModifier);
  CHECK(view.currentIndex() == pair);

  CHECK(gui.run({}, {"finding expand-all"}).empty());
  CHECK(view.isExpanded(pair));
  CHECK(gui.run({}, {"finding collapse-all"}).empty());
  CHECK_FALSE(view.isExpanded(pair));
}

TEST_CASE("a pair of parts is reviewed with all pairs of its faces", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  InterferenceTable& table = gui.window.table();
  InterferenceModel& model = table.model();
  const QModelIndex pair = pairWithFaces(gui);
  const auto face = [&](int row, InterferenceModel::Column column) {
    return table.rows().index(row, column, pair).data().toString();
  };
  const auto ofPair = [&](InterferenceModel::Column column) {
    return pair.siblingAtColumn(column).data().toString();
  };
  table.view().setCurrentIndex(pair);
  table.setStatus(ReviewStatus::approved);
  CHECK(ofPair(InterferenceModel::status) == "approved");
  for (int row = 0; row < table.rows().rowCount(pair); ++row)
    CHECK(face(row, InterferenceModel::status) == "approved");
  // One of them differs.
  model.setStatus({table.rows().mapToSource(table.rows().index(0, 0, pair))}, ReviewStatus::active);
  CHECK(ofPair(InterferenceModel::status) == "mixed");
  CHECK_FALSE(table.status());
  CHECK(face(1, InterferenceModel::status) == "approved");
  const QModelIndex comment = table.rows().mapToSource(pair.siblingAtColumn(InterferenceModel::comment));
  model.setData(comment, "seal", Qt::EditRole);
  CHECK(face(1, InterferenceModel::comment) == "seal");
  model.setData(table.rows().mapToSource(table.rows().index(0, InterferenceModel::comment, pair)), "bead",
                Qt::EditRole);
  CHECK(ofPair(InterferenceModel::comment) == "several");
  // An editor that is opened and closed changes nothing.
  CHECK_FALSE(model.setData(comment, comment.data(Qt::EditRole), Qt::EditRole));
  CHECK(face(0, InterferenceModel::comment) == "bead");
}

TEST_CASE("the first click on Depth shows the deepest first, and blanks are last", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  QTreeView& view = gui.window.table().view();
  const auto ids = [&] {
    std::vector<std::string> all;
    for (const Finding& row : shownRows(gui)) all.push_back(idOf(gui.document.session()->assembly(), row));
    return all;
  };
  const auto worstFirst = ids();
  const auto click = [&] {
    const QPoint heading(view.columnViewportPosition(InterferenceModel::depth) + 20, 8);
    QTest::mouseClick(view.header()->viewport(), Qt::LeftButton, {}, heading);
  };
  const auto checkOrder = [&](Qt::SortOrder order) {
    CHECK(view.header()->sortIndicatorOrder() == order);
    CHECK(arrowPointsDown(*view.header(), InterferenceModel::depth) == (order == Qt::DescendingOrder));
    std::vector<double> depths;
    bool hasBlank = false;
    for (const Finding& row : shownRows(gui)) {
      if (!row.found.depth) hasBlank = true;
      CHECK(row.found.depth.has_value() != hasBlank);
      if (row.found.depth) depths.push_back(*row.found.depth);
    }
    CHECK(hasBlank);
    REQUIRE_FALSE(depths.empty());
    CHECK((order == Qt::DescendingOrder ? std::ranges::is_sorted(depths, std::greater<>())
                                        : std::ranges::is_sorted(depths)));
  };
  click();
  checkOrder(Qt::DescendingOrder);
  click();
  checkOrder(Qt::AscendingOrder);
  click();  // the third one shows the worst first again
  CHECK(ids() == worstFirst);
}

TEST_CASE("the chosen row stays in sight when the table is sorted, searched or filled anew",
          "[gui][findings]") {
  const TemporaryFolder folder;
  WindowSession gui;
  openCrossedRods(gui, folder, 12);
  QTreeView& view = gui.window.table().view();
  view.expandAll();
  const FindingsFilter& shown = gui.window.table().rows();
  const QPersistentModelIndex pair = shown.index(0, 0);
  REQUIRE(shown.rowCount(pair) == 8 * 12 * 12);
  const QPersistentModelIndex chosen = shown.index(5, 0, pair);
  view.setCurrentIndex(chosen);
  const auto isInSight = [&] {
    QApplication::processEvents();
    return view.viewport()->rect().intersects(view.visualRect(chosen));
  };
  REQUIRE(isInSight());
  view.sortByColumn(InterferenceModel::faceB, Qt::DescendingOrder);
  REQUIRE(chosen.row() > 100);
  CHECK(isInSight());
  gui.window.table().search(chosen.sibling(chosen.row(), InterferenceModel::faceB).data().toString());
  CHECK(shown.rowCount(pair) < 8 * 12 * 12);
  CHECK(isInSight());
  gui.window.table().search({});
  CHECK(isInSight());
}

TEST_CASE("the panel of properties shows the finding that was chosen last", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  REQUIRE(gui.run({}, {"select deep", "show-properties"}).empty());
  const auto value = [&](const QString& group, const QString& name) {
    return gui.window.properties().value(group, name).toStdString();
  };
  const QString finding = "Finding, in mm";
  CHECK(value("General", "Path") == "deep");
  InterferenceTable& table = gui.window.table();
  const QModelIndex pair = pairWithFaces(gui);
  const auto cell = [&](InterferenceModel::Column column) {
    return pair.siblingAtColumn(column).data().toString().toStdString();
  };
  table.view().setCurrentIndex(pair);
  CHECK(value("General", "Path").empty());
  CHECK(value(finding, "Verdict") == "clash");
  CHECK(value(finding, "Depth") == cell(InterferenceModel::depth));
  CHECK_FALSE(value(finding, "Deepest place").empty());
  CHECK(value(finding, "Faces") == cell(InterferenceModel::faceA));
  CHECK(value("Part A", "Path") == "base");
  CHECK(value("Part B", "Path") == "deep");
  // It follows changes of the same finding.
  table.setStatus(ReviewStatus::reviewed);
  CHECK(value(finding, "Status") == "reviewed");
  // A pair of faces shows them.
  const QModelIndex face = table.rows().index(0, 0, pair);
  table.view().setCurrentIndex(face);
  CHECK(value("Part A", "Face") ==
        face.siblingAtColumn(InterferenceModel::faceA).data().toString().toStdString());
  CHECK_FALSE(value("Part B", "Face").empty());
  // What applies to it, and why it is undecided.
  bool hasRule = false, hasReason = false;
  for (int row = 0; row < table.rows().rowCount(); ++row) {
    table.view().setCurrentIndex(table.rows().index(row, 0));
    const Finding chosen = *table.current();
    hasRule |= value(finding, "Rule") == "apart and base: keep a distance of 4 mm";
    hasReason |= chosen.severity == Severity::undecided && !value(finding, "Undecided because").empty();
    if (chosen.severity == Severity::tooNear) CHECK(value(finding, "Required distance") == "4");
  }
  CHECK(hasRule);
  CHECK(hasReason);
  // A part that is selected later takes its place, until nothing is selected.
  gui.selectInTree("base");
  CHECK(value("General", "Path") == "base");
  CHECK(value(finding, "Verdict").empty());
  gui.document.select({});
  CHECK_FALSE(value(finding, "Verdict").empty());
  table.view().clearSelection();
  CHECK(value(finding, "Verdict").empty());
}

TEST_CASE("names of parts have the room that other columns leave", "[gui][findings]") {
  const Kinds kinds;
  WindowSession gui;
  openKinds(gui, kinds);
  QTreeView& view = gui.window.table().view();
  const auto checkWidths = [&] {
    int all = 0;
    for (int column = 0; column < InterferenceModel::columns; ++column) all += view.columnWidth(column);
    CHECK(all <= view.viewport()->width());
    CHECK(all >= view.viewport()->width() - 1);
    CHECK(view.columnWidth(InterferenceModel::partA) == view.columnWidth(InterferenceModel::partB));
  };
  gui.window.resize(1280, 800);
  gui.settle();
  checkWidths();
  const int before = view.columnWidth(InterferenceModel::partA);
  CHECK(before > view.columnWidth(InterferenceModel::comment));
  gui.window.resize(1600, 800);
  gui.settle();
  checkWidths();
  CHECK(view.columnWidth(InterferenceModel::partA) > before + 100);
  // Widths of the user stay.
  view.header()->resizeSection(InterferenceModel::comment, 333);
  gui.window.resize(1400, 800);
  gui.settle();
  CHECK(view.columnWidth(InterferenceModel::comment) == 333);
}

TEST_CASE("the table is filtered by the verdicts of pairs", "[gui][findings]") {
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
    CHECK(gui.window.table().countText().startsWith(
        QString("%1 shown of %2 pairs of parts").arg(rows.size()).arg(all)));
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
  QTreeView& view = gui.window.table().view();
  InterferenceModel& model = gui.window.table().model();
  const QModelIndex last = model.indexOf(model.finding(model.count() - 1));
  model.setData(last.siblingAtColumn(InterferenceModel::comment), "two\tcells\nand lines", Qt::EditRole);
  view.expandAll();
  QApplication::setActiveWindow(&gui.window);
  view.setFocus();
  view.selectAll();
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  std::vector<QModelIndex> rows;  // all that are visible
  for (QModelIndex row = view.model()->index(0, 0); row.isValid(); row = view.indexBelow(row))
    rows.push_back(row);
  REQUIRE(static_cast<int>(rows.size()) > view.model()->rowCount());
  REQUIRE(lines.size() == static_cast<int>(rows.size()) + 1);
  CHECK(lines[0] == "Part A\tFace A\tPart B\tFace B\tVerdict\tDepth (mm)\tStatus\tComment");
  for (int i = 1; i < lines.size(); ++i) {
    const QStringList cells = lines[i].split('\t');
    REQUIRE(cells.size() == InterferenceModel::columns);
    for (int column = 0; column < InterferenceModel::columns; ++column)
      CHECK(cells[column] ==
            rows.at(static_cast<std::size_t>(i - 1)).siblingAtColumn(column).data().toString());
  }
  CHECK(QApplication::clipboard()->text().contains("two\\tcells\\nand lines"));
  CHECK(lines[1].contains("\tclash\t2"));
  // Some rows, in their order, however they were chosen.
  view.clearSelection();
  for (const std::size_t row : {2U, 0U})
    view.selectionModel()->select(rows.at(row), QItemSelectionModel::Select | QItemSelectionModel::Rows);
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

// Tests a table with a thousand findings that come and go as a part moves.
#include <catch2/catch.hpp>

#include <QScrollBar>
#include <QSignalSpy>

#include <fitup/io/model_file.h>
#include <models/process_plant.h>
#include <viewer/gui/count_text.h>
#include <viewer/gui/interference_table.h>

#include "viewer/gui/window_session.h"

namespace large_table_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

TEST_CASE("the count includes findings that a search leaves out", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  InterferenceTable& table = gui.window.table();
  CHECK(table.countText() == countsText(*gui.document.check().answer().report));
  gui.selectInTree(models::spoolPath);
  gui.document.session()->move(std::vector{gui.document.session()->assembly().at(models::spoolPath)},
                               {{}, {0, 0, 5000}}, "Move");
  gui.settle();
  CHECK(table.countText() == "0 findings");
  table.search("zzz");
  gui.document.session()->undo();
  gui.settle();
  CHECK(table.countText().startsWith("0 shown of " + countsText(*gui.document.check().answer().report)));
  // By whole paths, also of a subassembly.
  table.search("plant/piping");
  CHECK(table.countText() == countsText(*gui.document.check().answer().report));
}

TEST_CASE("rows that stay are not touched: choice, place and sorting are kept", "[gui]") {
  const TemporaryFolder folder;
  WindowSession gui;
  openCrossedRods(gui, folder, 12);
  InterferenceModel& model = gui.window.table().model();
  const FindingsFilter& rows = gui.window.table().rows();
  QTreeView& view = gui.window.table().view();
  REQUIRE(model.count() == 8 * 12 * 12);
  REQUIRE(model.rowCount() == 1);
  const QPersistentModelIndex pair = rows.index(0, 0);
  view.expand(pair);
  const NodeId upper = gui.document.session()->assembly().at("crossed-rods/upper");
  const bool sorted = GENERATE(false, true);
  CAPTURE(sorted);
  if (sorted) view.sortByColumn(InterferenceModel::faceB, Qt::DescendingOrder);

  const int chosen = 700;
  view.setCurrentIndex(rows.index(chosen, 0, pair));
  view.scrollTo(rows.index(chosen, 0, pair), QAbstractItemView::PositionAtTop);
  const int scrolled = view.verticalScrollBar()->value();
  REQUIRE(scrolled > 100);
  const auto current = [&]() -> std::optional<Finding> {
    const QModelIndexList chosenRows = view.selectionModel()->selectedRows();
    if (chosenRows.size() != 1) return std::nullopt;
    return rows.finding(chosenRows.front());
  };
  const Finding finding = current().value();
  QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  QSignalSpy removals(&model, &QAbstractItemModel::rowsRemoved);
  const auto moveTo = [&](double x) {
    gui.document.session()->edit("Move", [&](SessionState& state) {
      state.motions[upper] = {{}, {x, 0, 0}};
    });
    gui.settle();
    InterferenceOptions options;
    options.request.mode = QueryMode::allSurfacePairs;
    const Session& session = *gui.document.session();
    const std::vector<Finding> expected =
        listFindings(session.assembly(), checkAllPairs(session.scene(), session.poses(), options));
    REQUIRE(static_cast<std::size_t>(model.count()) == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!isSameFinding(model.finding(static_cast<int>(i)), expected[i]))
        FAIL("row " << i << " is another one");
    CHECK(gui.window.table().countText() ==
          QString("1 pair of parts; %1 pairs of faces").arg(expected.size()));
    REQUIRE(current());
    CHECK(isSameFinding(*current(), finding));
  };
  // Without a change, nothing is reported.
  moveTo(1);
  CHECK(resets.empty());
  CHECK(changes.empty());
  CHECK(view.verticalScrollBar()->value() == scrolled);
  // The last upper rod leaves the lower ones: a range of rows at each of them.
  moveTo(25);
  CHECK(model.count() < 8 * 12 * 12);
  CHECK(removals.size() + resets.size() > 0);
  CHECK(current());
  CHECK(view.isExpanded(rows.index(0, 0)));
  moveTo(0);
  CHECK(model.count() == 8 * 12 * 12);
  CHECK(std::abs(view.verticalScrollBar()->value() - scrolled) <= 8 * 12);
}

}  // namespace large_table_tests

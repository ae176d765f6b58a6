// Tests the arrangement of the window: space for the view, panels that follow the model, what is remembered,
// and the default that can be brought back.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTabBar>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include <fitup/io/model_file.h>
#include <viewer/gui/command_script.h>
#include <viewer/gui/expert_panel.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/window_layout.h>

#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace layout_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Two boxes of side 4 that touch nothing until `b` moves.
struct Boxes {
  explicit Boxes(const QSize& size = {1280, 800}) {
    Model model;
    const PartId part = model.assembly.addPart(sixSidedBox(4, 4, 4));
    a = model.assembly.addNode("a", {}, {}, part);
    b = model.assembly.addNode("b", Transform::translation({0, 0, 20}), {}, part);
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "boxes.fitup", model);
    gui.window.resize(size);
    settle();
  }
  void open() {
    gui.open(folder / "boxes.fitup");
    settle();
  }
  /// Also until the layout has its new sizes.
  void settle() {
    gui.settle();
    QTest::qWait(50);
    gui.settle();
  }
  [[nodiscard]] double shareOfView() {
    const QSize view = gui.window.view().size(), all = gui.window.size();
    return double(view.width()) * view.height() / (double(all.width()) * all.height());
  }
  QDockWidget& dock(const char* name) {
    auto* found = gui.window.findChild<QDockWidget*>(name);
    REQUIRE(found != nullptr);
    return *found;
  }
  [[nodiscard]] bool isCollapsed() { return gui.window.windowLayout().isTableCollapsed(); }
  void record() {
    REQUIRE(gui.run({}, {"select b", "key-pose", "move 0 0 3", "key-pose", "record off"}) == "");
    settle();
  }

  TemporaryFolder folder;
  WindowSession gui;
  NodeId a{}, b{};
};

/// Returns where everything is, one line for each.
std::string placesOf(MainWindow& window) {
  std::map<std::string, std::string> places;
  const auto text = [](const QRect& place) {
    return QStringLiteral("%1,%2 %3x%4")
        .arg(place.x())
        .arg(place.y())
        .arg(place.width())
        .arg(place.height())
        .toStdString();
  };
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    places[dock->objectName().toStdString()] = !dock->isVisible()                ? "hidden"
                                               : dock->isFloating()              ? "floating"
                                               : dock->visibleRegion().isEmpty() ? "behind another"
                                                                                 : text(dock->geometry());
  for (const QToolBar* bar : window.findChildren<QToolBar*>())
    places["bar " + bar->objectName().toStdString()] = bar->isVisible() ? text(bar->geometry()) : "hidden";
  places["view"] = text(window.view().rect());
  std::string lines;
  for (const auto& [name, place] : places) lines += name + ": " + place + '\n';
  return lines;
}

}  // namespace

TEST_CASE("the view has most of the window", "[gui][layout]") {
  for (const QSize& size : {QSize(1280, 800), QSize(1600, 1000), QSize(1024, 700)}) {
    CAPTURE(size.width());
    Boxes boxes(size);
    boxes.open();
    CHECK(boxes.gui.window.size() == size);
    CHECK(boxes.shareOfView() > 0.55);
  }
}

TEST_CASE("a table without findings is one line high, and never changes while a part is dragged",
          "[gui][layout]") {
  Boxes boxes;
  WindowSession& gui = boxes.gui;
  CHECK(boxes.isCollapsed());
  boxes.open();
  CHECK(boxes.isCollapsed());
  CHECK(boxes.dock("Interference").isVisible());
  CHECK(boxes.dock("Interference").height() < 70);
  const QSize before = gui.window.view().size();

  gui.selectInTree("b");
  gui.window.view().look(StandardView::front);
  const QPointF grip = gui.window.view().widgetPoint({1.5, -2, 21.5}).value(),
                goal = gui.window.view().widgetPoint({1.5, -2, 3}).value();
  Hand hand(gui);
  hand.press(grip);
  for (int i = 1; i <= 8; ++i) hand.move(grip + (goal - grip) * i / 8);
  gui.waitFor([&] { return gui.window.table().model().count() > 0; }, "findings");
  REQUIRE(gui.window.drag().isActive());
  QApplication::processEvents();
  CHECK(gui.window.view().size() == before);
  hand.release(goal);
  boxes.settle();
  REQUIRE(gui.window.table().model().count() > 0);
  CHECK_FALSE(boxes.isCollapsed());
  CHECK(gui.window.table().view().isVisible());
  CHECK(gui.window.table().view().viewport()->height() > 40);
  CHECK(gui.window.view().height() < before.height());

  // It stays until another model is there.
  gui.document.session()->undo();
  boxes.settle();
  REQUIRE(gui.window.table().model().count() == 0);
  CHECK_FALSE(boxes.isCollapsed());
  boxes.open();
  CHECK(boxes.isCollapsed());
  CHECK(gui.window.view().size() == before);
}

TEST_CASE("the Motion panel opens with a motion, unless the user has decided", "[gui][layout]") {
  Boxes boxes;
  WindowSession& gui = boxes.gui;
  QDockWidget& motion = boxes.dock("Motion");
  CHECK_FALSE(motion.isVisible());
  boxes.open();
  CHECK_FALSE(motion.isVisible());
  SECTION("it follows the model") {
    gui.selectInTree("b");
    gui.key(Qt::Key_R, Qt::ControlModifier);
    REQUIRE(gui.window.drag().isRecording());
    CHECK(motion.isVisible());
    gui.key(Qt::Key_R, Qt::ControlModifier);
    boxes.record();
    CHECK(motion.isVisible());
    boxes.open();
    CHECK_FALSE(motion.isVisible());
    boxes.record();
    CHECK(motion.isVisible());
  }
  SECTION("a user closes it") {
    boxes.record();
    REQUIRE(motion.isVisible());
    QTest::mouseClick(motion.findChild<QAbstractButton*>("qt_dockwidget_closebutton"), Qt::LeftButton);
    REQUIRE_FALSE(motion.isVisible());
    boxes.open();
    boxes.record();
    CHECK_FALSE(motion.isVisible());
  }
  SECTION("a user opens it") {
    gui.key(Qt::Key_8, Qt::AltModifier);
    REQUIRE(motion.isVisible());
    boxes.open();
    CHECK(motion.isVisible());
  }
}

TEST_CASE("all tabs and tool bars can be read in a small window", "[gui][layout]") {
  Boxes boxes({1024, 700});
  boxes.open();
  MainWindow& window = boxes.gui.window;
  for (const bool withMotion : {false, true}) {
    if (withMotion) boxes.record();
    for (const char* panel : {"Properties", "Measure", "Section", "Expert", "Move"}) {
      CAPTURE(panel, withMotion);
      REQUIRE(boxes.gui.run({}, {std::string("panel ") + panel}) == "");
      boxes.settle();
      CHECK(window.size() == QSize(1024, 700));
      const auto bars = window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly);
      int tabs = 0;
      for (const QTabBar* bar : bars) {
        if (!bar->isVisible()) continue;
        for (int i = 0; i < bar->count(); ++i, ++tabs) {
          CHECK(bar->tabRect(i).width() >= bar->fontMetrics().horizontalAdvance(bar->tabText(i)));
          CHECK(bar->rect().contains(bar->tabRect(i)));
        }
      }
      CHECK(tabs == 5);
    }
  }
  const auto toolBars = window.findChildren<QToolBar*>();
  CHECK(toolBars.size() == 4);
  for (const QToolBar* bar : toolBars) {
    CAPTURE(bar->objectName().toStdString());
    const auto* more = bar->findChild<QToolButton*>("qt_toolbar_ext_button");
    REQUIRE(more != nullptr);
    CHECK_FALSE(more->isVisible());
    CHECK(bar->geometry().top() == toolBars.front()->geometry().top());
  }
}

TEST_CASE("Reset layout brings back panels, tool bars and sizes", "[gui][layout]") {
  Boxes boxes;
  boxes.open();
  MainWindow& window = boxes.gui.window;
  boxes.settle();
  const auto atFirst = placesOf(window);
  const auto change = [&] {
    boxes.dock("Parts").hide();
    boxes.dock("Section").setFloating(true);
    boxes.dock("Motion").show();
    window.addDockWidget(Qt::RightDockWidgetArea, &boxes.dock("Interference"));
    window.resizeDocks({&boxes.dock("Move")}, {420}, Qt::Horizontal);
    window.findChild<QToolBar*>("Selection")->hide();
    window.addToolBar(Qt::LeftToolBarArea, window.findChild<QToolBar*>("View"));
    boxes.settle();
    CHECK(placesOf(window) != atFirst);
  };
  change();
  boxes.gui.key(Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
  boxes.settle();
  CHECK(placesOf(window) == atFirst);
  change();
  CHECK(boxes.gui.run({}, {"reset-layout"}) == "");
  boxes.settle();
  CHECK(placesOf(window) == atFirst);
  // The Motion panel follows the model again.
  boxes.record();
  CHECK(boxes.dock("Motion").isVisible());
  CHECK(boxes.gui.run({}, {"reset-layout"}) == "");
  boxes.settle();
  CHECK(boxes.dock("Motion").isVisible());
}

TEST_CASE("the layout is remembered", "[gui][layout]") {
  std::string left;
  {
    Boxes boxes;
    boxes.dock("Parts").hide();
    boxes.gui.window.resizeDocks({&boxes.dock("Move")}, {400}, Qt::Horizontal);
    boxes.gui.window.findChild<QToolBar*>("File")->hide();
    boxes.settle();
    left = placesOf(boxes.gui.window);
    boxes.open();
    boxes.record();
    REQUIRE(boxes.dock("Motion").isVisible());
    boxes.gui.window.windowLayout().remember();
  }
  Boxes boxes;
  CHECK(placesOf(boxes.gui.window) != left);
  boxes.gui.window.windowLayout().recall();
  boxes.settle();
  CHECK(placesOf(boxes.gui.window) == left);  // the Motion panel waits for a motion again
  boxes.open();
  boxes.record();
  CHECK(boxes.dock("Motion").isVisible());
  QSettings().clear();
}

TEST_CASE("the times of checks are in the Expert panel, not in the status bar", "[gui][layout]") {
  Boxes boxes;
  WindowSession& gui = boxes.gui;
  boxes.open();
  const auto textOf = [](const QWidget& bar) {
    QString text;
    for (const QLabel* label : bar.findChildren<QLabel*>()) text += label->text() + QLatin1Char('\n');
    return text;
  };
  CHECK_FALSE(textOf(gui.window.statusLine()).contains(" ms"));
  CHECK_FALSE(textOf(gui.window.statusLine()).contains("Detect"));
  CHECK(gui.window.statusLine().verdictText() == "nothing intersects");
  REQUIRE(gui.run({}, {"panel Expert", "select b", "move 0 0 -18"}) == "");
  boxes.settle();
  CHECK(gui.window.expert().timeText().endsWith(" ms"));
  CHECK(gui.window.expert().timeText() ==
        QStringLiteral("%1 ms").arg(gui.document.check().answer().milliseconds, 0, 'f', 2));
  CHECK_FALSE(textOf(gui.window.statusLine()).contains(" ms"));
}

}  // namespace layout_tests

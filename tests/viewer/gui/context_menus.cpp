// Tests the context menus of view, tree and table, with the mouse and the keyboard.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QTest>
#include <QWindow>

#include <fitup/io/model_file.h>
#include <viewer/gui/context_menus.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/scene_view.h>

#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace context_menus_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

constexpr SurfaceId frontFace{2};

/// A group of a large cube and a small one that overlaps it, and another instance of the small one beside
/// them, seen from the front.
struct Cubes {
  Cubes() {
    Model model;
    const PartId large = model.assembly.addPart(sixSidedBox(2, 2, 2)),
                 small = model.assembly.addPart(sixSidedBox(1, 1, 1));
    const NodeId group = model.assembly.addNode("group", {}, {});
    model.assembly.addNode("large", {}, group, large);
    model.assembly.addNode("small", Transform::translation({1.2, 0, 0}), group, small);
    model.assembly.addNode("beside", Transform::translation({5, 0, 0}), {}, small);
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "cubes.fitup", model);
    gui.open(folder / "cubes.fitup");
    gui.window.view().look(StandardView::front);
    gui.settle();
  }
  [[nodiscard]] NodeId at(const char* path) const { return gui.document.session()->assembly().at(path); }
  [[nodiscard]] const SessionState& state() const { return gui.document.session()->state(); }
  [[nodiscard]] ContextMenus& menus() { return gui.window.contextMenus(); }
  [[nodiscard]] NodeId large() const { return at("group/large"); }
  [[nodiscard]] NodeId small() const { return at("group/small"); }
  [[nodiscard]] NodeId beside() const { return at("beside"); }

  /// Clicks as the window system reports it, where a press may open a menu.
  void rightClick(QWidget& widget, const QPoint& at) {
    QTest::mouseClick(gui.window.windowHandle(), Qt::RightButton, {}, widget.mapTo(&gui.window, at));
    QApplication::processEvents();
  }
  void rightClickOn(NodeId part) { rightClick(gui.window.view(), gui.pointOn(part, frontFace).toPoint()); }
  void rightClickInTree(NodeId node) {
    QTreeWidget& tree = gui.window.tree().tree();
    rightClick(*tree.viewport(), tree.visualItemRect(&gui.window.tree().lineOf(node)).center());
  }
  void rightClickInTable(int row) {
    QTreeView& table = gui.window.table().view();
    rightClick(*table.viewport(), table.visualRect(table.model()->index(row, 0)).center());
  }
  static QAction* entry(QMenu& menu, const QString& text) {
    for (QAction* action : menu.actions())
      if (QString(action->text()).remove('&').remove("...") == text && action->isVisible()) return action;
    return nullptr;
  }
  /// Clicks on an entry of an open menu.
  void choose(QMenu& menu, const QString& text) {
    CAPTURE(text.toStdString());
    REQUIRE(menu.isVisible());
    QAction* action = entry(menu, text);
    REQUIRE(action != nullptr);
    QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(action).center());
    CHECK_FALSE(menu.isVisible());
    gui.settle();
  }
  static QString heading(const QMenu& menu) { return menu.findChild<QLabel*>()->text(); }
  void undo() {
    gui.document.session()->undo();
    gui.settle();
  }

  TemporaryFolder folder;
  WindowSession gui;
};

}  // namespace

TEST_CASE("a right click opens a menu in every scheme of the mouse, a right drag does not", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  SceneView& view = gui.window.view();
  for (const NavigationPreset preset :
       {NavigationPreset::cad, NavigationPreset::solidworks, NavigationPreset::blender}) {
    CAPTURE(name(preset));
    view.setNavigation(preset);
    gui.document.select({});
    cubes.rightClickOn(cubes.large());
    CHECK(cubes.menus().ofParts().isVisible());
    CHECK(Cubes::heading(cubes.menus().ofParts()) == "large");
    CHECK(gui.document.selection() == std::set<NodeId>{cubes.large()});
    CHECK(gui.document.face() == frontFace);
    cubes.menus().ofParts().close();
    gui.document.select({});

    const Vec3 eye = view.camera().viewpoint().eye;
    const QPointF from = gui.pointOn(cubes.large(), frontFace);
    const double pixel = view.camera().worldPerPixel({0, -1, 0}) * view.devicePixelRatioF();
    gui.drag(from, from + QPointF(40, 0), 8, Qt::RightButton);
    CHECK_FALSE(cubes.menus().ofParts().isVisible());
    CHECK_FALSE(cubes.menus().ofBackground().isVisible());
    CHECK(gui.document.selection().empty());
    // What was grabbed stays under the cursor.
    const bool pans = preset == NavigationPreset::cad;
    CHECK(norm(view.camera().viewpoint().eye - eye) == Approx(pans ? 40 * pixel : 0).epsilon(1e-3));
    view.look(StandardView::front);
  }
}

TEST_CASE("the menu of a part in the view acts on it, or on all selected parts", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  QMenu& menu = cubes.menus().ofParts();
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Isolate");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.small(), cubes.beside()});
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Show all");
  CHECK(cubes.state().hidden.empty());
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Ghost");
  CHECK(cubes.state().ghosted == std::set<NodeId>{cubes.large()});
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Opaque again");
  CHECK(cubes.state().ghosted.empty());
  cubes.rightClickOn(cubes.large());
  CHECK(Cubes::entry(menu, "Check all parts again") == nullptr);
  cubes.choose(menu, "Check only this");
  REQUIRE(cubes.state().rules.check);
  CHECK(cubes.state().rules.check->a == std::vector<std::string>{"group/large"});
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Check all parts again");
  CHECK_FALSE(cubes.state().rules.check);
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Properties");
  CHECK(gui.window.properties().isInFront());
  CHECK(gui.window.properties().value("General", "Path") == "group/large");
  CHECK(gui.window.properties().value("Face 2, in the world", "Area").startsWith("4 "));
  cubes.rightClickOn(cubes.beside());
  cubes.choose(menu, "Copy path");
  CHECK(QApplication::clipboard()->text() == "beside");
  gui.document.session()->move(std::vector{cubes.beside()}, {{}, {1, 0, 0}}, "Move");
  gui.settle();
  cubes.rightClickOn(cubes.beside());
  cubes.choose(menu, "Back to the design placement");
  CHECK(cubes.state().motions.empty());
  cubes.rightClickOn(cubes.beside());
  cubes.choose(menu, "Hide");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.beside()});
  cubes.undo();

  // One of several selected parts keeps the selection; another one replaces it.
  gui.document.select({cubes.large(), cubes.small()});
  cubes.rightClickOn(cubes.large());
  CHECK(Cubes::heading(menu) == "group   2 parts");
  CHECK(Cubes::entry(menu, "Look at this face") == nullptr);
  cubes.choose(menu, "Copy path");
  CHECK(QApplication::clipboard()->text() == "group/large\ngroup/small");
  cubes.rightClickOn(cubes.beside());
  CHECK(Cubes::heading(menu) == "beside");
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.beside()});
  cubes.choose(menu, "Select all instances");
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.small(), cubes.beside()});
}

TEST_CASE("the menu in the view looks at the face, and puts the pivot to the place", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  SceneView& view = gui.window.view();
  QMenu& menu = cubes.menus().ofParts();
  view.look(StandardView::isometric);
  cubes.rightClickOn(cubes.large());
  cubes.choose(menu, "Look at this face");
  CHECK(norm(view.camera().forward() - Vec3{0, 1, 0}) < 1e-9);
  CHECK(norm(view.camera().viewpoint().target - Vec3{0, -1, 0}) < 1e-9);
  const QPointF middle = view.widgetPoint({-0.5, -1, 0.25}).value();
  cubes.rightClick(view, middle.toPoint());
  cubes.choose(menu, "Place the pivot here");
  REQUIRE(view.gizmo());
  const double pixel = view.camera().worldPerPixel({0, -1, 0});
  CHECK(norm(view.gizmo()->centre - Vec3{-0.5, -1, 0.25}) < 2 * pixel);
  // The next menu is about another place, and the key needs a face.
  gui.document.select({cubes.beside()});
  gui.key(Qt::Key_8);
  CHECK(gui.run({}, {"look-at-face"}) == "session, line 1: no face is chosen");
  CHECK(gui.run({}, {"select-face beside 5", "look-at-face"}).empty());
  CHECK(norm(view.camera().forward() - Vec3{0, 0, -1}) < 1e-9);
}

TEST_CASE("beside all parts, the menu is about the whole model", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  QMenu& menu = cubes.menus().ofBackground();
  gui.document.select({cubes.large()});
  cubes.rightClick(gui.window.view(), {40, 40});
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.large()});
  cubes.choose(menu, "Select all");
  CHECK(gui.document.selection().size() == 3);
  for (const char* below : {"Views", "Display", "Section"})
    CHECK(Cubes::entry(menu, below)->menu() != nullptr);
  gui.document.session()->edit("Hide", [&](SessionState& state) { state.hidden = {cubes.small()}; });
  cubes.rightClick(gui.window.view(), {40, 40});
  cubes.choose(menu, "Select all");
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.large(), cubes.beside()});
  cubes.rightClick(gui.window.view(), {40, 40});
  cubes.choose(menu, "Show all parts");
  CHECK(cubes.state().hidden.empty());
}

TEST_CASE("the menu of the tree is about all selected lines and what is below them", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  QMenu& menu = cubes.menus().ofLines();
  cubes.rightClickInTree(cubes.at("group"));
  CHECK(Cubes::heading(menu) == "group   2 parts");
  cubes.choose(menu, "Hide");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.large(), cubes.small()});
  gui.selectInTree("group");
  cubes.rightClickInTree(cubes.at("group"));
  cubes.choose(menu, "Show");
  CHECK(cubes.state().hidden.empty());
  QTreeWidgetItem& group = gui.window.tree().lineOf(cubes.at("group"));
  REQUIRE(group.isExpanded());
  cubes.rightClickInTree(cubes.at("group"));
  cubes.choose(menu, "Collapse all below");
  CHECK_FALSE(group.isExpanded());
  CHECK(gui.run({}, {"select", "tree expand"}).empty());
  CHECK(group.isExpanded());
  cubes.rightClickInTree(cubes.beside());
  cubes.choose(menu, "Select all instances");
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.small(), cubes.beside()});
  cubes.rightClickInTree(cubes.small());
  CHECK(Cubes::heading(menu) == "2 parts");
  cubes.choose(menu, "Isolate");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.large()});
}

TEST_CASE("the menu of the table is about the parts of the finding", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  QMenu& menu = cubes.menus().ofFindings();
  const std::set<NodeId> both{cubes.large(), cubes.small()};
  REQUIRE(gui.window.table().model().count() > 1);
  const auto chooseAt0 = [&](const char* text) {
    cubes.rightClickInTable(0);
    CHECK(Cubes::heading(menu) == "large and small");
    cubes.choose(menu, text);
  };
  chooseAt0("Select both parts");
  CHECK(gui.document.selection() == both);
  chooseAt0("Isolate both parts");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.beside()});
  cubes.undo();
  chooseAt0("Hide A: large");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.large()});
  cubes.undo();
  chooseAt0("Hide B: small");
  CHECK(cubes.state().hidden == std::set<NodeId>{cubes.small()});
  cubes.undo();
  chooseAt0("Ghost all others");
  CHECK(cubes.state().ghosted == std::set<NodeId>{cubes.beside()});
  chooseAt0("Copy paths");
  CHECK(QApplication::clipboard()->text() == "group/large\ngroup/small");
  chooseAt0("Copy rows");
  CHECK(QApplication::clipboard()->text().startsWith("Part A\t"));
  gui.document.select({});
  gui.window.tree().tree().collapseAll();
  chooseAt0("Show in the tree");
  CHECK(gui.document.selection() == both);
  CHECK(gui.window.tree().lineOf(cubes.at("group")).isExpanded());
  CHECK(gui.window.tree().tree().currentItem() == &gui.window.tree().lineOf(cubes.large()));
  chooseAt0("Check only this pair");
  REQUIRE(cubes.state().rules.check);
  CHECK(gui.window.tree().scopeText().contains("only pairs among 2 parts"));
  chooseAt0("Check all parts again");
  CHECK_FALSE(cubes.state().rules.check);
  const Vec3 eye = gui.window.view().camera().viewpoint().eye;
  chooseAt0("Zoom to it");
  CHECK(norm(gui.window.view().camera().viewpoint().eye - eye) > 0.1);

  // Scripts do the same with the chosen row.
  CHECK(gui.run({}, {"finding", "finding status approved"}).empty());
  CHECK(gui.window.table().status() == ReviewStatus::approved);
  CHECK(gui.run({}, {"finding status perhaps"}).find("is not one of new") != std::string::npos);
  gui.window.table().view().clearSelection();
  gui.settle();
  CHECK(gui.run({}, {"finding isolate"}) == "session, line 1: no finding is selected in the table");
}

TEST_CASE("the menu key and Shift+F10 open the menu of the panel with the focus", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  const auto checkOpens = [&](QWidget& widget, QMenu& menu) {
    widget.setFocus();
    gui.key(Qt::Key_F10, Qt::ShiftModifier);
    CHECK(menu.isVisible());
    menu.close();
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {3, 3}, widget.mapToGlobal(QPoint(3, 3)));
    QApplication::sendEvent(&widget, &event);
    CHECK(menu.isVisible());
    // Not where the cursor is.
    CHECK(menu.pos() != widget.mapToGlobal(QPoint(3, 3)));
    menu.close();
  };
  QApplication::setActiveWindow(&gui.window);
  checkOpens(gui.window.view(), cubes.menus().ofBackground());
  gui.selectInTree("group/small");
  checkOpens(gui.window.tree().tree(), cubes.menus().ofLines());
  checkOpens(gui.window.view(), cubes.menus().ofParts());
  QTreeView& table = gui.window.table().view();
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                    table.visualRect(table.model()->index(0, 0)).center());
  checkOpens(table, cubes.menus().ofFindings());
  // Ctrl+A is about parts, but in the table about rows.
  gui.document.select({});
  table.setFocus();
  table.expandAll();
  QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
  CHECK(gui.document.selection().empty());
  CHECK(gui.window.table().chosenFindings().size() > 1);
  gui.window.view().setFocus();
  gui.key(Qt::Key_A, Qt::ControlModifier);
  CHECK(gui.document.selection().size() == 3);
}

TEST_CASE("copied paths, all instances and all parts can be had by scripts", "[gui][menus]") {
  Cubes cubes;
  WindowSession& gui = cubes.gui;
  CHECK(gui.run({}, {"copy-path"}) == "session, line 1: nothing is selected");
  CHECK(gui.run({}, {"select group", "copy-path"}).empty());
  CHECK(QApplication::clipboard()->text() == "group/large\ngroup/small");
  CHECK(gui.run({}, {"select beside", "select-same"}).empty());
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.small(), cubes.beside()});
  CHECK(gui.run({}, {"select-all"}).empty());
  CHECK(gui.document.selection().size() == 3);
  CHECK(gui.run({}, {"show-properties"}).empty());
  CHECK(gui.window.properties().isInFront());
}

}  // namespace context_menus_tests

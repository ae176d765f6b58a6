// Tests the search for a way out in the window: its panel, what is lit, guide points, and swept volumes.
#include <catch2/catch.hpp>

#include <QAction>
#include <QListWidget>
#include <QTest>

#include <fitup/io/read_assembly.h>
#include <fitup/io/track_file.h>
#include <fitup/planning/swept_volume.h>
#include <fitup/planning/tree_search.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/context_menus.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/time_line.h>
#include <viewer/gui/way_out_panel.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace way_out_gui_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;
using viewer::WayOut;  // not that of a verdict

namespace {

/// A cube with 0.1 of play in a case whose inside is 2 wide, with or without a lid, and a weight on the floor
/// beside it.
struct Case {
  explicit Case(bool isClosed) {
    Model model;
    const auto add = [&](const char* name, const Vec3& low, const Vec3& high) {
      return model.assembly.addNode(name, {}, {}, model.assembly.addPart(boxBetween(low, high)));
    };
    cube = add("cube", {-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9});
    add("bottom", {-2, -2, -2}, {2, 2, -1});
    add("left", {-2, -2, -1}, {-1, 2, 1});
    add("right", {1, -2, -1}, {2, 2, 1});
    add("front", {-1, -2, -1}, {1, -1, 1});
    add("back", {-1, 1, -1}, {1, 2, 1});
    if (isClosed) lid = add("lid", {-2, -2, 1}, {2, 2, 2});
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "case.fitup", model);
    gui.open(folder / "case.fitup");
  }
  [[nodiscard]] WayOut& wayOut() { return gui.window.wayOut(); }
  [[nodiscard]] WayOutPanel& panel() { return gui.window.wayOutPanel(); }
  [[nodiscard]] std::string said() { return panel().text().toStdString(); }
  [[nodiscard]] const Session& session() { return *gui.document.session(); }
  /// Clicks on the line of the list that begins with a text.
  void clickClue(const QString& text) {
    QListWidget& list = panel().clues();
    for (int i = 0; i < list.count(); ++i) {
      if (!list.item(i)->text().startsWith(text)) continue;
      list.scrollToItem(list.item(i));
      QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(i)).center());
      QApplication::processEvents();
      gui.settle();
      return;
    }
    FAIL("no line begins with " << text.toStdString() << " in\n" << said());
  }
  void clickButton(const QString& text) {
    for (QToolButton* button : panel().findChildren<QToolButton*>())
      if (button->text() == text && button->isVisible()) {
        QTest::mouseClick(button, Qt::LeftButton);
        QApplication::processEvents();
        gui.settle();
        return;
      }
    FAIL("no button is called " << text.toStdString());
  }

  TemporaryFolder folder;
  WindowSession gui;
  NodeId cube{}, lid{};
};

/// Counts the pixels of the view with the colour of swept volumes, which nothing else in the picture has.
int violetPixels(WindowSession& gui) {
  gui.window.view().finishDrawing();
  const QImage picture = gui.window.view().grabFramebuffer();
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const QColor colour = picture.pixelColor(x, y);
      if (colour.blue() > colour.green() + 25 && colour.red() > colour.green() + 5) ++count;
    }
  return count;
}

}  // namespace

TEST_CASE("a part is taken out in three clicks", "[gui][wayout]") {
  Case open(false);
  WindowSession& gui = open.gui;
  CHECK_FALSE(open.panel().isVisible());
  gui.selectInTree("cube");
  // Both menus of parts have the command.
  for (QMenu* menu : {&gui.window.contextMenus().ofParts(), &gui.window.contextMenus().ofLines()})
    CHECK(menu->actions().contains(&gui.window.commands().action("way-out")));
  gui.window.commands().action("way-out").trigger();
  gui.settle();
  CHECK(open.panel().isVisible());
  CHECK(open.said().starts_with("Way out of cube\nWay out found: certified, "));
  CHECK(open.panel().clues().count() == 0);
  CHECK(open.session().state().tracks.empty());

  open.clickButton("Play");
  REQUIRE(open.session().state().tracks.size() == 1);
  CHECK(gui.window.timeLine().isVisible());
  gui.waitFor([&] { return !gui.window.timeLine().isPlaying(); }, "the end of the motion");
  gui.settle();
  // The box about the cube has left that about the case, whose top is at 1.
  CHECK(open.session().worldBounds(std::vector{open.cube}).min.z > 1);
  CHECK(gui.window.view().camera().contains(open.session().worldBounds(std::vector{open.cube})));
  CHECK(open.wayOut().isAccepted());
  CHECK_FALSE(gui.window.commands().action("way-out accept").isEnabled());
  // Where the cube is does not matter to the answer.
  CHECK_FALSE(open.wayOut().isStale());
  // From there, nothing is to be found.
  open.clickButton("Search again");
  CHECK(open.said() == "Way out of cube\nThe parts are out already.");
}

TEST_CASE("a way out is accepted as one change, and saved", "[gui][wayout]") {
  Case open(false);
  WindowSession& gui = open.gui;
  const std::string file = (open.folder / "out.track.json").string();
  CHECK(gui.run({}, {"way-out"}).ends_with("nothing is selected"));
  CHECK(gui.run({}, {"way-out accept"}).ends_with("no way out was found"));
  CHECK(gui.run({}, {"select cube", "way-out 0"}).ends_with("the time of a search is 0.1 to 86400 seconds"));
  REQUIRE(gui.run({}, {"select cube", "way-out 20", "way-out save " + file}) == "");
  CHECK(open.wayOut().settings().seconds == 20);
  const Track track = readTrack(file);
  CHECK(track.name == "way out of cube");
  CHECK(track.moved == std::vector<std::string>{"cube"});
  CHECK(track.steps.back().front().translation.z > 1.9);
  REQUIRE(gui.run({}, {"way-out accept", "way-out accept"}) == "");  // once is enough
  REQUIRE(open.session().state().tracks.size() == 1);
  CHECK(gui.document.motion().track() == open.wayOut().track());
  // A straight way is played in many pictures, not in one jump.
  gui.document.motion().goTo(0);
  CHECK(gui.document.motion().nextFrame() > 0);
  CHECK(gui.document.motion().nextFrame() < 0.1);
  gui.document.session()->undo();  // the step
  gui.document.session()->undo();
  CHECK(open.session().state().tracks.empty());
  CHECK_FALSE(open.wayOut().isAccepted());
  CHECK(gui.window.commands().action("way-out accept").isEnabled());
  // The answer goes with the model.
  gui.open(open.folder / "case.fitup");
  CHECK(open.said().starts_with("Way out\nSelect parts."));
}

TEST_CASE("what is in the way is listed and lit", "[gui][wayout]") {
  Case closed(true);
  WindowSession& gui = closed.gui;
  REQUIRE(gui.run({}, {"select cube", "way-out 3"}) == "");
  CHECK(closed.said().starts_with("Way out of cube\nNo way found, which does not show that there is none."));
  CHECK_FALSE(closed.wayOut().track());
  const QImage before = gui.window.view().grabFramebuffer();
  closed.clickClue("Without lid there is a way along +z");
  CHECK(gui.document.selection() == std::set<NodeId>{closed.lid});
  REQUIRE(closed.wayOut().lit() != nullptr);
  CHECK(closed.wayOut().ghosts().empty());
  gui.document.select({});
  gui.settle();
  const QImage lit = gui.window.view().grabFramebuffer();
  CHECK(lit != before);
  closed.clickClue("Along +z: free for 0.");
  const WayOutClue* clue = closed.wayOut().lit();
  REQUIRE(clue != nullptr);
  REQUIRE(clue->faces);
  CHECK(clue->faces->first.first == closed.cube);
  CHECK(clue->faces->second.first == closed.lid);
  // A ghost of the cube is below the lid, not in it.
  REQUIRE(closed.wayOut().ghosts().size() == 1);
  const Vec3 top = closed.wayOut().ghosts().front().at.find(closed.cube)->apply({0, 0, 0.9});
  CHECK(top.z > 0.95);
  CHECK(top.z <= 1.02);
  // Nothing stays lit when the panel is closed, or when other parts are moved the answer is called stale.
  REQUIRE(gui.run({}, {"select lid", "move 0 0 9"}) == "");
  CHECK(closed.wayOut().isStale());
  closed.panel().parentWidget()->hide();
  QApplication::processEvents();
  CHECK(closed.wayOut().lit() == nullptr);
  CHECK(closed.wayOut().ghosts().empty());
  REQUIRE(gui.run({}, {"way-out clue 1"}) == "");
  CHECK(gui.run({}, {"way-out clue 99"}).ends_with("there is no line 99 of what is in the way"));
}

TEST_CASE("hidden parts are left out of a search if the panel says so", "[gui][wayout]") {
  Case closed(true);
  WindowSession& gui = closed.gui;
  REQUIRE(gui.run({}, {"select lid", "hide", "select cube", "way-out 3"}) == "");
  CHECK(closed.wayOut().answer()->report.answer == RemovalAnswer::notFound);
  QTest::mouseClick(closed.panel().findChild<QCheckBox*>(), Qt::LeftButton, {}, {8, 8});
  REQUIRE(closed.wayOut().settings().withoutHidden);
  CHECK_FALSE(closed.wayOut().isStale());
  closed.clickButton("Search again");
  CHECK(closed.wayOut().answer()->report.answer == RemovalAnswer::certain);
}

TEST_CASE("a search is seen, and stopped", "[gui][wayout]") {
  Case closed(true);
  WindowSession& gui = closed.gui;
  gui.document.select({closed.cube});
  gui.window.commands().action("way-out").trigger();
  REQUIRE(closed.wayOut().isSearching());
  CHECK(closed.said().starts_with("Way out of cube\nSearching: "));
  // Another task waits for its end, or for that of the user.
  closed.wayOut().searchAgain();
  CHECK(gui.window.errorText().contains("another task is still running"));
  gui.waitFor([&] { return closed.wayOut().sight().has_value() || !closed.wayOut().isSearching(); },
              "a sight");
  if (closed.wayOut().isSearching()) {
    const auto ghosts = closed.wayOut().ghosts();
    CHECK(ghosts.size() == 1);
    closed.wayOut().stop();
  }
  gui.settle();
  CHECK_FALSE(closed.wayOut().isSearching());
  CHECK(closed.wayOut().ghosts().empty());
  REQUIRE(closed.wayOut().answer());
  CHECK(closed.wayOut().answer()->report.answer != RemovalAnswer::certain);
  if (closed.wayOut().answer()->isStopped)
    CHECK(closed.said().starts_with("Way out of cube\nUndecided: stopped after "));
}

TEST_CASE("a guide point is a copy of the part that is dragged by its handles", "[gui][wayout]") {
  Case open(false);
  WindowSession& gui = open.gui;
  const auto poseOf = [&](std::size_t guide) { return open.wayOut().guides()->poses.at(guide); };
  gui.selectInTree("cube");
  REQUIRE(gui.run({}, {"way-out guide"}) == "");
  REQUIRE(open.wayOut().guideCount() == 1);
  CHECK(open.wayOut().chosenGuide() == std::size_t{0});
  CHECK(open.panel().guides().item(0)->text() == "1: where the parts were; move it");
  CHECK(open.panel().guides().currentRow() == 0);
  // The handles are those of the copy.
  REQUIRE(gui.window.view().gizmo());
  CHECK(norm(gui.window.view().gizmo()->centre) < 1e-9);
  gui.window.view().setViewpoint({.eye = {30, -60, 25}, .target = {0, 0, 4}, .up = {0, 0, 1}});
  gui.settle();
  gui.dragArrow(GizmoHandle::moveZ, 5);
  CHECK(std::abs(poseOf(0).translation.z - 5) < 0.3);
  CHECK(std::hypot(poseOf(0).translation.x, poseOf(0).translation.y) < 1e-9);
  CHECK(norm(gui.window.view().gizmo()->centre - poseOf(0).translation) < 1e-9);
  CHECK(open.panel().guides().item(0)->text().startsWith("1: moved by 0, 0, "));
  // A number goes exactly there, from where the drag began.
  const auto clickHandle = [&](GizmoHandle handle) {
    const Gizmo gizmo = *gui.window.view().gizmo();
    const std::vector<Vec3> line = gizmo.outline(handle);
    gui.click(
        *gui.window.view().widgetPoint(turns(handle) ? line[5] : 0.2 * line.front() + 0.8 * line.back()));
  };
  const double z = poseOf(0).translation.z;
  clickHandle(GizmoHandle::moveX);
  QTest::keyClicks(&gui.window.view(), "2.5");
  CHECK(norm(open.wayOut().shownGuides().at(0).find(open.cube)->apply({}) - Vec3{2.5, 0, z}) < 1e-9);
  QTest::keyClick(&gui.window.view(), Qt::Key_Return);
  gui.settle();
  CHECK(norm(poseOf(0).translation - Vec3{2.5, 0, z}) < 1e-9);
  clickHandle(GizmoHandle::turnZ);
  QTest::keyClicks(&gui.window.view(), "90");
  QTest::keyClick(&gui.window.view(), Qt::Key_Return);
  gui.settle();
  CHECK(degreesBetween(poseOf(0).rotation, axisAngle({0, 0, 1}, std::acos(0.0))) < 1e-6);
  // It turns about its middle.
  CHECK(norm(open.wayOut().guideShift(0) - Vec3{2.5, 0, z}) < 1e-9);
  CHECK(open.panel().guides().item(0)->text().startsWith("1: moved by 2.5, 0, "));
  CHECK(open.panel().guides().item(0)->text().endsWith(", turned 90° about (0, 0, 1)"));
  // Nothing of this has changed the scene, or is there to save.
  CHECK(open.session().poses().empty());
  CHECK_FALSE(gui.document.isModified());
  CHECK(gui.document.selection() == std::set<NodeId>{open.cube});
  // Each drag is undone by itself.
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(poseOf(0).rotation == Quaternion{});
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(poseOf(0).translation == Vec3{0, 0, z});
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(poseOf(0) == RigidMotion{});
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(open.wayOut().guideCount() == 0);
  CHECK_FALSE(open.wayOut().chosenGuide());
  CHECK(open.panel().guides().count() == 0);
  gui.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(open.wayOut().guideCount() == 1);
  // Undone in the middle of a drag, the copy is gone, and so is the drag.
  open.wayOut().chooseGuide(0);
  gui.settle();
  {
    Hand hand(gui);
    const Gizmo gizmo = *gui.window.view().gizmo();
    const QPointF from = *gui.window.view().widgetPoint(gizmo.centre + 0.8 * gizmo.size * gizmo.axes[2]);
    hand.press(from);
    hand.move(from + QPointF(0, -15));
    hand.move(from + QPointF(0, -30));
    REQUIRE(open.wayOut().isDragging());
    gui.document.session()->undo();
    CHECK_FALSE(open.wayOut().isDragging());
    CHECK(open.wayOut().guideCount() == 0);
    hand.move(from + QPointF(0, -40));
    hand.release(from + QPointF(0, -40));
    gui.settle();
    CHECK(open.wayOut().guideCount() == 0);
    gui.document.session()->redo();
    CHECK(poseOf(0) == RigidMotion{});
  }
  // Without a chosen copy, the handles are those of the selected part again.
  REQUIRE(gui.window.view().gizmo());
  gui.dragArrow(GizmoHandle::moveX, 4);
  CHECK(poseOf(0) == RigidMotion{});
  CHECK(open.session().motionOf(open.cube).translation.x > 3);
}

TEST_CASE("copies are picked in the view, moved again, and removed", "[gui][wayout]") {
  Case open(false);
  WindowSession& gui = open.gui;
  gui.window.view().setViewpoint({.eye = {30, -60, 25}, .target = {0, 0, 4}, .up = {0, 0, 1}});
  REQUIRE(gui.run({}, {"select cube", "way-out guide", "way-out move-guide 0 0 5", "way-out guide",
                       "way-out move-guide 0 0 5", "way-out guide", "way-out move-guide 6 0 0",
                       "snap off 0.5 15"}) == "");
  REQUIRE(open.wayOut().guideCount() == 3);
  const auto poseOf = [&](std::size_t guide) { return open.wayOut().guides()->poses.at(guide); };
  CHECK(poseOf(2) == RigidMotion{{}, {6, 0, 10}});
  const auto ghosts = open.wayOut().ghosts();
  REQUIRE(ghosts.size() == 3);
  CHECK(ghosts[1].kind == WayOut::Ghost::Kind::guide);
  CHECK(ghosts[2].kind == WayOut::Ghost::Kind::chosen);
  CHECK(ghosts[0].at.find(open.cube)->apply({}) == Vec3{0, 0, 5});
  gui.settle();
  SceneView& view = gui.window.view();
  const auto at = [&](const Vec3& world) { return view.widgetPoint(world).value(); };
  // A click chooses; the selection stays.
  gui.click(at({0.3, -0.9, 5.3}));
  CHECK(open.wayOut().chosenGuide() == std::size_t{0});
  CHECK(open.panel().guides().currentRow() == 0);
  CHECK(gui.document.selection() == std::set<NodeId>{open.cube});
  CHECK(norm(view.gizmo()->centre - Vec3{0, 0, 5}) < 1e-9);
  // Dragged by itself, the chosen one moves in the plane of the picture; another one does not move.
  gui.drag(at({0.6, -0.9, 4.4}), at({0.6, -0.9, 4.4}) + QPointF(40, 20));
  const RigidMotion moved = poseOf(0);
  CHECK(norm(moved.translation - Vec3{0, 0, 5}) > 0.3);
  CHECK(std::abs(dot(moved.translation - Vec3{0, 0, 5}, view.camera().forward())) < 1e-9);
  CHECK(moved.rotation == Quaternion{});
  const Camera before = view.camera();
  gui.drag(at({0.3, -0.9, 10.3}), at({0.3, -0.9, 10.3}) + QPointF(10, 5));
  CHECK(poseOf(1) == RigidMotion{{}, {0, 0, 10}});
  CHECK(norm(view.camera().forward() - before.forward()) > 1e-3);  // it turned the view
  view.setViewpoint({.eye = {30, -60, 25}, .target = {0, 0, 4}, .up = {0, 0, 1}});
  // Esc takes a drag back, then the choice.
  Hand hand(gui);
  const QPointF arrow = at(view.gizmo()->centre + 0.8 * view.gizmo()->size * view.gizmo()->axes[2]);
  hand.press(arrow);
  hand.move(arrow + QPointF(0, -15));
  hand.move(arrow + QPointF(0, -30));
  REQUIRE(open.wayOut().isDragging());
  CHECK(view.displacementText().endsWith("mm"));
  CHECK(open.wayOut().shownGuides()[0].find(open.cube)->apply({}).z > moved.translation.z + 0.1);
  QTest::keyClick(&view, Qt::Key_Escape);
  CHECK_FALSE(open.wayOut().isDragging());
  hand.release(arrow + QPointF(0, -30));
  gui.settle();
  CHECK(poseOf(0) == moved);
  CHECK(view.displacementText().isEmpty());
  QTest::keyClick(&view, Qt::Key_Escape);
  CHECK_FALSE(open.wayOut().chosenGuide());
  CHECK(gui.document.selection() == std::set<NodeId>{open.cube});
  // The line of the list chooses, too; the arrow keys move, and Del removes the chosen one only.
  QListWidget& list = open.panel().guides();
  QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(1)).center());
  QApplication::processEvents();
  CHECK(open.wayOut().chosenGuide() == std::size_t{1});
  QTest::keyClick(&view, Qt::Key_PageUp);
  CHECK(norm(poseOf(1).translation - Vec3{0, 0, 10}) == Approx(0.5));
  CHECK(open.session().poses().empty());
  QTest::keyClick(&view, Qt::Key_Delete);
  gui.settle();
  REQUIRE(open.wayOut().guideCount() == 2);
  CHECK(poseOf(0) == moved);
  CHECK(poseOf(1) == RigidMotion{{}, {6, 0, 10}});
  CHECK(open.wayOut().chosenGuide() == std::size_t{1});
  open.clickButton("Remove");
  CHECK(open.wayOut().guideCount() == 1);
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(open.wayOut().guideCount() == 2);
  // A click beside all copies chooses none.
  gui.click({5, static_cast<double>(view.height()) - 5});
  CHECK_FALSE(open.wayOut().chosenGuide());
  open.clickButton("Remove");  // all of them
  CHECK(open.wayOut().guideCount() == 0);
  CHECK(open.wayOut().ghosts().empty());
}

TEST_CASE("a search passes the guide points in their order, wherever the part is now", "[gui][wayout]") {
  Case open(false);
  WindowSession& gui = open.gui;
  CHECK(gui.run({}, {"way-out guide"}).ends_with("nothing is selected"));
  CHECK(gui.run({}, {"way-out move-guide 1 0 0"}).ends_with("no guide point is chosen"));
  REQUIRE(gui.run({}, {"select cube", "way-out guide", "way-out move-guide 0 0 5", "way-out guide",
                       "way-out move-guide 0 3 1 0 0 90", "way-out guide"}) == "");
  CHECK(gui.run({}, {"way-out choose-guide 4"}).ends_with("there is no guide point 4"));
  REQUIRE(gui.run({}, {"move 0 0 0.05", "way-out again"}) == "");
  REQUIRE(open.wayOut().answer());
  // The third one is where the second one is, and asks for nothing.
  const std::vector<RigidMotion>& asked = open.wayOut().answer()->question.guides;
  REQUIRE(asked.size() == 2);
  CHECK(norm(asked[0].translation - Vec3{0, 0, 4.95}) < 1e-9);
  CHECK(norm(asked[1].transform().apply({0, 0, 0.05}) - Vec3{0, 3, 6}) < 1e-9);
  CHECK(degreesBetween(asked[1].rotation, axisAngle({0, 0, 1}, std::acos(0.0))) < 1e-6);
  if (hasTreeSearch()) {
    REQUIRE(open.wayOut().track());
    // The steps of the track have both places, in this order.
    std::vector<double> found;
    const Track& track = *open.wayOut().track();
    for (std::size_t k = 0; k < track.steps.size(); ++k)
      for (std::size_t i = 0; i < 2; ++i) {
        const Vec3 there = i == 0 ? Vec3{0, 0, 5} : Vec3{0, 3, 6};
        if (norm(track.steps[k][0].transform().apply({}) - there) < 1e-9) found.push_back(i);
      }
    CHECK(found == std::vector<double>{0, 1});
  }
  // One within a wall is named.
  if (hasTreeSearch()) {
    REQUIRE(gui.run({}, {"way-out move-guide -1.5 -3 -6 0 0 -90", "way-out again"}) == "");
    CHECK(
        open.said().starts_with("Way out of cube\nNo way found: at guide point 3, the parts are not free."));
    gui.document.session()->undo();
  }
  // During a search they stay.
  gui.window.commands().action("way-out again").trigger();
  if (open.wayOut().isSearching()) {
    CHECK_FALSE(open.wayOut().canMoveGuide());
    CHECK(gui.window.commands().action("way-out remove-guide").isEnabled() == false);
  }
  gui.settle();
  // They are those of these parts, which have them again when they are looked at again.
  REQUIRE(gui.run({}, {"select bottom", "way-out 1"}) == "");
  CHECK(open.wayOut().guideCount() == 0);
  CHECK(open.wayOut().ghosts().empty());
  REQUIRE(gui.run({}, {"select cube", "way-out 5"}) == "");
  CHECK(open.wayOut().guideCount() == 3);
  // While the panel is closed, nothing of them is seen or moved.
  open.wayOut().chooseGuide(0);
  CHECK(open.wayOut().canMoveGuide());
  open.panel().parentWidget()->hide();
  QApplication::processEvents();
  CHECK_FALSE(open.wayOut().canMoveGuide());
  CHECK(open.wayOut().ghosts().empty());
  // They go with the model.
  gui.open(open.folder / "case.fitup");
  CHECK(open.wayOut().guideCount() == 0);
  CHECK(open.panel().guides().count() == 0);
}

TEST_CASE("the swept volume of a motion is shown, saved, and goes with the motion", "[gui][sweep]") {
  TwoBoxes boxes({}, shift(0, 30, 0));
  WindowSession& gui = boxes.gui;
  const ShownSweep& sweep = gui.window.sweep();
  const Commands& commands = gui.window.commands();
  const auto action = [&](const char* id) -> QAction& { return commands.action(id); };
  if (!hasSweptVolumes()) {
    CHECK_FALSE(action("swept-volume").isEnabled());
    CHECK(action("swept-volume").toolTip().contains("OpenVDB"));
    CHECK(gui.run({}, {"swept-volume on"}) != "");
    return;
  }
  CHECK(gui.run({}, {"swept-volume on"}).ends_with("there is no motion"));
  REQUIRE(gui.run({}, {"select a", "record on", "move 10 0 0", "record off", "step 0"}) == "");
  CHECK(gui.run({}, {"save-swept-volume x.stl"}).ends_with("there is no swept volume: show it first"));
  CHECK(gui.run({}, {"swept-volume on 0"}).ends_with("the accuracy must be above 0"));
  CHECK(violetPixels(gui) < 100);
  REQUIRE(gui.run({}, {"swept-volume on 0.2"}) == "");
  REQUIRE(sweep.isShown());
  CHECK(action("swept-volume").isChecked());
  CHECK(violetPixels(gui) > 1000);
  // A box of side 4 that goes 10 far; the surface is at most the accuracy outside.
  const double e = 0.2;
  CHECK(sweep.swept()->outerVolume >= 4 * 4 * 14);
  CHECK(sweep.swept()->outerVolume <= (4 + 2 * e) * (4 + 2 * e) * (14 + 2 * e));
  const std::filesystem::path file = boxes.folder / "swept.fitup";
  REQUIRE(gui.run({}, {"save-swept-volume " + file.string(),
                       "save-swept-volume " + file.string() + ".stl"}) == "");
  const Model saved = readModelFile(file);
  CHECK(saved.assembly.unit() == gui.document.session()->assembly().unit());
  REQUIRE(saved.assembly.instances().size() == 1);
  const Box box = saved.assembly.worldBounds(saved.assembly.instances().front());
  CHECK(box.max.x - box.min.x >= 14);
  CHECK(box.max.x - box.min.x <= 14 + 2 * e);
  CHECK(gui.run({}, {"save-swept-volume " + (boxes.folder / "swept.step").string()}) != "");
  // Hidden and shown again, it is not made anew.
  const TriangleMesh* const mesh = sweep.swept()->outer.get();
  REQUIRE(gui.run({}, {"swept-volume off"}) == "");
  CHECK_FALSE(sweep.isShown());
  CHECK(violetPixels(gui) < 100);
  REQUIRE(gui.run({}, {"swept-volume on"}) == "");
  CHECK(violetPixels(gui) > 1000);
  CHECK(sweep.swept()->outer.get() == mesh);
  // Without a number, the accuracy follows from the size: the diagonal of the box is 6.9.
  CHECK(sweep.usualAccuracy() == Approx(0.02 * std::sqrt(48.0)));
  REQUIRE(gui.run({}, {"reverse"}) == "");
  CHECK(sweep.swept() == nullptr);
  CHECK(violetPixels(gui) < 100);
  CHECK_FALSE(action("swept-volume").isChecked());
}

}  // namespace way_out_gui_tests

// Tests the search for a way out in the window: its panel, what is lit, guide points, and swept volumes.
#include <catch2/catch.hpp>

#include <QAction>
#include <QListWidget>
#include <QTest>

#include <fitup/io/read_assembly.h>
#include <fitup/io/track_file.h>
#include <fitup/planning/swept_volume.h>
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

TEST_CASE("guide points are placed by moving the part, which then moves back", "[gui][wayout]") {
  Case open(false);
  WindowSession& gui = open.gui;
  REQUIRE(gui.run({}, {"select cube", "way-out guide"}) == "");
  CHECK(open.wayOut().isPlacingGuide());
  CHECK(open.wayOut().ghosts().size() == 1);  // where the cube was
  CHECK(gui.run({}, {"way-out guide"}).ends_with("a guide point is being placed"));
  CHECK(gui.run({}, {"way-out use-pose"}).ends_with("the parts have not been moved to a guide point yet"));
  REQUIRE(gui.run({}, {"select cube", "move 0 0 5", "way-out use-pose"}) == "");
  CHECK_FALSE(open.wayOut().isPlacingGuide());
  CHECK(open.session().motionOf(open.cube) == RigidMotion{});
  REQUIRE(open.wayOut().guides().size() == 1);
  CHECK(open.wayOut().guides()[0] == RigidMotion{{}, {0, 0, 5}});
  CHECK(open.panel().guides().count() == 1);
  CHECK(open.panel().guides().item(0)->text() == "moved by 0, 0, 5");
  REQUIRE(open.wayOut().ghosts().size() == 1);
  CHECK(open.wayOut().ghosts()[0].kind == WayOut::Ghost::Kind::guide);
  CHECK(open.wayOut().ghosts()[0].at.find(open.cube)->apply({}) == Vec3{0, 0, 5});
  // A second one from elsewhere: guide points keep their places in the world.
  REQUIRE(gui.run({}, {"select cube", "move 0 0 0.05", "way-out guide", "move 0 3 6", "way-out use-pose"}) ==
          "");
  REQUIRE(open.wayOut().guides().size() == 2);
  CHECK(norm(open.wayOut().guides()[1].translation - Vec3{0, 3, 6.05}) < 1e-9);
  CHECK(norm(open.session().motionOf(open.cube).translation - Vec3{0, 0, 0.05}) < 1e-9);
  REQUIRE(gui.run({}, {"way-out again"}) == "");
  REQUIRE(open.wayOut().answer());
  const std::vector<RigidMotion>& asked = open.wayOut().answer()->question.guides;
  REQUIRE(asked.size() == 2);
  CHECK(norm(asked[0].translation - Vec3{0, 0, 4.95}) < 1e-9);
  CHECK(norm(asked[1].translation - Vec3{0, 3, 6}) < 1e-9);
  // Cancelled, the part moves back without a guide point.
  REQUIRE(gui.run({}, {"way-out guide", "move 1 1 1", "way-out cancel-guide"}) == "");
  CHECK(norm(open.session().motionOf(open.cube).translation - Vec3{0, 0, 0.05}) < 1e-9);
  CHECK(open.wayOut().guides().size() == 2);
  open.panel().guides().setCurrentRow(0);
  open.clickButton("Remove");
  REQUIRE(open.wayOut().guides().size() == 1);
  CHECK(norm(open.wayOut().guides()[0].translation - Vec3{0, 3, 6.05}) < 1e-9);
  // They are those of these parts.
  REQUIRE(gui.run({}, {"select bottom", "way-out 1"}) == "");
  CHECK(open.wayOut().guides().empty());
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

// Tests steps, nudges, the section's handle, narrowed checks, mates and methods in the window.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include <QApplication>
#include <QTest>

#include <fitup/io/model_file.h>
#include <fitup_field/field_kinds.h>
#include <models/process_plant.h>
#include <viewer/core/check_scope.h>
#include <viewer/gui/expert_panel.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>

#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace manipulation_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

NodeId spoolOf(WindowSession& gui) { return gui.document.session()->assembly().at(models::spoolPath); }

Vec3 shiftOf(WindowSession& gui) { return gui.document.session()->motionOf(spoolOf(gui)).translation; }

}  // namespace

TEST_CASE("parts are drawn and picked where they stand, while they are dragged and afterwards", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const NodeId spool = spoolOf(gui);
  const Box design = gui.document.session()->worldBounds(std::vector{spool});
  // Counts how often rays from above meet the spool, on a raster over its design placement, shifted.
  const auto seen = [&](const Vec3& shift) {
    int count = 0;
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k < 12; ++k) {
        const Vec3 size = design.max - design.min;
        const Vec3 from = Vec3{design.min.x + size.x * (i + 0.5) / 12, design.min.y + size.y * (k + 0.5) / 12,
                               design.max.z + 1} +
                          shift;
        const auto pick = gui.window.view().presenter().pick({from, {0, 0, -1}});
        count += pick && pick->instance == spool;
      }
    return count;
  };
  const int before = seen({});
  REQUIRE(before > 5);
  const Vec3 away{3000, -8000, 500};
  const auto standsAway = [&] { return seen(away) >= before && seen({}) == 0; };
  const auto standsAsDesigned = [&] { return seen({}) == before && seen(away) == 0; };
  CHECK(standsAsDesigned());

  gui.selectInTree(models::spoolPath);
  REQUIRE(gui.window.drag().begin({spool}));
  gui.window.drag().moveTo({{}, away});
  gui.waitFor(standsAway, "a part that is dragged where it is dragged to");
  gui.window.drag().cancel();
  gui.settle();
  CHECK(standsAsDesigned());
  gui.window.placement().moveBy(away, {});
  gui.settle();
  CHECK(standsAway());
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(standsAsDesigned());
  gui.document.session()->redo();
  gui.settle();
  CHECK(standsAway());

  // Also if it comes from a project.
  const std::filesystem::path project = plant.folder / "away.fitup-project";
  gui.document.saveProject(project, gui.window.view().camera().viewpoint());
  gui.settle();
  gui.open(project);
  CHECK(gui.document.session()->motionOf(spool).translation == away);
  CHECK(standsAway());
}

TEST_CASE("what stopped a part is no news of another one", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.window.drag().setMode(DragMode::stopAtContact);
  gui.selectInTree("process-plant/equipment/tank");
  gui.window.placement().moveBy({0, 0, -400}, {});
  gui.settle();
  REQUIRE(gui.window.drag().stop());
  gui.selectInTree("process-plant/equipment/drum");
  CHECK_FALSE(gui.window.drag().stop());
}

TEST_CASE("a part that is behind the hand says so, and arrives once it is released", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.window.drag().setMode(DragMode::stopAtContact);
  gui.selectInTree(models::spoolPath);
  const StatusLine& status = *gui.window.findChild<StatusLine*>();
  // Lifted from between the flanges, whose limits are found before it moves.
  int behind = 0;
  double highest = 0;
  QObject::connect(&gui.document.check(), &LiveCheck::answered, &gui.window, [&] {
    const DragController& drag = gui.window.drag();
    if (!drag.isActive()) return;
    CHECK(drag.shown().translation.z >= highest);
    highest = drag.shown().translation.z;
    if (!drag.isBehind()) return;
    ++behind;
    CHECK(drag.shown() != drag.wanted());
    CHECK(status.distanceText().contains("on its way"));
  });
  gui.dragArrow(GizmoHandle::moveZ, 400);
  CHECK(behind > 0);
  CHECK_FALSE(gui.window.drag().isActive());
  CHECK_FALSE(status.distanceText().contains("on its way"));
  CHECK_FALSE(gui.window.drag().stop());
  CHECK(shiftOf(gui).z == Approx(400).margin(2));
}

TEST_CASE("drags snap to steps, arrow keys nudge by them", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.selectInTree(models::spoolPath);
  gui.window.drag().setSteps({50, 15}, true);
  gui.dragArrow(GizmoHandle::moveX, 160);
  CHECK(shiftOf(gui) == Vec3{150, 0, 0});
  gui.key(Qt::Key_Z, Qt::ControlModifier);

  SceneView& view = gui.window.view();
  view.look(StandardView::front);
  view.setFocus();
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&view, key, modifiers);
    gui.settle();
  };
  press(Qt::Key_Right);
  press(Qt::Key_Right);
  press(Qt::Key_Up);
  press(Qt::Key_PageUp);
  CHECK(shiftOf(gui) == Vec3{100, 50, 50});
  press(Qt::Key_Left);
  CHECK(shiftOf(gui) == Vec3{50, 50, 50});
  gui.document.session()->undo();
  CHECK(shiftOf(gui) == Vec3{100, 50, 50});
  press(Qt::Key_Up, Qt::ShiftModifier);
  const Quaternion turned = gui.document.session()->motionOf(spoolOf(gui)).rotation;
  CHECK(2 * std::acos(turned.w) * 180 / 3.14159265358979 == Approx(15));
}

TEST_CASE("the section is dragged by its handle, as one change", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  SceneView& view = gui.window.view();
  gui.document.session()->edit("Section", [](SessionState& state) {
    state.sections = {{{1, 0, 0}, 900, true}};
  });
  gui.settle();
  REQUIRE(view.sectionHandles().size() == 1);
  const SectionHandle handle = view.sectionHandles().front();
  const Vec3 grabbed = handle.foot + (handle.tip - handle.foot) * 0.8;
  const auto from = view.widgetPoint(grabbed), to = view.widgetPoint(grabbed + Vec3{400, 0, 0});
  REQUIRE(from);
  REQUIRE(to);
  gui.drag(*from, *to);
  const SectionPlane moved = gui.document.session()->state().sections.at(0);
  CHECK(moved.offset == Approx(1300).margin(10));
  CHECK(moved.normal == Vec3{1, 0, 0});
  CHECK(view.sectionHandles().at(0).foot.x == Approx(moved.offset));
  gui.document.session()->undo();
  CHECK(gui.document.session()->state().sections.at(0).offset == 900);
  gui.document.session()->undo();
  CHECK(view.sectionHandles().empty());
}

TEST_CASE("a check is narrowed to some parts, in table and distance", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const int all = gui.window.table().model().count();
  const Assembly& assembly = gui.document.session()->assembly();
  const NodeId tank = assembly.at("process-plant/equipment/tank");
  gui.document.session()->edit("Check these parts only", [&](SessionState& state) {
    state.rules.check = checkSetsOf(assembly, {tank}, CheckScope::withSelected);
  });
  gui.settle();
  InterferenceModel& model = gui.window.table().model();
  CHECK(model.count() < all);
  for (int i = 0; i < model.count(); ++i) CHECK((model.finding(i).a == tank || model.finding(i).b == tank));
  gui.selectInTree(models::spoolPath);
  REQUIRE(gui.document.check().answer().nearest);
  CHECK(gui.document.check().answer().nearest->b == tank);
  gui.document.session()->undo();
  gui.settle();
  CHECK(model.count() == all);
}

TEST_CASE("a mate is offered when faces come close, and joining snaps them", "[gui]") {
  const TemporaryFolder folder;
  Model room;
  const PartId slab = room.assembly.addPart(sixSidedBox(1, 10, 10)),
               cube = room.assembly.addPart(sixSidedBox(1, 1, 1));
  room.assembly.addNode("wall", Transform::translation({5.5, 0, 0}), {}, slab);
  const NodeId box = room.assembly.addNode("box", {}, {}, cube);
  room.collisionModels = buildCollisionModels(room.assembly);
  writeModelFile(folder / "room.fitup", room);
  WindowSession gui;
  gui.open(folder / "room.fitup");
  gui.document.select({box});
  gui.settle();
  REQUIRE(gui.window.drag().begin({box}));
  gui.window.drag().moveTo({{}, {4.49, 0, 0}});
  gui.waitFor([&] { return gui.window.mates().current() != nullptr; }, "a mate");
  CHECK(gui.window.mates().text().contains("wall"));
  gui.key(Qt::Key_J);
  CHECK_FALSE(gui.window.drag().isActive());
  CHECK(gui.document.session()->motionOf(box).translation.x == Approx(4.5));
  CHECK(gui.document.session()->history().undoLabel() == "Mate box");
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(gui.document.session()->state().motions.empty());

  // Also for a part that was released near it.
  REQUIRE(gui.window.drag().begin({box}));
  gui.window.drag().moveTo({{}, {4.49, 0, 0}});
  gui.window.drag().finish();
  gui.waitFor([&] { return gui.window.mates().current() != nullptr; }, "a mate");
  gui.window.mates().accept();
  CHECK(gui.document.session()->motionOf(box).translation.x == Approx(4.5));
}

TEST_CASE("hierarchies are built on demand and tell the same findings", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const int rows = gui.window.table().model().count();
  const QueryStats wide = gui.document.check().answer().report->stats;
  for (const HierarchyKind kind : {HierarchyKind::scd, field::obb}) {
    gui.window.expert().chooseHierarchy(kind);
    gui.settle();
    CHECK(gui.document.check().settings().hierarchy == kind);
    CHECK(gui.window.table().model().count() == rows);
    CHECK_FALSE(gui.document.check().answer().report->stats == wide);
  }
  CheckSettings settings = gui.document.check().settings();
  settings.hierarchy = HierarchyKind::scd;
  gui.document.check().setSettings(settings);
  gui.settle();
  const QueryStats on = gui.document.check().answer().report->stats;
  settings.overlapBox = OverlapBoxSetting::off;
  gui.document.check().setSettings(settings);
  gui.settle();
  CHECK(gui.document.check().answer().report->stats.boxUpdates > on.boxUpdates);
  CHECK(gui.window.table().model().count() == rows);
  gui.document.select({spoolOf(gui)});
  gui.settle();
  const QImage before = gui.window.view().grabFramebuffer();
  gui.window.expert().showBoxes(2);
  gui.settle();
  CHECK(gui.window.view().grabFramebuffer() != before);
  gui.window.expert().showBoxes(std::nullopt);
  gui.settle();
  CHECK(gui.window.view().grabFramebuffer() == before);
}

namespace {

/// A wall at x = 5, two boxes of side 1, and the poses at which a drag is shown.
struct Room {
  TemporaryFolder folder;
  NodeId box{}, other{};
  WindowSession gui;
  std::set<double> shownAt;

  Room() {
    Model room;
    const PartId slab = room.assembly.addPart(sixSidedBox(1, 10, 10)),
                 cube = room.assembly.addPart(sixSidedBox(1, 1, 1));
    room.assembly.addNode("wall", Transform::translation({5.5, 0, 0}), {}, slab);
    box = room.assembly.addNode("box", {}, {}, cube);
    other = room.assembly.addNode("other", Transform::translation({0, 0, 20}), {}, cube);
    room.collisionModels = buildCollisionModels(room.assembly);
    writeModelFile(folder / "room.fitup", room);
    gui.open(folder / "room.fitup");
    QObject::connect(&drag(), &DragController::moved, &gui.window,
                     [this] { shownAt.insert(drag().shown().translation.x); });
  }
  DragController& drag() { return gui.window.drag(); }
  double at(NodeId node) { return gui.document.session()->motionOf(node).translation.x; }
};

}  // namespace

TEST_CASE("a drag keeps the mode that it began with", "[gui]") {
  Room room;
  for (const DragMode mode : {DragMode::detect, DragMode::stopAtContact}) {
    room.drag().setMode(mode);
    REQUIRE(room.drag().begin({room.box}));
    room.drag().moveTo({{}, {2, 0, 0}});
    room.drag().setMode(mode == DragMode::detect ? DragMode::stopAtContact : DragMode::detect);
    room.drag().moveTo({{}, {9, 0, 0}});
    room.drag().finish();
    room.gui.waitFor([&] { return !room.drag().isActive(); }, "the drag's end");
    CHECK(room.at(room.box) == (mode == DragMode::detect ? Approx(9) : Approx(4.5).margin(0.02)));
    room.gui.document.session()->undo();
    room.gui.settle();
  }
}

TEST_CASE("answers of a drag that was given up do not move the next one", "[gui]") {
  Room room;
  room.drag().setMode(DragMode::stopAtContact);
  for (int round = 0; round < 20; ++round) {
    REQUIRE(room.drag().begin({room.box}));
    room.drag().moveTo({{}, {-3, 0, 0}});
    room.drag().cancel();
    REQUIRE(room.drag().begin({room.other}));
    room.shownAt.clear();
    room.drag().moveTo({{}, {0.5, 0, 0}});
    room.drag().finish();
    room.gui.waitFor([&] { return !room.drag().isActive(); }, "the drag's end");
    // On a busy machine, the part may be shown on its way.
    CHECK(*room.shownAt.begin() >= 0);
    CHECK(*room.shownAt.rbegin() == 0.5);
    CHECK(room.at(room.other) == Approx(0.5));
    room.gui.document.session()->undo();
    room.gui.settle();
  }
}

TEST_CASE("a drag ends where it was to go, whatever is selected or set meanwhile", "[gui]") {
  Room room;
  room.drag().setMode(DragMode::stopAtContact);
  REQUIRE(room.drag().begin({room.box}));
  room.drag().moveTo({{}, {3, 0, 0}});
  room.drag().finish();
  room.gui.document.select({room.other});
  CheckSettings settings = room.gui.document.check().settings();
  settings.mode = QueryMode::allTrianglePairs;
  room.gui.document.check().setSettings(settings);
  room.gui.waitFor([&] { return !room.drag().isActive(); }, "the drag's end");
  CHECK(room.at(room.box) == Approx(3));
  room.gui.settle();
  CHECK_FALSE(room.gui.document.check().isChecking());
}

TEST_CASE("a drag is given up when something else moves parts", "[gui]") {
  Room room;
  room.drag().setMode(DragMode::stopAtContact);
  REQUIRE(room.drag().begin({room.box}));
  room.drag().moveTo({{}, {3, 0, 0}});
  room.gui.document.session()->move(std::vector{room.box}, {{}, {0, 7, 0}},
                                    "Move");  // like a motion that plays
  CHECK_FALSE(room.drag().isActive());
  room.gui.settle();
  CHECK(room.gui.document.session()->motionOf(room.box).translation == Vec3{0, 7, 0});
  CHECK(room.gui.document.session()->history().undoLabel() == "Move");
  // Other edits do not affect it.
  REQUIRE(room.drag().begin({room.box}));
  room.drag().moveTo({{}, {1, 0, 0}});
  room.gui.document.session()->edit("Section", [](SessionState& state) {
    state.sections = {{{1, 0, 0}, 900, true}};
  });
  CHECK(room.drag().isActive());
  room.drag().finish();
  room.gui.waitFor([&] { return !room.drag().isActive(); }, "the drag's end");
  CHECK(room.at(room.box) == Approx(1));
}

}  // namespace manipulation_tests

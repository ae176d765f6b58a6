// Tests that a drag of a part stays one, ends with Esc, and that selected parts look selected.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QTest>

#include <fitup/io/model_file.h>
#include <models/process_plant.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace dragging_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

bool isSameView(const Viewpoint& a, const Viewpoint& b) {
  return a.eye == b.eye && a.target == b.target && a.up == b.up;
}

/// Two boxes of side 4 without neighbours, in stop at contact.
struct Bench : TwoBoxes {
  Bench() : TwoBoxes({}, shift(0, 20, 0)) { gui.window.drag().setMode(DragMode::stopAtContact); }
  DragController& drag() { return gui.window.drag(); }
  Vec3 shiftOf(NodeId node) { return motionOf(node).translation; }
  const Viewpoint& viewpoint() { return gui.window.view().camera().viewpoint(); }
  /// A point of the view at which a part is visible, away from the handles.
  QPointF pointOn(NodeId node) {
    SceneView& view = gui.window.view();
    const double ratio = view.devicePixelRatioF();
    for (int y = 0; y < view.height(); y += 4)
      for (int x = 0; x < view.width(); x += 4) {
        const auto pick = view.presenter().pick(view.camera().ray({x * ratio, y * ratio}));
        const auto& gizmo = view.gizmo();
        const bool isHandle = gizmo && gizmo->handleAt(view.camera(), {x * ratio, y * ratio}, 15 * ratio);
        if (pick && pick->instance == node && !isHandle) return QPointF(x, y);
      }
    FAIL("the part is not seen");
    return {};
  }
  /// The points of the view at the tip of an arrow, and this much further along it.
  std::pair<QPointF, QPointF> along(GizmoHandle handle, double way) {
    const auto gizmo = gui.window.view().gizmo();
    REQUIRE(gizmo);
    const Vec3 grabbed = gizmo->centre + gizmo->axisOf(handle) * (0.8 * gizmo->size);
    return {gui.window.view().widgetPoint(grabbed).value(),
            gui.window.view().widgetPoint(grabbed + gizmo->axisOf(handle) * way).value()};
  }
};

}  // namespace

TEST_CASE("a drag that begins while the part still arrives waits, and turns no camera", "[gui][drags]") {
  Bench bench;
  bench.gui.selectInTree("a");
  const Viewpoint before = bench.viewpoint();
  const bool isByHandle = GENERATE(true, false);
  const bool isReleasedEarly = GENERATE(true, false);
  CAPTURE(isByHandle, isReleasedEarly);
  // The answer comes in the event loop, so the first drag is still arriving until events are processed.
  REQUIRE(bench.drag().begin({bench.a}));
  bench.drag().moveTo({{}, {3, 0, 0}});
  bench.drag().finish();
  REQUIRE(bench.drag().isArriving());
  const auto [from, to] = isByHandle
                              ? bench.along(GizmoHandle::moveZ, 5)
                              : std::pair(bench.pointOn(bench.a), bench.pointOn(bench.a) + QPointF(60, 0));
  Hand hand(bench.gui);
  hand.press(from);
  hand.move((from + to) / 2);
  hand.move(to);
  REQUIRE(bench.drag().isArriving());
  CHECK(bench.drag().hasWaiting());
  if (isReleasedEarly) hand.release(to);
  bench.gui.waitFor([&] { return !bench.drag().hasWaiting(); }, "the end of the first drag");
  if (!isReleasedEarly) {
    CHECK(bench.shiftOf(bench.a) == Vec3{3, 0, 0});  // it arrived, and the next drag goes on
    CHECK(bench.drag().isActive());
    hand.release(to);
  }
  bench.gui.settle();
  const Vec3 moved = bench.shiftOf(bench.a) - Vec3{3, 0, 0};
  if (isByHandle) {
    CHECK(moved.z == Approx(5).margin(0.05));
    CHECK(std::abs(moved.x) + std::abs(moved.y) < 1e-9);
  } else {
    CHECK(norm(moved) > 0.5);
  }
  CHECK(isSameView(bench.viewpoint(), before));
  CHECK(bench.gui.document.selection() == std::set{bench.a});
  // Two changes.
  bench.gui.document.session()->undo();
  CHECK(bench.shiftOf(bench.a) == Vec3{3, 0, 0});
}

TEST_CASE("a turn that waits is about where the part arrives", "[gui][drags]") {
  Bench bench;
  REQUIRE(bench.drag().begin({bench.a}));
  bench.drag().moveTo({{}, {30, 0, 0}});
  bench.drag().finish();
  REQUIRE(bench.drag().isArriving());
  const Vec3 centre = bench.drag().centreOf(std::vector{bench.a});
  REQUIRE(bench.drag().begin({bench.a}));
  const AxisTurn turn{centre, {0, 0, 1}, 90, 0};
  bench.drag().moveTo(turn.at(1), turn);
  bench.drag().finish();
  bench.gui.settle();
  const Vec3 at = bench.gui.document.session()->worldBounds(std::vector{bench.a}).centre();
  CHECK(norm(at - Vec3{30, 0, 0}) < 1e-6);
  CHECK(bench.gui.document.session()->motionOf(bench.a).rotation != Quaternion{});
}

TEST_CASE("nudges in quick succession all count", "[gui][drags]") {
  Bench bench;
  bench.gui.selectInTree("a");
  bench.gui.window.view().look(StandardView::front);
  for (int i = 0; i < 20; ++i) QTest::keyClick(&bench.gui.window.view(), Qt::Key_Up);
  bench.gui.settle();
  CHECK(norm(bench.shiftOf(bench.a)) == Approx(20 * bench.drag().steps().distance));
}

TEST_CASE("Esc ends a drag, wherever the keys go", "[gui][drags]") {
  Bench bench;
  const DragMode mode = GENERATE(DragMode::off, DragMode::detect, DragMode::stopAtContact);
  bench.drag().setMode(mode);
  bench.gui.selectInTree("a");
  const Viewpoint before = bench.viewpoint();
  const auto [from, to] = bench.along(GizmoHandle::moveZ, 5);
  Hand hand(bench.gui);
  QWidget* const focus = GENERATE(0, 1) == 0 ? static_cast<QWidget*>(&bench.gui.window.view())
                                             : bench.gui.window.placement().findChild<NumberField*>();
  hand.press(from);
  hand.move((from + to) / 2);
  hand.move(to);
  REQUIRE(bench.drag().isActive());
  QTest::keyClick(focus, Qt::Key_Escape);
  CHECK_FALSE(bench.drag().isActive());
  // The button is still held: the mouse does nothing until it is released.
  hand.move(from);
  hand.move(to + QPointF(80, 40));
  hand.release(to + QPointF(80, 40));
  bench.gui.settle();
  CHECK(bench.shiftOf(bench.a) == Vec3{});
  CHECK(isSameView(bench.viewpoint(), before));
  CHECK(bench.gui.document.selection() == std::set{bench.a});
  CHECK_FALSE(bench.gui.document.session()->history().canUndo());

  // With a drag that waits, both end.
  bench.drag().setMode(DragMode::stopAtContact);
  REQUIRE(bench.drag().begin({bench.a}));
  bench.drag().moveTo({{}, {3, 0, 0}});
  bench.drag().finish();
  hand.press(from);
  hand.move(to);
  REQUIRE(bench.drag().hasWaiting());
  QTest::keyClick(focus, Qt::Key_Escape);
  hand.release(to);
  bench.gui.settle();
  CHECK(bench.shiftOf(bench.a) == Vec3{});
}

TEST_CASE("a click selects while another part still arrives", "[gui][drags]") {
  Bench bench;
  bench.gui.selectInTree("a");
  const QPointF onB = bench.pointOn(bench.b);
  REQUIRE(bench.drag().begin({bench.a}));
  bench.drag().moveTo({{}, {3, 0, 0}});
  bench.drag().finish();
  Hand hand(bench.gui);
  hand.press(onB);
  hand.release(onB);
  CHECK(bench.gui.document.selection() == std::set{bench.b});
  bench.gui.settle();
  CHECK(bench.shiftOf(bench.a) == Vec3{3, 0, 0});
}

TEST_CASE("a selected part looks selected where all of its faces are highlighted", "[gui][drags]") {
  const TemporaryFolder folder;
  Model model;
  const auto add = [&](const char* name, double side, const Transform& at) {
    return model.assembly.addNode(
        name, at, {}, model.assembly.addPart(withDeflection(sixSidedBox(side, side, side), 0.01)));
  };
  add("house", 10, {});
  const NodeId lost = add("lost", 3, {});  // inside, so that all of its faces are red
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "house.fitup", model);
  WindowSession gui;
  gui.open(folder / "house.fitup");
  REQUIRE(gui.redPixels() > 500);
  SceneView& view = gui.window.view();
  // The blue of the outline, of which the picture has none before: number of pixels, and their middle.
  const auto blue = [&] {
    const QImage picture = view.grabFramebuffer();
    int count = 0;
    double sum = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor c = picture.pixelColor(x, y);
        if (!(c.blue() > 220 && c.red() < 60 && c.green() > 80 && c.green() < 125)) continue;
        ++count;
        sum += x;
      }
    return std::pair(count, count > 0 ? sum / count : 0);
  };
  REQUIRE(blue().first == 0);
  gui.selectInTree("lost");
  const auto [count, middle] = blue();
  CHECK(count > 100);
  // The outline follows a drag, and is not shown of parts that are hidden.
  REQUIRE(gui.window.drag().begin({lost}));
  gui.window.drag().moveTo({{}, {1, 0, 0}});
  CHECK(blue().second > middle + 5);
  gui.window.drag().cancel();
  gui.settle();
  CHECK(std::abs(blue().second - middle) < 2);
  gui.key(Qt::Key_H);
  gui.selectInTree("lost");
  CHECK(blue().first == 0);
}

TEST_CASE("a part slides along what it touches, and a key lets it stop there during the drag",
          "[gui][slide]") {
  TwoBoxes boxes({}, shift(6, 0, 0));
  REQUIRE(boxes.gui.run({}, {"verdicts on", "tolerance 0.1", "mode slide", "slide-turns off", "view front"})
              .empty());
  boxes.gui.selectInTree("a");
  Hand hand(boxes.gui);
  const auto at = [&](double x, double z) { return boxes.view().widgetPoint({x, 0, z}).value(); };
  const QPointF into = at(4, 2.5), further = at(4, 3.7);
  hand.press(at(0, 0));
  hand.move(at(0.5, 0.5));
  hand.move(into);
  boxes.gui.waitFor([&] { return boxes.view().dragNote() == "slides on b"; }, "the slide");
  const auto shownAt = [&] { return boxes.gui.window.drag().shown().translation; };
  boxes.gui.waitFor([&] { return !boxes.gui.window.drag().isBehind(); }, "arrival");
  CHECK(shownAt().x == Approx(2).margin(0.15));
  CHECK(shownAt().z == Approx(2.5).margin(0.1));
  CHECK_FALSE(boxes.gui.window.drag().holding().empty());
  CHECK(boxes.gui.window.drag().shown().rotation == Quaternion{});
  // It stops from here on, and slides again.
  boxes.gui.tap(Qt::Key_3, Qt::ControlModifier);
  hand.move(further);
  boxes.gui.waitFor([&] { return boxes.view().dragNote() == "stopped by b"; }, "the stop");
  CHECK(shownAt().z == Approx(2.5).margin(0.2));
  boxes.gui.tap(Qt::Key_S);
  boxes.gui.waitFor([&] { return shownAt().z > 3.6; }, "the slide to go on");
  hand.release(further);
  boxes.gui.settle();
  CHECK(boxes.motionOf(boxes.a).translation.x == Approx(2).margin(0.15));
  CHECK(boxes.motionOf(boxes.a).translation.z == Approx(3.7).margin(0.1));
  // One change takes it all back.
  REQUIRE(boxes.gui.run({}, {"undo"}).empty());
  CHECK(boxes.motionOf(boxes.a) == RigidMotion{});
}

}  // namespace dragging_tests

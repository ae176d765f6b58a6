// Tests the handles of the selection in the window: what is dragged, typed, hidden and put elsewhere.
#include <catch2/catch.hpp>
#include <cmath>

#include <QApplication>
#include <QFocusEvent>
#include <QTest>

#include <viewer/gui/scene_view.h>

#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace gizmo_window_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A box of side 4 that is turned by 30 degrees about z, and one beside it.
struct Bench : TwoBoxes {
  Bench() : TwoBoxes(Transform::rotation({0, 0, 1}, 0.5235987755982988), shift(0, 20, 0)) {
    gui.selectInTree("a");
  }
  Gizmo gizmo() {
    REQUIRE(view().gizmo());
    return *view().gizmo();
  }
  RigidMotion motion() { return motionOf(a); }
  /// On the shaft of an arrow, in a square, on a ring.
  QPointF on(GizmoHandle handle) {
    const std::vector<Vec3> line = gizmo().outline(handle);
    const Vec3 at = turns(handle)         ? line[5]
                    : movesAcross(handle) ? 0.5 * (line[0] + line[2])
                                          : 0.2 * line.front() + 0.8 * line.back();
    return view().widgetPoint(at).value();
  }
  /// A click after which the drag may go on.
  void clickHandle(GizmoHandle handle) {
    const QPointF at = on(handle);
    Hand hand(gui);
    hand.press(at);
    hand.release(at);
  }
  void type(const char* keys) { QTest::keyClicks(&view(), QString::fromLatin1(keys)); }
  void press(Qt::Key key) {
    QTest::keyClick(&view(), key);
    gui.settle();
  }
};

}  // namespace

TEST_CASE("the squares and the centre move parts in planes", "[gui][gizmo]") {
  Bench bench;
  const QPointF square = bench.on(GizmoHandle::acrossZ);
  bench.gui.drag(square, square + QPointF(40, 10));
  CHECK(std::abs(bench.motion().translation.z) < 1e-9);
  CHECK(norm(bench.motion().translation) > 0.1);
  bench.gui.key(Qt::Key_Z, Qt::ControlModifier);
  const QPointF centre = bench.on(GizmoHandle::centre);
  bench.gui.drag(centre, centre + QPointF(30, -20));
  const Vec3 moved = bench.motion().translation;
  CHECK(norm(moved) > 0.1);
  CHECK(std::abs(dot(moved, bench.view().camera().forward())) < 1e-9);
}

TEST_CASE("how far a part has come is beside the cursor, and a number takes it there", "[gui][gizmo]") {
  Bench bench;
  CHECK(bench.view().displacementText().isEmpty());
  Hand hand(bench.gui);
  const QPointF from = bench.on(GizmoHandle::moveX);
  hand.press(from);
  hand.move(from + QPointF(20, 0));
  hand.move(from + QPointF(40, 5));
  CHECK(bench.view().displacementText().endsWith("mm"));
  CHECK(bench.view().displacementText().toDouble() == 0);  // it is no bare number
  // Digits are shortcuts of views otherwise, and a comma is a dot.
  const Vec3 sight = bench.view().camera().forward();
  bench.type("-1,25");
  CHECK(bench.view().displacementText() == "-1.25| mm");
  hand.move(from + QPointF(90, 5));  // no longer counts
  bench.press(Qt::Key_Return);
  CHECK(bench.view().camera().forward() == sight);
  CHECK(norm(bench.motion().translation - Vec3{-1.25, 0, 0}) < 1e-9);
  CHECK_FALSE(bench.gui.window.drag().isActive());
  hand.release(from + QPointF(90, 5));
  bench.gui.settle();
  CHECK(norm(bench.motion().translation - Vec3{-1.25, 0, 0}) < 1e-9);
  CHECK(bench.view().displacementText().isEmpty());
  bench.gui.key(Qt::Key_2);  // now it is a shortcut
  CHECK_FALSE(bench.view().camera().forward() == sight);
}

TEST_CASE("after a click on a handle, a number moves or turns the part", "[gui][gizmo]") {
  Bench bench;
  bench.clickHandle(GizmoHandle::moveZ);
  CHECK_FALSE(bench.view().displacementText().isEmpty());
  bench.type("77");
  QTest::keyClick(&bench.view(), Qt::Key_Backspace);
  bench.press(Qt::Key_Return);
  CHECK(norm(bench.motion().translation - Vec3{0, 0, 7}) < 1e-9);
  CHECK(bench.gui.document.selection() == std::set<NodeId>{bench.a});
  bench.gui.key(Qt::Key_Z, Qt::ControlModifier);

  const Vec3 centre = bench.gizmo().centre;
  bench.clickHandle(GizmoHandle::turnZ);
  bench.type("90");
  bench.press(Qt::Key_Return);
  CHECK(bench.motion().rotation.z == Approx(std::sqrt(0.5)));
  CHECK(norm(bench.motion().transform().apply(centre) - centre) < 1e-9);
  bench.gui.key(Qt::Key_Z, Qt::ControlModifier);

  // Without a number, and with Esc, nothing moves; a click elsewhere takes the number.
  bench.clickHandle(GizmoHandle::moveZ);
  bench.press(Qt::Key_Return);
  bench.clickHandle(GizmoHandle::moveZ);
  bench.type("5");
  bench.press(Qt::Key_Escape);
  CHECK(norm(bench.motion().translation) < 1e-9);
  CHECK(bench.gui.document.selection() == std::set<NodeId>{bench.a});
  bench.clickHandle(GizmoHandle::moveZ);
  bench.type("3");
  bench.gui.click({5, 5});
  CHECK(norm(bench.motion().translation - Vec3{0, 0, 3}) < 1e-9);
}

TEST_CASE("a number that is typed ends when the keys go elsewhere", "[gui][gizmo]") {
  Bench bench;
  for (const char* typed : {"", "4"}) {
    bench.clickHandle(GizmoHandle::moveZ);
    CHECK(bench.gui.window.drag().isActive());
    bench.type(typed);
    QFocusEvent leaves(QEvent::FocusOut, Qt::TabFocusReason);
    QApplication::sendEvent(&bench.view(), &leaves);
    bench.gui.settle();
    CHECK_FALSE(bench.gui.window.drag().isActive());
    CHECK(bench.view().displacementText().isEmpty());
    CHECK(norm(bench.motion().translation - Vec3{0, 0, typed[0] == '4' ? 4.0 : 0.0}) < 1e-9);
  }
}

TEST_CASE("a number that is typed stops at contact too", "[gui][gizmo]") {
  Bench bench;
  bench.gui.window.drag().setMode(DragMode::stopAtContact);
  bench.clickHandle(GizmoHandle::moveY);
  bench.type("19");
  bench.press(Qt::Key_Return);
  const double moved = bench.motion().translation.y;
  const double reach = 2 * std::sqrt(2.0) * std::cos(0.2617993877991494);  // of the turned box along y
  CHECK(moved > 18 - reach - 0.2);
  CHECK(moved <= 18 - reach + 0.05);  // contact to within the tolerance
}

TEST_CASE("handles follow the axes of the part, and are hidden by a key", "[gui][gizmo]") {
  Bench bench;
  CHECK(bench.gizmo().axes == worldAxes);
  bench.gui.key(Qt::Key_Q, Qt::ShiftModifier);
  CHECK(norm(bench.gizmo().axes[0] - Vec3{std::sqrt(0.75), 0.5, 0}) < 1e-9);
  bench.gui.dragArrow(GizmoHandle::moveX, 1);
  CHECK(norm(cross(bench.motion().translation, bench.gizmo().axes[0])) < 1e-9);
  CHECK(norm(bench.motion().translation) > 0.1);
  bench.gui.key(Qt::Key_Q);
  CHECK_FALSE(bench.view().gizmo());
  bench.gui.key(Qt::Key_Q);
  CHECK(bench.view().gizmo());
}

TEST_CASE("parts turn about an edge or a corner that was clicked", "[gui][gizmo]") {
  Bench bench;
  const Vec3 corner = bench.gui.document.session()->worldFromPart(bench.a).apply({2, -2, 2});
  bench.gui.key(Qt::Key_U);
  CHECK_FALSE(bench.view().gizmo());  // it would be in the way
  const QPointF at = bench.view().widgetPoint(corner).value();
  // The corners of a part are found in the background when the cursor comes near.
  bench.gui.waitFor(
      [&] {
        Hand hand(bench.gui);
        hand.press(at);
        hand.release(at);
        return !bench.view().interaction().isPlacingPivot();
      },
      "the pivot");
  CHECK(norm(bench.gizmo().centre - corner) < 0.3);
  REQUIRE(bench.gui.run({}, {"select a", "pivot 1 2 3 0 0 -2"}).empty());
  CHECK(norm(bench.gizmo().centre - Vec3{1, 2, 3}) < 1e-9);
  CHECK(norm(bench.gizmo().axes[2] - Vec3{0, 0, -1}) < 1e-9);
  bench.clickHandle(GizmoHandle::turnZ);
  bench.type("180");
  bench.press(Qt::Key_Return);
  CHECK(norm(bench.motion().transform().apply({1, 2, 3}) - Vec3{1, 2, 3}) < 1e-9);
  CHECK(std::abs(bench.motion().rotation.z) == Approx(1));
  bench.gui.key(Qt::Key_U, Qt::ShiftModifier);
  CHECK(norm(bench.gizmo().centre - Vec3{2, 4, 0}) < 1e-6);
  REQUIRE(bench.gui.run({}, {"pivot 1 2 3", "select b", "select a"}).empty());
  CHECK(norm(bench.gizmo().centre - Vec3{2, 4, 0}) < 1e-6);  // another selection, another place
  CHECK(bench.gui.run({}, {"pivot 1 2"}).find("three or six") != std::string::npos);
  CHECK_FALSE(bench.gui.run({}, {"pivot 1 2 3 0 0 0"}).empty());
  bench.gui.key(Qt::Key_U);
  CHECK(bench.view().interaction().isPlacingPivot());
  bench.press(Qt::Key_Escape);
  CHECK_FALSE(bench.view().interaction().isPlacingPivot());
}

}  // namespace gizmo_window_tests

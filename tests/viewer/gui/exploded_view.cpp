// Tests the exploded view in the window: what is drawn and picked, and what it refuses and leaves as it is.
#include <catch2/catch.hpp>

#include <QLabel>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>

#include <fitup/io/model_file.h>
#include <viewer/core/section_planes.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>
#include <viewer/gui/status_line.h>

#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace exploded_view_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A plate with a pin in it, and a nut on the pin's lower end that clashes with the plate.
struct Pinned {
  Pinned() {
    Model model;
    model.assembly = Assembly("pinned");
    const auto add = [&](const char* name, const MeshPtr& mesh, const Vec3& place) {
      return model.assembly.addNode(name, Transform::translation(place), {}, model.assembly.addPart(mesh));
    };
    plate = add("plate", sixSidedBox(40, 40, 4), {});
    pin = add("pin", sixSidedBox(4, 4, 14), {8, 6, 1});
    nut = add("nut", sixSidedBox(10, 10, 4), {8, 6, -3.5});
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "pinned.fitup", model);
    gui.open(folder / "pinned.fitup");
  }
  SceneView& view() { return gui.window.view(); }
  std::optional<Pick> pickAbove(double x, double y) {
    return view().presenter().pick({{x, y, 100}, {0, 0, -1}});
  }
  QImage picture() {
    view().finishDrawing();
    return view().grabFramebuffer();
  }
  QString message() { return gui.window.statusLine().currentMessage(); }
  void explode(const char* fraction) {
    CHECK(gui.run({}, {std::string("explode ") + fraction}) == "");
    gui.settle();
  }

  TemporaryFolder folder;
  NodeId plate{}, pin{}, nut{};
  WindowSession gui;
};

}  // namespace

TEST_CASE("the exploded view draws and picks parts elsewhere and changes nothing else", "[gui]") {
  Pinned parts;
  const SessionState before = parts.gui.document.session()->state();
  const std::size_t findings = parts.gui.window.table().model().count();
  REQUIRE(findings > 0);
  parts.gui.window.view().frameAll();
  const QImage assembled = parts.picture();
  REQUIRE(parts.pickAbove(8, 6)->instance == parts.pin);
  REQUIRE(parts.pickAbove(8, 6)->point.z == Approx(8));

  parts.gui.key(Qt::Key_E, Qt::ShiftModifier);
  CHECK(parts.view().exploded().isVisible());
  CHECK(parts.view().exploded().fraction() == 1);
  const QImage far = parts.picture();
  CHECK(far != assembled);
  // The pin stands on top of the plate, a little further from the middle.
  const Poses drawn = parts.view().presenter().drawnPoses();
  const Vec3 at = drawn.find(parts.pin)->apply(Vec3{});
  const Scene& scene = parts.gui.document.session()->scene();
  CHECK(scene.worldBounds(parts.pin, drawn).min.z > scene.worldBounds(parts.plate, drawn).max.z);
  CHECK(scene.worldBounds(parts.nut, drawn).max.z < scene.worldBounds(parts.plate, drawn).min.z);
  const auto pick = parts.pickAbove(at.x, at.y);
  REQUIRE(pick);
  CHECK(pick->instance == parts.pin);
  CHECK(pick->point.z == Approx(at.z + 7));
  // A click selects what is drawn there.
  parts.gui.click(parts.view().widgetPoint(pick->point).value());
  CHECK(parts.gui.document.selection() == std::set<NodeId>{parts.pin});
  CHECK_FALSE(parts.view().gizmo());

  CHECK(parts.gui.document.session()->state() == before);
  CHECK_FALSE(parts.gui.document.isModified());
  CHECK(parts.gui.window.table().model().count() == static_cast<int>(findings));

  // The slider moves parts gradually, and the key goes back.
  parts.view().exploded().slider().setValue(100);
  CHECK(parts.view().exploded().fraction() == 0.5);
  const Vec3 half = parts.view().presenter().drawnPoses().find(parts.pin)->apply(Vec3{});
  CHECK(norm(half - 0.5 * (at + Vec3{8, 6, 1})) < 1e-9);
  parts.gui.key(Qt::Key_E, Qt::ShiftModifier);
  CHECK_FALSE(parts.view().exploded().isVisible());
  CHECK(parts.pickAbove(8, 6)->point.z == Approx(8));
  CHECK(parts.view().gizmo());
  parts.gui.document.select({});
  QTest::qWait(400);  // pictures while something moves are coarser
  CHECK(parts.picture() == assembled);
  // The key returns to the last fraction, the button of the panel to 0.
  parts.gui.key(Qt::Key_E, Qt::ShiftModifier);
  CHECK(parts.view().exploded().fraction() == 0.5);
  QTest::mouseClick(parts.view().exploded().findChild<QToolButton*>(), Qt::LeftButton);
  CHECK_FALSE(parts.view().presenter().isExploded());
  CHECK_FALSE(parts.gui.window.commands().action("explode").isChecked());
}

TEST_CASE("an exploded view refuses to drag, measure and cut, and says why", "[gui]") {
  Pinned parts;
  CHECK(parts.gui.run({}, {"measure pin", "measure plate", "section z 0.5", "measuring on"}) == "");
  parts.gui.settle();
  REQUIRE(parts.view().measuredNumbers().size() == 1);
  REQUIRE(parts.view().sectionHandles().size() == 1);
  parts.explode("1");
  CHECK(parts.view().measuredNumbers().empty());
  CHECK(parts.view().sectionHandles().empty());
  CHECK_FALSE(parts.gui.window.measure().isActive());
  CHECK_FALSE(parts.gui.window.section().isEnabled());
  const Vec3 at = parts.view().presenter().drawnPoses().find(parts.pin)->apply(Vec3{});
  CHECK(parts.pickAbove(at.x, at.y)->point.z == Approx(at.z + 7));  // not cut
  CHECK(parts.view().presenter().caps().caps().faces().empty());

  parts.gui.document.select({parts.pin});
  parts.view().frameAll();
  const QPointF top = parts.gui.pointOn(parts.pin, SurfaceId{5});
  const Viewpoint eye = parts.view().camera().viewpoint();
  parts.gui.drag(top, top + QPointF(60, 30));
  CHECK(parts.message().contains("dragged"));
  CHECK(parts.view().camera().viewpoint() == eye);
  parts.gui.window.statusLine().clearMessage();
  parts.view().setFocus();
  QTest::keyClick(&parts.view(), Qt::Key_Right);
  CHECK(parts.message().contains("dragged"));
  CHECK(parts.gui.document.session()->state().motions.empty());
  for (const Qt::Key key : {Qt::Key_R, Qt::Key_C, Qt::Key_B}) {
    parts.gui.window.statusLine().clearMessage();
    const SessionState before = parts.gui.document.session()->state();
    parts.gui.key(key);
    CHECK(parts.message().contains("exploded"));
    CHECK(parts.gui.document.session()->state() == before);
    CHECK_FALSE(parts.gui.window.measure().isActive());
  }
  CHECK(parts.gui.run({}, {"section x 1"}).find("exploded") != std::string::npos);
  CHECK(parts.gui.run({}, {"explode 1.5"}).find("0 to 1") != std::string::npos);

  parts.explode("0");
  CHECK(parts.view().measuredNumbers().size() == 1);
  CHECK(parts.view().sectionHandles().size() == 1);
  CHECK(parts.gui.window.section().isEnabled());
  CHECK(parts.view().presenter().caps().caps().faces().size() == 1);
  CHECK(parts.gui.run({}, {"explode 1", "section off"}) == "");  // nothing is to be seen for it
}

TEST_CASE("a finding keeps its faces in an exploded view but not its lines", "[gui]") {
  Pinned parts;
  CHECK(parts.gui.run({}, {"finding"}) == "");
  parts.gui.settle();
  const auto colours = [&] {
    const QImage picture = parts.picture();
    std::size_t chosen = 0;  // violet, as faces of the chosen finding are
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor c = picture.pixelColor(x, y);
        if (c.red() > c.green() + 40 && c.blue() > c.green() + 40) ++chosen;
      }
    return chosen;
  };
  CHECK(parts.gui.redPixels() > 0);
  CHECK(colours() == 0);
  parts.explode("1");
  CHECK(parts.gui.run({}, {"frame"}) == "");
  CHECK(colours() > 500);
  parts.explode("0");
  CHECK(colours() == 0);
}

TEST_CASE("another model is shown as assembled, and what is drawn is framed", "[gui]") {
  Pinned parts;
  parts.explode("1");
  CHECK(parts.gui.run({}, {"view front", "frame"}) == "");
  const Poses drawn = parts.view().presenter().drawnPoses();
  for (const NodeId node : {parts.plate, parts.pin, parts.nut}) {
    const Box box = parts.gui.document.session()->scene().worldBounds(node, drawn);
    for (const Vec3& corner : {box.min, box.max}) {
      const auto point = parts.view().widgetPoint(corner);
      REQUIRE(point);
      CHECK(parts.view().rect().contains(point->toPoint()));
    }
  }
  parts.gui.open(parts.folder / "pinned.fitup");
  CHECK_FALSE(parts.view().presenter().isExploded());
  CHECK_FALSE(parts.view().exploded().isVisible());
  CHECK(parts.pickAbove(8, 6)->point.z == Approx(8));
}

}  // namespace exploded_view_tests

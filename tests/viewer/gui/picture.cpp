// Tests what the view shows and how it is turned: display modes, findings, view cube, double click, rubber
// band.
#include <catch2/catch.hpp>
#include <cmath>

#include <QApplication>
#include <QMouseEvent>
#include <QTest>

#include <fitup/io/model_file.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/view_cube_widget.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace picture_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Two boxes of side 4 that overlap by 1 along x, one apart, and a ball of many triangles beside them.
struct Scenery {
  TemporaryFolder folder;
  NodeId a{}, b{}, apart{}, ball{};
  WindowSession gui;

  Scenery() {
    Model model;
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
      return model.assembly.addNode(name, at, {}, model.assembly.addPart(withDeflection(mesh, 0.01)));
    };
    a = add("a", sixSidedBox(4, 4, 4), {});
    b = add("b", sixSidedBox(4, 4, 4), shift(3, 0, 0));
    apart = add("apart", sixSidedBox(4, 4, 4), shift(12, 0, 0));
    ball = add("ball", icosphere(2, 6), shift(-12, 0, 0));
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "scenery.fitup", model);
    gui.open(folder / "scenery.fitup");
    view().look(StandardView::front);
  }
  SceneView& view() { return gui.window.view(); }
  QColor at(const Vec3& point) {
    const auto pixel = view().widgetPoint(point);
    REQUIRE(pixel);
    return view().grabFramebuffer().pixelColor(pixel->toPoint());
  }
  int count(const std::function<bool(const QColor&)>& is) {
    const QImage picture = view().grabFramebuffer();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) found += is(picture.pixelColor(x, y));
    return found;
  }
  int dark() {
    return count([](const QColor& c) { return c.lightness() < 130; });
  }
  QPointF on(const Vec3& point) {
    const auto pixel = view().widgetPoint(point);
    REQUIRE(pixel);
    return *pixel;
  }
};

bool isRed(const QColor& c) { return c.red() > 120 && c.green() < 60 && c.blue() < 60; }
bool isNear(const QColor& a, const QColor& b, int most = 12) {
  return std::abs(a.red() - b.red()) <= most && std::abs(a.green() - b.green()) <= most &&
         std::abs(a.blue() - b.blue()) <= most;
}

const Vec3 onApart{12, -2, 0.5}, beside{8, -2, 0.5};

}  // namespace

TEST_CASE("display modes show faces, edges or both", "[gui]") {
  Scenery scenery;
  REQUIRE(scenery.gui.run({}, {"mode off", "check off", "select ball", "hide"}).empty());
  const QColor background = scenery.at(beside), face = scenery.at(onApart);
  CHECK_FALSE(isNear(face, background));
  CHECK(scenery.dark() > 200);
  const auto show = [&](const char* mode) {
    REQUIRE(scenery.gui.run({}, {std::string("display ") + mode}).empty());
  };
  show("shaded");
  CHECK(isNear(scenery.at(onApart), face));
  CHECK(scenery.dark() == 0);
  show("hidden-line");
  CHECK(isNear(scenery.at(onApart), QColor(255, 255, 255)));
  const int visible = scenery.dark();
  CHECK(visible > 200);
  show("wireframe");
  CHECK(isNear(scenery.at(onApart), background));
  CHECK(scenery.dark() >= visible);
  show("transparent");
  CHECK_FALSE(isNear(scenery.at(onApart), background, 4));
  CHECK_FALSE(isNear(scenery.at(onApart), face, 4));
  show("shaded-edges");
  CHECK(isNear(scenery.at(onApart), face));
}

TEST_CASE("perspective shows the sides of a box that an orthographic picture hides", "[gui]") {
  Scenery scenery;
  // Its right side, seen from the front, left of the line of sight.
  const auto sideWidth = [&] { return std::abs(scenery.on({-2, -2, 0}).x() - scenery.on({-2, 2, 0}).x()); };
  CHECK(sideWidth() < 0.01);
  REQUIRE(scenery.gui.run({}, {"projection perspective"}).empty());
  CHECK(sideWidth() > 1);
  REQUIRE(scenery.gui.run({}, {"projection orthographic"}).empty());
  CHECK(sideWidth() < 0.01);
}

TEST_CASE("the whole model stays in the picture when it becomes perspective", "[gui]") {
  Scenery scenery;
  SceneView& view = scenery.view();
  // Along the row of parts, the eye of an orthographic picture is near its middle.
  view.look(StandardView::right);
  view.frameAll();
  const Box all = scenery.gui.document.session()->visibleBounds();
  REQUIRE(view.camera().contains(all));
  REQUIRE(scenery.gui.run({}, {"projection perspective"}).empty());
  CHECK(view.camera().contains(all));
}

TEST_CASE("a finding that is looked at shows two parts in two colours, and red where they intersect",
          "[gui]") {
  Scenery scenery;
  REQUIRE(scenery.gui.run({}, {"verdicts on", "tolerance 0.1"}).empty());
  waitForDepths(scenery.gui);
  REQUIRE(scenery.gui.window.table().model().count() > 0);
  const QColor before = scenery.at(onApart);
  scenery.gui.window.table().step(1);
  scenery.gui.settle();
  scenery.view().look(StandardView::front);
  const QColor first = scenery.at({-1, -2, 0.5}), second = scenery.at({4, -2, 0.5});
  CHECK(first.blue() > first.red() + 60);    // blue
  CHECK(second.red() > second.blue() + 60);  // orange
  CHECK(second.green() > second.blue() + 30);
  CHECK_FALSE(isNear(scenery.at(onApart), before));  // others are ghosts
  const int marked = scenery.count(isRed);
  CHECK(marked > 100);
  CHECK_FALSE(isRed(first));
  // Painted faces are red as a whole.
  REQUIRE(scenery.gui.run({}, {"paint-faces on"}).empty());
  CHECK(scenery.count(isRed) > 2 * marked);
  CHECK(isNear(scenery.at(onApart), before));
  REQUIRE(scenery.gui.run({}, {"paint-faces off"}).empty());
  CHECK(scenery.count(isRed) == marked);
  QTest::keyClick(&scenery.view(), Qt::Key_Escape);
  scenery.gui.settle();
  CHECK(isNear(scenery.at(onApart), before));
}

TEST_CASE("clashes at rest are red where parts intersect, whole faces while they move", "[gui]") {
  Scenery scenery;
  REQUIRE(scenery.gui.run({}, {"verdicts on", "tolerance 0.1"}).empty());
  waitForDepths(scenery.gui);
  scenery.gui.settle();
  const auto redIsSeen = [&] { return scenery.count(isRed); };
  const QColor face = scenery.at({-1, -2, 0.5});
  // The part of each front that is inside the other box would be hidden by it: the fronts lie in one plane.
  const int marked = redIsSeen();
  CHECK(marked > 100);
  CHECK_FALSE(isRed(face));
  REQUIRE(scenery.gui.run({}, {"paint-faces on"}).empty());
  CHECK(redIsSeen() > 2 * marked);
  REQUIRE(scenery.gui.run({}, {"paint-faces off"}).empty());
  CHECK(redIsSeen() == marked);
  // While it is dragged, and again where it was put down.
  REQUIRE(scenery.gui.window.drag().begin({scenery.b}));
  scenery.gui.window.drag().moveTo({{}, {0, 0, 0.5}});
  scenery.gui.waitFor([&] { return redIsSeen() > 2 * marked; }, "whole faces while a part is dragged");
  scenery.gui.window.drag().finish();
  waitForDepths(scenery.gui);
  scenery.gui.settle();
  CHECK(redIsSeen() > 100);
  CHECK(redIsSeen() < 2 * marked);
  // A hidden part shows nothing.
  REQUIRE(scenery.gui.run({}, {"select b", "hide", "select a", "hide"}).empty());
  scenery.gui.settle();
  CHECK(redIsSeen() == 0);
}

TEST_CASE("a click on the view cube turns the camera", "[gui]") {
  Scenery scenery;
  scenery.view().look(StandardView::isometric);
  auto* cube = scenery.gui.window.findChild<ViewCubeWidget*>();
  REQUIRE(cube != nullptr);
  const Vec3 target = scenery.view().camera().viewpoint().target;
  for (const auto& [view, sight] :
       {std::pair{StandardView::right, Vec3{-1, 0, 0}}, std::pair{StandardView::top, Vec3{0, 0, -1}}}) {
    scenery.view().look(StandardView::isometric);
    const ViewCube shape(scenery.view().camera(), cube->width());
    PicturePoint middle;
    for (const ViewCube::Face& face : shape.faces())
      if (face.view == view)
        for (const PicturePoint& corner : face.corners)
          middle = {middle.x + corner.x / 4, middle.y + corner.y / 4};
    REQUIRE(middle.x > 0);
    QTest::mouseClick(cube, Qt::LeftButton, {}, QPointF(middle.x, middle.y).toPoint());
    CHECK(norm(scenery.view().camera().forward() - sight) < 1e-9);
    CHECK(norm(scenery.view().camera().viewpoint().target - target) < 1e-9);
  }
}

TEST_CASE("a double click zooms to a part, beside all of them to everything", "[gui]") {
  Scenery scenery;
  const auto isWide = [&] {
    return std::abs(scenery.on({14, -2, 0}).x() - scenery.on({10, -2, 0}).x()) >
           0.6 * scenery.view().height();
  };
  REQUIRE_FALSE(isWide());
  QTest::mouseDClick(&scenery.view(), Qt::LeftButton, {}, scenery.on(onApart).toPoint());
  CHECK(isWide());
  QTest::mouseDClick(&scenery.view(), Qt::LeftButton, {}, QPoint(3, scenery.view().height() - 3));
  CHECK_FALSE(isWide());
}

TEST_CASE("a rectangle selects, and zooms with Ctrl", "[gui]") {
  Scenery scenery;
  const auto drag = [&](const Vec3& from, const Vec3& to, Qt::KeyboardModifiers keys) {
    scenery.gui.drag(scenery.on(from), scenery.on(to), 6, Qt::LeftButton, keys);
  };
  const Viewpoint before = scenery.view().camera().viewpoint();
  drag({-9, -2, 3}, {6, -2, -3}, Qt::ShiftModifier);
  CHECK(scenery.gui.document.selection() == std::set{scenery.a, scenery.b});
  drag({6, -2, 3}, {4, -2, -3}, Qt::ShiftModifier);
  CHECK(scenery.gui.document.selection() == std::set{scenery.b});
  drag({13, -2, 3}, {9, -2, -3}, Qt::ShiftModifier | Qt::ControlModifier);
  CHECK(scenery.gui.document.selection() == std::set{scenery.b, scenery.apart});
  drag({6, -2, 3}, {8, -2, -3}, Qt::ShiftModifier);
  CHECK(scenery.gui.document.selection().empty());
  CHECK(scenery.view().camera().viewpoint().eye == before.eye);  // nothing was turned
  drag({9, -2, 3}, {15, -2, -3}, Qt::ControlModifier);
  CHECK(std::abs(scenery.on({12, -2, 0}).x() - 0.5 * scenery.view().width()) < 3);
  CHECK(std::abs(scenery.on({15, -2, 0}).x() - scenery.on({9, -2, 0}).x()) > 0.45 * scenery.view().height());
}

TEST_CASE("a picture that is soon replaced has fewer triangles, one at rest has all", "[gui]") {
  Scenery scenery;
  const std::size_t all = scenery.view().presenter().drawnTriangles();
  CHECK(all == 3 * 12 + 20 * 4096);
  Camera camera = scenery.view().camera();
  ScenePresenter& presenter = scenery.view().presenter();
  presenter.setHaste(camera, 1'000'000);
  // Nothing is displaced by more than a pixel, although the ball has smaller triangles.
  CHECK(presenter.drawnTriangles() <= all);
  const std::size_t fine = presenter.drawnTriangles();
  presenter.setHaste(camera, 3000);
  CHECK(presenter.drawnTriangles() <= 3000);
  CHECK(presenter.drawnTriangles() < fine);
  CHECK(presenter.drawnTriangles() >= 36);
  presenter.setLeisure();
  CHECK(presenter.drawnTriangles() == all);
}

TEST_CASE("a model file without the wide tree is picked, cut and checked as any other", "[gui]") {
  const TemporaryFolder folder;
  Model model;
  model.assembly.addNode("box", {}, {}, model.assembly.addPart(withDeflection(sixSidedBox(4, 4, 4), 0.01)));
  model.assembly.addNode("other", shift(3, 0, 0), {}, PartId{0});
  BuildOptions lean;
  lean.wide.reset();
  model.collisionModels = buildCollisionModels(model.assembly, lean);
  REQUIRE_FALSE(model.collisionModels.front()->hasWide());
  writeModelFile(folder / "lean.fitup", model);
  WindowSession gui;
  gui.open(folder / "lean.fitup");
  CHECK(gui.window.table().model().count() > 0);
  gui.window.view().look(StandardView::front);
  const auto pixel = gui.window.view().widgetPoint({-1, -2, 0});
  REQUIRE(pixel);
  gui.click(*pixel);
  CHECK(gui.document.selection() == std::set{gui.document.session()->assembly().at("box")});
}

}  // namespace picture_tests

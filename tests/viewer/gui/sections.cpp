// Tests sections in the window: caps and their pixels, picks on them, several planes, and box sections.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

#include <fitup/io/model_file.h>
#include <viewer/core/section_planes.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>

#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace sections_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

MeshPtr hollowBox(double side, double inside) {
  std::vector<Triangle> all = trianglesOf(box(side, side, side));
  for (const Triangle& t : trianglesOf(box(inside, inside, inside))) all.push_back(turned(t));
  return fromTriangles("hollow", all);
}

MeshPtr lidlessBox(double side) {
  std::vector<Triangle> all = trianglesOf(box(side, side, side));
  std::erase_if(all, [&](const Triangle& t) {
    return std::ranges::all_of(t.v, [&](const Vec3& p) { return p.z == -side / 2; });
  });
  return fromTriangles("open", all);
}

/// Two boxes that overlap for 2 < x < 5, a hollow box, and an open one; all cut by z = 0.
struct Parts {
  Parts() {
    Model model;
    model.assembly = Assembly("parts");
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& placement,
                         const Colour& colour) {
      return model.assembly.addNode(name, placement, {}, model.assembly.addPart(mesh), colour);
    };
    a = add("a", box(10, 10, 10), {}, {0.2F, 0.4F, 0.8F, 1});
    b = add("b", box(10, 10, 10), at(7, 0, 0), {0.2F, 0.7F, 0.3F, 1});
    hollow = add("hollow", hollowBox(10, 6), at(25, 0, 0), {0.7F, 0.6F, 0.2F, 1});
    open = add("open", lidlessBox(10), at(-18, 0, 0), {0.5F, 0.3F, 0.6F, 1});
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "parts.fitup", model);
    gui.open(folder / "parts.fitup");
  }
  const std::vector<SectionPlane>& planes() { return gui.document.session()->state().sections; }
  void setPlanes(const std::vector<SectionPlane>& planes) {
    gui.document.session()->edit("Section", [&](SessionState& state) { state.sections = planes; });
    gui.settle();
  }
  SceneView& view() { return gui.window.view(); }
  const SectionCaps& caps() { return view().presenter().caps().caps(); }
  std::optional<Pick> pickAbove(double x, double y) {
    return view().presenter().pick({{x, y, 100}, {0, 0, -1}});
  }
  /// The brightest and the darkest colour of the view around a point of the world.
  std::pair<QColor, QColor> coloursAt(const Vec3& world) {
    const QImage picture = view().grabFramebuffer();
    const QPointF middle = view().widgetPoint(world).value();
    const double ratio = view().devicePixelRatioF();
    std::pair<QColor, QColor> found{Qt::black, Qt::white};
    for (int dy = -8; dy <= 8; ++dy)
      for (int dx = -8; dx <= 8; ++dx) {
        const QColor colour = picture.pixelColor(static_cast<int>(std::lround(middle.x() * ratio)) + dx,
                                                 static_cast<int>(std::lround(middle.y() * ratio)) + dy);
        if (colour.lightness() > found.first.lightness()) found.first = colour;
        if (colour.lightness() < found.second.lightness()) found.second = colour;
      }
    return found;
  }
  const SectionCap* capOf(NodeId instance, std::size_t face = 0) {
    for (const auto& cap : caps().faces().at(face).caps)
      if (cap->instance == instance) return cap.get();
    return nullptr;
  }

  TemporaryFolder folder;
  NodeId a{}, b{}, hollow{}, open{};
  WindowSession gui;
};

const SectionPlane level{{0, 0, 1}, 0, true};

bool isNear(const QColor& colour, const Colour& expected, float most = 0.06F) {
  return std::abs(colour.redF() - expected.red) < most && std::abs(colour.greenF() - expected.green) < most &&
         std::abs(colour.blueF() - expected.blue) < most;
}
bool isRed(const QColor& colour) { return colour.red() > 150 && colour.green() < 60 && colour.blue() < 60; }

/// Drags the arrow of a plane by a way along its normal.
void dragHandle(Parts& parts, std::size_t plane, double way) {
  const auto& handles = parts.view().sectionHandles();
  const auto handle = std::ranges::find(handles, plane, &SectionHandle::plane);
  REQUIRE(handle != handles.end());
  const Vec3 grabbed = handle->foot + (handle->tip - handle->foot) * 0.7;
  const auto from = parts.view().widgetPoint(grabbed),
             to = parts.view().widgetPoint(grabbed + parts.planes().at(plane).normal * way);
  REQUIRE(from);
  REQUIRE(to);
  parts.gui.drag(*from, *to);
}

}  // namespace

TEST_CASE("cut faces are filled and hatched in the part's colour, and red where parts overlap", "[gui]") {
  Parts parts;
  CHECK(parts.gui.run({}, {"view top", "section z 0", "mode off", "check off"}) == "");
  parts.gui.settle();
  const auto styles = capStyles(parts.gui.document.session()->scene());
  const std::pair<NodeId, Vec3> places[] = {
      {parts.a, {-2, 2, 0}}, {parts.b, {9, 2, 0}}, {parts.hollow, {25, 4, 0}}};
  for (const auto& [instance, place] : places) {
    CAPTURE(index(instance));
    const auto [ground, line] = parts.coloursAt(place);
    const Colour fill = styles.at(instance).fill;
    CHECK(isNear(ground, fill));
    CHECK(line.lightnessF() < 0.75 * ground.lightnessF());  // the hatching
    CHECK_FALSE(isRed(line));
  }
  const auto [red, alsoRed] = parts.coloursAt({3.5, 1, 0});
  CHECK(isRed(red));
  CHECK(isRed(alsoRed));  // not hatched
  // Neither the cavity nor the open part is filled.
  CHECK_FALSE(isNear(parts.coloursAt({25, 0, 0}).first, styles.at(parts.hollow).fill));
  CHECK_FALSE(isNear(parts.coloursAt({-18, 0, 0}).first, styles.at(parts.open).fill));
  CHECK_FALSE(parts.capOf(parts.open)->isFilled);
  CHECK(parts.capOf(parts.open)->lines.size() >= 4);
  // The outline of the open part is dark.
  CHECK(parts.coloursAt({-13, 2, 0}).second.lightness() < 60);

  // Caps of ghosted parts are outlines; the overlap stays.
  CHECK(parts.gui.run({}, {"select a", "ghost", "select"}) == "");
  CHECK_FALSE(isNear(parts.coloursAt({-2, 2, 0}).first, styles.at(parts.a).fill));
  CHECK(isRed(parts.coloursAt({3.5, 1, 0}).first));
  // Hidden parts have no cap and no overlap.
  CHECK(parts.gui.run({}, {"show-all", "select b", "hide", "select"}) == "");
  CHECK(isNear(parts.coloursAt({-2, 2, 0}).first, styles.at(parts.a).fill));
  CHECK(isNear(parts.coloursAt({3.5, 1, 0}).first, styles.at(parts.a).fill));
  CHECK(parts.capOf(parts.b) == nullptr);
}

TEST_CASE("a cut face is picked as its part", "[gui]") {
  Parts parts;
  parts.view().look(StandardView::top);
  parts.setPlanes({level});
  const auto pick = parts.pickAbove(-2, 2);
  REQUIRE(pick);
  CHECK(pick->instance == parts.a);
  CHECK_FALSE(pick->surface);
  CHECK(pick->distance == Approx(100));
  const auto inside = parts.pickAbove(25, 0);
  REQUIRE(inside);
  CHECK(inside->instance == parts.hollow);
  CHECK(inside->surface);
  CHECK(inside->point.z == Approx(-3));
  parts.gui.click(parts.view().widgetPoint({9, 2, 0}).value());
  CHECK(parts.gui.document.selection() == std::set<NodeId>{parts.b});
  CHECK_FALSE(parts.gui.document.face());
  // From below, the part hides its cap.
  const auto below = parts.view().presenter().pick({{-2, 2, -100}, {0, 0, 1}});
  REQUIRE(below);
  CHECK(below->surface);
  CHECK(below->point.z == Approx(-5));
  // A plane in a face of the part: the cap covers the face.
  parts.setPlanes({{{0, 0, 1}, 5, true}});
  REQUIRE(parts.pickAbove(-2, 2));
  CHECK_FALSE(parts.pickAbove(-2, 2)->surface);
}

TEST_CASE("caps follow the handle and the parts", "[gui]") {
  Parts parts;
  parts.setPlanes({{{1, 0, 0}, 3.5, true}});
  REQUIRE(parts.capOf(parts.a) != nullptr);
  CHECK(area(parts.capOf(parts.a)->area) == Approx(100));
  CHECK(parts.caps().faces().at(0).overlaps.size() == 1);
  dragHandle(parts, 0, 5);
  CHECK(parts.planes().at(0).offset == Approx(8.5).margin(0.5));
  CHECK(parts.caps().faces().at(0).frame.plane() == parts.planes().at(0));
  CHECK(parts.capOf(parts.a) == nullptr);
  CHECK(area(parts.capOf(parts.b)->area) == Approx(100));
  parts.gui.document.session()->undo();
  CHECK(parts.planes().at(0).offset == 3.5);
  CHECK(parts.caps().faces().at(0).overlaps.size() == 1);

  const SectionCap* ofA = parts.capOf(parts.a);
  parts.gui.document.session()->move(std::vector{parts.b}, {{}, {0, 4, 0}}, "Move");
  CHECK(parts.capOf(parts.a) == ofA);
  CHECK(area(parts.caps().faces().at(0).overlaps.at(0)->area) == Approx(60));
  parts.gui.document.session()->move(std::vector{parts.b}, {{}, {0, 6, 0}}, "Move");
  CHECK(parts.caps().faces().at(0).overlaps.empty());
  CHECK(parts.capOf(parts.b) != nullptr);
}

TEST_CASE("a new section is in the middle of what is visible, however it is switched on", "[gui]") {
  Parts parts;
  CHECK(parts.gui.run({}, {"select hollow", "hide", "select"}) == "");
  const Vec3 middle = parts.gui.document.session()->visibleBounds().centre();
  const auto isInTheMiddle = [&] {
    REQUIRE(parts.planes().size() == 1);
    const SectionPlane& plane = parts.planes().front();
    CHECK(plane.enabled);
    CHECK(plane.offset == Approx(dot(plane.normal, middle)).margin(0.01));
    CHECK_FALSE(parts.caps().faces().at(0).caps.empty());
    parts.gui.key(Qt::Key_Z, Qt::ControlModifier);
    CHECK(parts.planes().empty());
    CHECK(parts.caps().faces().empty());
  };
  parts.gui.key(Qt::Key_C);
  CHECK(dot(parts.planes().at(0).normal, parts.view().camera().forward()) < 0);
  isInTheMiddle();
  parts.gui.window.section().findChild<QCheckBox*>()->setChecked(true);
  isInTheMiddle();
  parts.gui.key(Qt::Key_C, Qt::ShiftModifier);
  isInTheMiddle();
  parts.gui.key(Qt::Key_X, Qt::ShiftModifier);
  isInTheMiddle();
}

TEST_CASE("a box section is around the selection, and its faces are dragged", "[gui]") {
  Parts parts;
  parts.gui.document.select({parts.hollow});
  parts.gui.key(Qt::Key_B);
  REQUIRE(parts.planes().size() == 6);
  CHECK(parts.view().sectionHandles().size() == 6);
  CHECK(isCutAway(parts.planes(), {0, 0, 0}));
  CHECK_FALSE(isCutAway(parts.planes(), {25, 0, 0}));
  CHECK_FALSE(parts.pickAbove(-2, 2));
  REQUIRE(parts.pickAbove(25, 0));
  CHECK(parts.pickAbove(25, 0)->surface);  // nothing of the part is cut yet
  parts.gui.document.select({});           // the gizmo would be in the way

  const std::vector<SectionPlane> before = parts.planes();
  dragHandle(parts, 2, -5);  // the upper face
  CHECK(parts.planes().at(2).offset == Approx(before[2].offset - 5).margin(0.5));
  for (const std::size_t other : {0U, 1U, 3U, 4U, 5U}) CHECK(parts.planes().at(other) == before[other]);
  const SectionCap* cap = parts.capOf(parts.hollow, 2);
  REQUIRE(cap != nullptr);
  CHECK(area(cap->area) == Approx(100 - 36));
  // The cap of the upper face ends at another face of the box.
  dragHandle(parts, 0, -3);
  CHECK(area(parts.capOf(parts.hollow, 2)->area) < 64 - 10);
  CHECK(parts.pickAbove(20.5, 0));
  CHECK_FALSE(parts.pickAbove(29.5, 0));
  parts.gui.document.session()->undo();
  parts.gui.document.session()->undo();
  CHECK(parts.planes() == before);
  parts.gui.document.session()->undo();
  CHECK(parts.planes().empty());

  parts.gui.key(Qt::Key_B);  // nothing is selected: around all
  CHECK_FALSE(isCutAway(parts.planes(), {-22, 0, 0}));
  CHECK_FALSE(isCutAway(parts.planes(), {29, 0, 0}));
}

TEST_CASE("a section goes through what is selected, says where it is while dragged, and is seen to be on",
          "[gui]") {
  Parts parts;
  const QAction& toggle = parts.gui.window.commands().action("section toggle");
  CHECK_FALSE(toggle.isChecked());
  parts.gui.document.select({parts.hollow});
  parts.view().look(StandardView::front);
  parts.gui.key(Qt::Key_H, Qt::ShiftModifier);
  REQUIRE(parts.planes().size() == 1);
  CHECK(toggle.isChecked());
  const SectionPlane plane = parts.planes()[0];
  CHECK(plane.normal == Vec3{0, -1, 0});
  const NodeId hollow[] = {parts.hollow};
  CHECK(plane.offset ==
        Approx(dot(plane.normal, parts.gui.document.session()->worldBounds(hollow).centre())));

  // The head of its arrow comes before the handles of the part, which are in the same place.
  parts.view().look(StandardView::isometric);
  parts.gui.settle();
  const SectionHandle handle = parts.view().sectionHandles().front();
  const QPointF from = parts.view().widgetPoint(handle.foot + 0.8 * (handle.tip - handle.foot)).value();
  const auto label = [&] {
    for (const QLabel* each : parts.view().findChildren<QLabel*>())
      if (each->isVisible() && each->text().startsWith("y = ")) return each->text();
    return QString();
  };
  Hand hand(parts.gui);
  hand.press(from);
  hand.move(from + QPointF(12, 9));
  hand.move(from + QPointF(24, 18));
  const double now = parts.planes()[0].offset;
  CHECK(now != plane.offset);
  CHECK(label() == QStringLiteral("y = %1 mm").arg(numberText(-now, leastShown, 6)));
  hand.release(from + QPointF(24, 18));
  CHECK(label().isEmpty());
  parts.gui.key(Qt::Key_C);
  CHECK_FALSE(toggle.isChecked());
}

TEST_CASE("planes are added, switched and removed in the panel, and kept in the project", "[gui]") {
  Parts parts;
  SectionPanel& panel = parts.gui.window.section();
  auto* list = panel.findChild<QListWidget*>();
  const auto press = [&](const char* id) { parts.gui.window.commands().action(id).trigger(); };
  press("section add");
  panel.findChildren<QToolButton*>().at(0)->click();
  press("section add");
  REQUIRE(parts.planes().size() == 3);
  REQUIRE(list->count() == 3);
  CHECK(list->currentRow() == 2);
  const auto buttons = panel.findChildren<QToolButton*>();
  REQUIRE(buttons.size() == 3);
  CHECK(buttons[1]->text() == "Box");
  list->item(1)->setCheckState(Qt::Unchecked);
  CHECK(parts.planes()[0].enabled);
  CHECK_FALSE(parts.planes()[1].enabled);
  CHECK(parts.caps().faces().size() == 2);
  CHECK(parts.view().sectionHandles().size() == 2);

  // The controls and commands change the chosen plane.
  list->setCurrentRow(0);
  const std::vector<SectionPlane> before = parts.planes();
  press("section flip");
  CHECK(parts.planes()[0] == flipped(before[0]));
  panel.findChild<QDoubleSpinBox*>()->setValue(1.25);
  CHECK(std::abs(parts.planes()[0].offset) == 1.25);
  CHECK(parts.planes()[1] == before[1]);
  CHECK(parts.planes()[2] == before[2]);

  const std::vector<SectionPlane> kept = parts.planes();
  const std::filesystem::path project = parts.folder / "work.fitup-project";
  CHECK(parts.gui.run({}, {"save " + project.string()}) == "");
  press("section remove");
  CHECK(parts.planes() == std::vector{kept[1], kept[2]});
  CHECK(list->count() == 2);
  parts.gui.open(project);
  CHECK(parts.planes() == kept);
  CHECK(parts.caps().faces().size() == 2);

  // All are switched off and on together, and scripts name them by their numbers.
  CHECK(parts.gui.run({}, {"section toggle"}) == "");
  CHECK_FALSE(anyEnabled(parts.planes()));
  CHECK(parts.caps().faces().empty());
  CHECK(parts.gui.run({}, {"section choose 2", "section remove", "section add -y 2", "section add z"}) == "");
  REQUIRE(parts.planes().size() == 4);
  CHECK(parts.planes()[2] == SectionPlane{{0, -1, 0}, -2, true});
  CHECK(parts.planes()[3].normal == Vec3{0, 0, 1});
  CHECK(parts.gui.run({}, {"section choose 5"}).find("no section plane 5") != std::string::npos);
  CHECK(parts.gui.run({}, {"section box", "section add"}).find("6 section planes") != std::string::npos);
  CHECK(parts.gui.run({}, {"section off", "section remove"}).find("no section") != std::string::npos);
}

TEST_CASE("caps that take too long appear when the section rests", "[gui]") {
  Parts parts;
  parts.setPlanes({level});
  ShownSection& shown = parts.view().presenter().caps();
  REQUIRE(shown.node()->getNodeMask() != 0);
  shown.setBudget(-1);
  const auto put = [&](double offset) {
    parts.gui.document.session()->edit("Section",
                                       [&](SessionState& state) { state.sections.at(0).offset = offset; });
  };
  put(1);
  CHECK(shown.isBehind());
  // The caps of the former place are neither shown nor picked.
  CHECK(shown.node()->getNodeMask() == 0);
  CHECK(parts.pickAbove(-2, 2).value().surface);
  parts.gui.settle();
  CHECK_FALSE(shown.isBehind());
  CHECK_FALSE(parts.pickAbove(-2, 2).value().surface);
  CHECK(shown.node()->getNodeMask() != 0);
  CHECK(shown.caps().faces().at(0).frame.plane().offset == 1);
  put(2);
  CHECK(shown.isBehind());
  parts.gui.document.session()->edit("Section", [](SessionState& state) { state.sections.clear(); });
  CHECK_FALSE(shown.isBehind());
  CHECK(shown.caps().faces().empty());
  // Closing while caps wait is safe.
  parts.setPlanes({level});
  put(3);
  CHECK(shown.isBehind());
  parts.gui.open(parts.folder / "parts.fitup");
  CHECK_FALSE(shown.isBehind());
}

TEST_CASE("a large part has an outline until it is examined", "[gui]") {
  TemporaryFolder folder;
  Model model;
  const NodeId ball = model.assembly.addNode("ball", {}, {}, model.assembly.addPart(icosphere(10, 7)));
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "ball.fitup", model);
  WindowSession gui;
  gui.open(folder / "ball.fitup");
  ShownSection& shown = gui.window.view().presenter().caps();
  gui.document.session()->edit("Section", [](SessionState& state) { state.sections = {level}; });
  REQUIRE(shown.caps().faces().size() == 1);
  REQUIRE(shown.caps().faces()[0].caps.size() == 1);
  CHECK_FALSE(shown.caps().faces()[0].caps[0]->isFilled);
  CHECK(shown.isBehind());
  gui.settle();
  CHECK_FALSE(shown.isBehind());
  REQUIRE(shown.caps().faces()[0].caps.size() == 1);
  CHECK(shown.caps().faces()[0].caps[0]->instance == ball);
  CHECK(area(shown.caps().faces()[0].caps[0]->area) == Approx(3.14159 * 100).epsilon(0.001));
}

TEST_CASE("laws: what is in front is picked, a face or a cap, from every side and in both projections",
          "[gui]") {
  Parts parts;
  parts.setPlanes({level});
  // Along the line x = -2, y = 2, part `a` reaches from z = -5 to the cap at 0.
  for (const double scale : {1.0, 30.0})
    for (const Vec3& sight : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{0.2, 0.1, 1}, Vec3{0.2, 0.1, -1}})
      for (const Projection projection : {Projection::orthographic, Projection::perspective}) {
        CAPTURE(scale, sight.x, sight.z, static_cast<int>(projection));
        const Vec3 target{-2, 2, sight.z > 0 ? -5.0 : 0.0}, along = normalized(sight);
        Camera camera;
        camera.setPicture(800, 600);
        camera.setProjection(projection);
        camera.setViewpoint({target - along * (40 * scale), target, {0, 1, 0}});
        const auto pick = parts.view().presenter().pick(camera.ray({400, 300}));
        REQUIRE(pick);
        CHECK(pick->instance == parts.a);
        CHECK(pick->surface.has_value() == (sight.z > 0));  // from below, the face hides the cap
        CHECK(norm(pick->point - target) < 1e-6 * scale);
      }
}

}  // namespace sections_tests

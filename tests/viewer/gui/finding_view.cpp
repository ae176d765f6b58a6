// Tests how the view shows a finding and keeps its orientation: faces, depth, direction, what it turns about,
// parts that are hidden; and what is said to be next to parts.
#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/io/model_file.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/nearness_text.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace finding_view_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A pin that reaches by 0.5 into a plate, a wall in front of both, and two boxes far away that touch.
struct Workshop {
  TemporaryFolder folder;
  NodeId plate{}, pin{}, wall{}, left{}, right{};
  WindowSession gui;

  Workshop() {
    Model model;
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
      return model.assembly.addNode(name, at, {}, model.assembly.addPart(withDeflection(mesh, 0.001)));
    };
    plate = add("plate", sixSidedBox(20, 20, 2), {});
    pin = add("pin", sixSidedBox(2, 2, 6), shift(0, 0, 3.5));
    wall = add("wall", sixSidedBox(30, 1, 30), shift(0, -20, 0));
    left = add("left", sixSidedBox(4, 4, 4), shift(60, 0, 0));
    right = add("right", sixSidedBox(4, 4, 4), shift(64, 0, 0));
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "workshop.fitup", model);
    gui.open(folder / "workshop.fitup");
    run({"verdicts on", "tolerance 0.1", "view isometric"});
    waitForDepths(gui);
    gui.settle();
  }
  void run(const std::vector<std::string>& lines) { REQUIRE(gui.run({}, lines).empty()); }
  SceneView& view() { return gui.window.view(); }
  const Camera& camera() { return view().camera(); }
  const Session& session() { return *gui.document.session(); }
  /// Goes to a row as a double click does.
  Finding lookAt(int row) {
    const Finding finding = gui.window.table().model().finding(row);
    view().choose(finding);
    view().lookAt(finding);
    gui.settle();
    return finding;
  }
  int rowOf(Verdict verdict) {
    const InterferenceModel& model = gui.window.table().model();
    for (int row = 0; row < model.count(); ++row)
      if (model.finding(row).surfaces && model.finding(row).found.verdict == verdict) return row;
    FAIL("there is no such row");
    return 0;
  }
  /// The clash of the side of the pin that is seen from the front.
  int rowOfFront() {
    const InterferenceModel& model = gui.window.table().model();
    for (int row = 0; row < model.count(); ++row)
      if (const Finding& finding = model.finding(row);
          finding.found.verdict == Verdict::clash && finding.surfaces && finding.surfaces->b == SurfaceId{2})
        return row;
    FAIL("there is no such row");
    return 0;
  }
  Vec3 placeOfRow(const Finding& finding) {
    const InterferenceReport& report = *gui.document.check().answer().report;
    return placeOf(session().scene(), session().poses(), finding, pairOf(report, finding)).point;
  }
  int count(const std::function<bool(const QColor&)>& is) {
    const QImage picture = view().grabFramebuffer();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) found += is(picture.pixelColor(x, y));
    return found;
  }
};

bool isRed(const QColor& c) { return c.red() > 120 && c.green() < 60 && c.blue() < 60; }
bool isBlue(const QColor& c) { return c.blue() - c.red() > 105 && c.green() > 60; }
bool isPaleBlue(const QColor& c) { return c.blue() - c.red() > 30 && c.blue() - c.red() < 95; }

}  // namespace

TEST_CASE("the faces of the chosen row are marked, with the depth and what is around", "[gui][finding]") {
  Workshop shop;
  const Vec3 before = shop.camera().forward();
  shop.lookAt(shop.rowOfFront());
  CHECK(norm(shop.camera().forward() - before) < 1e-9);
  CHECK(shop.view().depthText().startsWith("0.5"));
  CHECK(shop.view().depthText().endsWith(" mm"));
  CHECK(shop.count(isBlue) > 500);
  CHECK(shop.count(isPaleBlue) > 500);
  // Not only the place, not all of the plate.
  CHECK(shop.camera().halfHeight() > 2);
  CHECK(shop.camera().halfHeight() < 14);
  // A contact has no depth, and neither has a picture without a finding.
  shop.lookAt(shop.rowOf(Verdict::contact));
  CHECK(shop.view().depthText().isEmpty());
  shop.lookAt(shop.rowOf(Verdict::clash));
  CHECK_FALSE(shop.view().depthText().isEmpty());
  shop.view().choose(std::nullopt);
  CHECK(shop.view().depthText().isEmpty());
  CHECK(shop.count(isBlue) == 0);
}

TEST_CASE("a row always looks the same, whatever was looked at before", "[gui][finding]") {
  Workshop shop;
  const int clash = shop.rowOf(Verdict::clash), contact = shop.rowOf(Verdict::contact);
  for (const StandardView from : {StandardView::isometric, StandardView::bottom}) {
    shop.view().look(from);
    shop.lookAt(clash);
    const Viewpoint first = shop.camera().viewpoint();
    shop.lookAt(contact);
    shop.lookAt(clash);
    const Viewpoint again = shop.camera().viewpoint();
    CHECK(norm(again.eye - first.eye) < 1e-6);
    CHECK(norm(again.target - first.target) < 1e-6);
    CHECK(norm(again.up - first.up) < 1e-9);
  }
}

TEST_CASE("parts that are hidden are shown to look at their finding, undoably", "[gui][finding]") {
  Workshop shop;
  shop.run({"select left", "isolate"});
  const std::set<NodeId> hidden = shop.session().state().hidden;
  REQUIRE(hidden.contains(shop.pin));
  shop.lookAt(shop.rowOf(Verdict::clash));
  CHECK(shop.session().state().hidden == std::set{shop.wall, shop.right});
  shop.gui.document.session()->undo();
  shop.gui.settle();
  CHECK(shop.session().state().hidden == hidden);
}

TEST_CASE("a picture is never left empty by hiding parts", "[gui][finding]") {
  Workshop shop;
  shop.lookAt(shop.rowOf(Verdict::clash));
  const Viewpoint near = shop.camera().viewpoint();
  shop.run({"select wall", "hide"});
  CHECK(shop.camera().viewpoint() == near);  // something is still seen
  shop.run({"select left", "isolate"});
  CHECK(shop.camera().contains(shop.session().scene().worldBounds(shop.left, {})));
  shop.run({"show-all"});
  CHECK(shop.camera().contains(shop.session().scene().worldBounds(shop.left, {})));
}

TEST_CASE("the view turns about the finding, not about a ghost in front of it", "[gui][finding]") {
  Workshop shop;
  shop.view().look(StandardView::front);
  const Vec3 place = shop.placeOfRow(shop.lookAt(shop.rowOfFront()));
  REQUIRE(norm(shop.camera().forward() - Vec3{0, 1, 0}) < 1e-9);
  const auto pixel = [&](const Vec3& point) { return shop.view().widgetPoint(point).value(); };
  // Above the plate and beside the pin, only the wall is under the cursor.
  const QPointF onGhost = pixel(Vec3{2.5, -20.5, 2.5});
  REQUIRE(shop.view().presenter().pick(shop.camera().ray({onGhost.x(), onGhost.y()})));
  REQUIRE_FALSE(
      shop.view().presenter().pick(shop.camera().ray({onGhost.x(), onGhost.y()}), PickFrom::solidParts));
  const QPointF before = pixel(place);
  shop.gui.drag(onGhost, onGhost + QPointF(60, 35), 6, Qt::MiddleButton);
  CHECK(norm(shop.camera().forward() - Vec3{0, 1, 0}) > 0.1);
  CHECK(std::hypot(pixel(place).x() - before.x(), pixel(place).y() - before.y()) < 1);
  // On a solid part, what is under the cursor stays.
  const QPointF onPin = pixel(Vec3{0, -1, 2});
  const auto solid =
      shop.view().presenter().pick(shop.camera().ray({onPin.x(), onPin.y()}), PickFrom::solidParts);
  REQUIRE(solid);
  shop.gui.drag(onPin, onPin + QPointF(-40, 20), 6, Qt::MiddleButton);
  CHECK(std::hypot(pixel(solid->point).x() - onPin.x(), pixel(solid->point).y() - onPin.y()) < 1);
}

TEST_CASE("clashes stay red whatever is selected", "[gui][finding]") {
  // The fronts of all three lie in one plane, so that orange contact and red clash are in one place.
  TemporaryFolder folder;
  Model model;
  const PartId part = model.assembly.addPart(withDeflection(sixSidedBox(4, 4, 4), 0.001));
  model.assembly.addNode("a", {}, {}, part);
  model.assembly.addNode("b", shift(3, 0, 0), {}, part);
  model.assembly.addNode("touching", shift(-4, 0, 0), {}, part);
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "row.fitup", model);
  WindowSession gui;
  gui.open(folder / "row.fitup");
  REQUIRE(gui.run({}, {"verdicts on", "tolerance 0.1", "view front"}).empty());
  waitForDepths(gui);
  gui.settle();
  const auto red = [&] {
    const QImage picture = gui.window.view().grabFramebuffer();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) found += isRed(picture.pixelColor(x, y));
    return found;
  };
  const int before = red();
  REQUIRE(before > 200);
  gui.selectInTree("touching");
  waitForDepths(gui);
  gui.settle();
  CHECK(red() > 0.9 * before);
}

TEST_CASE("the status says what is next to a part, and never 0 for what is not known", "[gui][finding]") {
  Workshop shop;
  const auto text = [&](const char* part) {
    shop.gui.selectInTree(part);
    shop.gui.settle();
    return shop.gui.window.statusLine().distanceText();
  };
  CHECK(text("pin") == "clashes with plate");
  CHECK(text("left") == "touches right");
  CHECK(text("wall").startsWith("nearest: plate, 9.5 mm"));

  LiveAnswer answer;
  answer.nearest = InstanceDistance{shop.left, shop.pin, {}, 0.31, 0};
  answer.nearest->nearest.distance = 0.1;
  const auto nearness = [&] {
    return nearnessText(shop.session(), answer, {shop.left}, modelUnitOf(shop.session())).toStdString();
  };
  const auto label = [&] {
    return nearnessLabel(shop.session(), answer, {shop.left}, modelUnitOf(shop.session())).toStdString();
  };
  CHECK(nearness() == "nearest: pin, less than 0.41 mm");
  CHECK(label() == "less than 0.41 mm from pin");
  answer.nearest->nearest.distance = 0.52;
  CHECK(nearness().starts_with("nearest: pin, 0.52 mm"));
  CHECK(label() == "free, 0.52 mm from pin");
  auto report = std::make_shared<InterferenceReport>();
  PairInterference& pair = report->pairs.emplace_back();
  pair.a = shop.pin;
  pair.b = shop.left;
  pair.verdict.emplace().verdict = Verdict::contact;
  answer.report = report;
  CHECK(nearness().starts_with("nearest: pin, 0.52 mm"));  // within the tolerance, but not 0
  answer.nearest->nearest.distance = 0;
  CHECK(nearness() == "touches pin");
  CHECK(label() == "touches pin");
  pair.verdict->verdict = Verdict::clash;
  PairInterference second = pair;
  second.a = shop.plate;
  report->pairs.push_back(second);
  CHECK(nearness() == "clashes with pin and 1 more");
  CHECK(nearnessText(shop.session(), answer, {}, modelUnitOf(shop.session())).isEmpty());
}

TEST_CASE("what is next to a dragged part is beside the cursor", "[gui][finding]") {
  TwoBoxes boxes({}, shift(6, 0, 0));
  REQUIRE(boxes.gui.run({}, {"verdicts on", "tolerance 0.1", "mode detect", "view front"}).empty());
  boxes.gui.selectInTree("a");
  CHECK(boxes.view().dragNote().isEmpty());
  Hand hand(boxes.gui);
  const auto onArrow = [&](double by) {
    const std::vector<Vec3> arrow = boxes.view().gizmo().value().outline(GizmoHandle::moveX);
    const Vec3 grabbed = 0.2 * arrow.front() + 0.8 * arrow.back();
    return boxes.view().widgetPoint(grabbed + Vec3{by, 0, 0}).value();
  };
  const QPointF away = onArrow(-1), into = onArrow(4);
  hand.press(onArrow(0));
  hand.move(onArrow(-0.5));
  hand.move(away);
  boxes.gui.waitFor([&] { return boxes.view().dragNote().startsWith("free, 3"); }, "a distance");
  hand.move(into);
  boxes.gui.waitFor([&] { return boxes.view().dragNote() == "clashes with b"; }, "a clash");
  hand.release(into);
  boxes.gui.settle();
  CHECK(boxes.view().dragNote().isEmpty());

  // What stopped a part is said in place of what it touches.
  REQUIRE(boxes.gui.run({}, {"undo", "mode stop", "frame"}).empty());
  boxes.gui.settle();
  const QPointF further = onArrow(4);
  hand.press(onArrow(0));
  hand.move(onArrow(0.5));
  hand.move(further);
  boxes.gui.waitFor([&] { return boxes.view().dragNote() == "stopped by b"; }, "the stop");
  hand.release(further);
}

}  // namespace finding_view_tests

// Tests mates by choosing two faces, with the mouse, and suggestions of mates for bolts and holes.
#include <catch2/catch.hpp>
#include <cmath>

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>

#include <fitup/io/model_file.h>
#include <fitup/scene/face_mates.h>
#include <viewer/gui/context_menus.h>
#include <viewer/gui/mate_outline.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/revolved_part.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace mating_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

constexpr SurfaceId shank{1}, underHead{2}, headTop{4};  // of the bolt
constexpr SurfaceId plateTop{2}, bore{3};

std::shared_ptr<const TriangleMesh> meshOf(const RevolvedPart& part) {
  return std::make_shared<const TriangleMesh>(part.mesh(0.02));
}

/// A round plate with its top at z = 0 and a hole of radius 4.6, a bolt of radius 4 that lies beside it,
/// turned and tilted, another bolt, and a block whose one face is no plane.
struct Workshop {
  explicit Workshop(const Transform& boltAt = Transform::translation({45, 12, 3}) *
                                              Transform::rotation(Vec3{1, 2, 0}, 0.35)) {
    Model model;
    const PartId plate = model.assembly.addPart(
                     meshOf({{4.6, -6}, {{{24, -6}}, {{24, 0}}, {{4.6, 0}}, {{4.6, -6}}}})),
                 bolt = model.assembly.addPart(
                     meshOf({{0, 0}, {{{4, 0}}, {{4, 20}}, {{8, 20}}, {{8, 26}}, {{0, 26}}}})),
                 block = model.assembly.addPart(box(10, 20, 30));
    model.assembly.addNode("plate", {}, {}, plate);
    model.assembly.addNode("bolt", boltAt, {}, bolt);
    model.assembly.addNode("other", Transform::translation({-45, 0, 0}), {}, bolt);
    model.assembly.addNode("block", Transform::translation({0, 50, 0}), {}, block);
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "workshop.fitup", model);
    gui.open(folder / "workshop.fitup");
  }
  SceneView& view() { return gui.window.view(); }
  MateTool& tool() { return gui.window.mate(); }
  Session& session() { return *gui.document.session(); }
  NodeId at(const char* path) { return session().assembly().at(path); }
  MatableFace face(const char* path, SurfaceId surface) {
    return matableFace(session().assembly().meshOf(at(path)), surface, session().worldFromPart(at(path)))
        .value();
  }
  void click(const char* path, SurfaceId surface) { gui.click(gui.pointOn(at(path), surface)); }
  void hover(const char* path, SurfaceId surface) {
    const QPointF point = gui.pointOn(at(path), surface);
    QMouseEvent event(QEvent::MouseMove, point, view().mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&view(), &event);
    QApplication::processEvents();
  }
  /// The view has the focus since mating began.
  void escape() { QTest::keyClick(gui.window.focusWidget(), Qt::Key_Escape); }
  QPushButton* button(const QString& text) {
    for (auto* button : view().matePanel().findChildren<QPushButton*>())
      if (button->text() == text) return button;
    return nullptr;
  }
  QString panel() { return view().matePanel().text(); }
  QString status() { return gui.window.statusLine().currentMessage(); }
  /// Whether the bolt's axis is on that of the hole, to rounding; and its direction.
  double missedAxis() {
    const MatableFace mover = face("bolt", shank), hole = face("plate", bore);
    return norm(cross(mover.shape.axis, hole.shape.axis)) +
           norm(cross(mover.middle - hole.middle, hole.shape.axis));
  }
  double upwards() { return face("bolt", shank).shape.axis.z; }

  TemporaryFolder folder;
  WindowSession gui;
};

}  // namespace

TEST_CASE("two clicks put a bolt onto the axis of a hole", "[gui][mating]") {
  Workshop shop;
  CHECK(shop.panel().isEmpty());
  shop.gui.key(Qt::Key_Y);
  CHECK(shop.panel() == "Click a face of the part to move; Esc ends");
  shop.click("bolt", shank);
  REQUIRE(shop.tool().first() == PickedFace{shop.at("bolt"), shank});
  CHECK(shop.panel() == "Axis of bolt\nClick the face to mate it with; Esc takes the first one back");
  CHECK_FALSE(shop.button("Flip")->isVisible());
  shop.click("plate", bore);
  shop.gui.settle();
  CHECK(shop.missedAxis() < 1e-9);
  CHECK(shop.upwards() > 0.999);
  CHECK(shop.status() == "bolt mated with plate: axis on axis");
  CHECK(shop.panel().startsWith("bolt mated with plate: axis on axis\nClick a face of the next part"));
  CHECK(shop.session().history().undoLabel() == "Mate bolt");
  CHECK(shop.gui.document.selection() == std::set{shop.at("bolt")});

  // The other sense is the same step.
  QTest::mouseClick(shop.button("Flip"), Qt::LeftButton);
  shop.gui.settle();
  CHECK(shop.missedAxis() < 1e-9);
  CHECK(shop.upwards() < -0.999);
  QTest::mouseClick(shop.button("Flip"), Qt::LeftButton);
  CHECK(shop.upwards() > 0.999);

  // The next mate puts the head onto the plate, and leaves the axis.
  shop.view().look(StandardView::bottom);
  shop.gui.settle();
  shop.click("bolt", underHead);
  shop.view().look(StandardView::top);
  shop.gui.settle();
  shop.click("plate", plateTop);
  shop.gui.settle();
  CHECK(shop.status() == "bolt mated with plate: face against face");
  CHECK(shop.missedAxis() < 1e-9);
  CHECK(std::abs(shop.face("bolt", underHead).middle.z) < 1e-9);

  QTest::mouseClick(shop.button("Done"), Qt::LeftButton);
  CHECK_FALSE(shop.tool().isActive());
  CHECK(shop.panel().isEmpty());
  shop.session().undo();
  CHECK(shop.missedAxis() < 1e-9);
  shop.session().undo();
  CHECK(shop.session().state().motions.empty());
  CHECK_FALSE(shop.session().history().canUndo());
}

TEST_CASE("faces that cannot be mated say why", "[gui][mating]") {
  Workshop shop;
  shop.gui.key(Qt::Key_Y);
  shop.hover("block", SurfaceId{0});
  CHECK(shop.view().displacementText() == "freeform: no plane and no axis");
  shop.click("block", SurfaceId{0});
  CHECK_FALSE(shop.tool().first());
  CHECK(shop.status() == "This face cannot be chosen: freeform: no plane and no axis");
  shop.hover("bolt", shank);
  CHECK(shop.view().displacementText().isEmpty());
  shop.click("bolt", headTop);
  shop.hover("plate", plateTop);
  CHECK(shop.view().displacementText().isEmpty());
  shop.hover("other", shank);
  CHECK(shop.view().displacementText() == "no plane, as the first face is");
  shop.hover("bolt", shank);
  CHECK(shop.view().displacementText().startsWith("moves with the first face"));
  shop.escape();
  shop.click("bolt", shank);
  shop.hover("plate", plateTop);
  CHECK(shop.view().displacementText().startsWith("a plane: the first face has an axis"));
  CHECK(shop.session().state().motions.empty());
}

TEST_CASE("Esc takes back the first face, then ends mating", "[gui][mating]") {
  Workshop shop;
  shop.gui.key(Qt::Key_Y);
  shop.click("bolt", shank);
  shop.escape();
  CHECK(shop.tool().isActive());
  CHECK_FALSE(shop.tool().first());
  shop.escape();
  CHECK_FALSE(shop.tool().isActive());
  // One tool takes the clicks.
  shop.gui.key(Qt::Key_R);
  shop.gui.key(Qt::Key_Y);
  CHECK_FALSE(shop.gui.window.measure().isActive());
  shop.gui.key(Qt::Key_R);
  CHECK_FALSE(shop.tool().isActive());
  shop.gui.key(Qt::Key_R);
  // In an exploded view, parts are not where they are drawn.
  CHECK(shop.gui.run({}, {"explode 0.5"}) == "");
  shop.gui.key(Qt::Key_Y);
  CHECK_FALSE(shop.tool().isActive());
  CHECK(shop.status() == "Parts cannot be mated in an exploded view.");
}

TEST_CASE("what is selected with the part moves with it", "[gui][mating]") {
  Workshop shop;
  shop.gui.document.select({shop.at("bolt"), shop.at("other")});
  shop.gui.key(Qt::Key_Y);
  shop.click("bolt", shank);
  CHECK(shop.panel().contains("All 2 selected parts will move"));
  shop.hover("other", shank);
  CHECK(shop.view().displacementText().startsWith("moves with the first face"));
  shop.click("plate", bore);
  shop.gui.settle();
  CHECK(shop.missedAxis() < 1e-9);
  CHECK(shop.session().motionOf(shop.at("other")) == shop.session().motionOf(shop.at("bolt")));
  CHECK(shop.status().endsWith("(all 2 selected parts moved)"));
  // What changes something else ends the offer to flip.
  CHECK(shop.button("Flip")->isVisible());
  shop.session().undo();
  CHECK_FALSE(shop.button("Flip")->isVisible());
}

TEST_CASE("the menu of a face mates it", "[gui][mating]") {
  Workshop shop;
  const QPoint at = shop.gui.pointOn(shop.at("bolt"), shank).toPoint();
  QTest::mouseClick(shop.gui.window.windowHandle(), Qt::RightButton, {},
                    shop.view().mapTo(&shop.gui.window, at));
  QApplication::processEvents();
  QMenu& menu = shop.gui.window.contextMenus().ofParts();
  REQUIRE(menu.isVisible());
  QAction* entry = nullptr;
  for (QAction* action : menu.actions())
    if (action->text().contains("ate this face with") && action->isVisible()) entry = action;
  REQUIRE(entry != nullptr);
  QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(entry).center());
  REQUIRE(shop.tool().first() == PickedFace{shop.at("bolt"), shank});
  shop.click("plate", bore);
  shop.gui.settle();
  CHECK(shop.missedAxis() < 1e-9);
}

TEST_CASE("scripts mate faces by their numbers", "[gui][mating]") {
  Workshop shop;
  CHECK(shop.gui.run({}, {"mate bolt 1 plate 3"}) == "");
  CHECK(shop.missedAxis() < 1e-9);
  CHECK(shop.upwards() > 0.999);
  CHECK(shop.gui.run({}, {"undo", "mate bolt 1 plate 3 flip"}) == "");
  CHECK(shop.upwards() < -0.999);
  CHECK(shop.gui.run({}, {"mate bolt 1 plate 2"}).find("a plane: the first face has an axis") !=
        std::string::npos);
  CHECK(shop.gui.run({}, {"mate block 0 plate 2"}).find("freeform") != std::string::npos);
  CHECK(shop.gui.run({}, {"mate bolt 9 plate 2"}).find("has no face 9") != std::string::npos);
  CHECK_FALSE(shop.tool().first());
  CHECK_FALSE(shop.tool().isActive());
}

TEST_CASE("a script is refused another sense where there is none, and nothing moves", "[gui][mating]") {
  const TemporaryFolder folder;
  Model model;
  const PartId ball = model.assembly.addPart(withDeflection(icosphere(2, 4), 0.01));
  model.assembly.addNode("a", {}, {}, ball);
  model.assembly.addNode("b", shift(9, 0, 0), {}, ball);
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "balls.fitup", model);
  WindowSession gui;
  gui.open(folder / "balls.fitup");
  CHECK(gui.run({}, {"mate a 0 b 0 flip"}).find("in one sense only") != std::string::npos);
  CHECK(gui.document.session()->state().motions.empty());
  CHECK(gui.run({}, {"mate a 0 b 0"}) == "");
  CHECK(gui.document.session()->state().motions.size() == 1);
}

TEST_CASE("a bolt that is dropped beside the axis of its hole is offered that axis", "[gui][mating]") {
  // In the hole and 1.6 off its axis; above the hole by less than its length.
  for (const Vec3& place : {Vec3{1.3, 0.93, -12}, Vec3{-2, 1, 14}}) {
    CAPTURE(place.z);
    Workshop shop(Transform::translation({60, 0, 0}));
    const NodeId bolt = shop.at("bolt");
    shop.gui.document.select({bolt});
    shop.gui.settle();
    REQUIRE(shop.gui.window.drag().begin({bolt}));
    shop.gui.window.drag().moveTo({{}, place - Vec3{60, 0, 0}});
    shop.gui.window.drag().finish();
    MateOffer& offer = shop.gui.window.mates();
    shop.gui.waitFor([&] { return offer.current() != nullptr; }, "a mate");
    for (int i = 0; i < 40 && !offer.text().contains("plate, axis on axis ("); ++i) {
      shop.gui.key(Qt::Key_J, Qt::ShiftModifier);
    }
    CAPTURE(offer.text().toStdString());
    REQUIRE(offer.text().contains("plate, axis on axis ("));
    shop.gui.key(Qt::Key_J);
    shop.gui.settle();
    CHECK(shop.missedAxis() < 1e-9);
    CHECK(shop.session().motionOf(bolt).rotation == Quaternion{});  // nothing is turned by rounding
    CHECK(shop.session().motionOf(bolt).translation.z == Approx(place.z));
  }
}

TEST_CASE("asking for another suggestion is always answered", "[gui][mating]") {
  Workshop shop;
  MateSuggestion mate;
  mate.moved = shop.at("bolt");
  mate.fixed = shop.at("plate");
  emit shop.gui.document.check().matesFound({mate});
  CHECK_FALSE(shop.gui.window.mates().text().contains("1 of 1"));
  shop.gui.key(Qt::Key_J, Qt::ShiftModifier);
  CHECK(shop.gui.window.mates().text().endsWith("1 of 1: no other suggestion"));
}

TEST_CASE("the border of faces that are seen as one has no edges between them", "[gui][mating]") {
  const MeshPtr cube = sixSidedBox(2, 2, 2, 3);
  const SurfaceId one[] = {SurfaceId{5}}, two[] = {SurfaceId{5}, SurfaceId{1}};
  CHECK(borderOf(*cube, one).size() == 12);
  CHECK(borderOf(*cube, two).size() == 18);
  for (const auto& [from, to] : borderOf(*cube, one)) CHECK((from.z == 1 && to.z == 1));
}

TEST_CASE("the Move panel shows what is meant, and forgets numbers for other parts", "[gui][mating]") {
  Workshop shop(Transform::translation({60, 0, 0}));
  shop.gui.document.select({shop.at("bolt")});
  const auto fields = shop.gui.window.placement().findChildren<NumberField*>();
  fields[0]->setValue(4);
  fields[4]->setValue(10);
  shop.gui.document.select({shop.at("bolt")}, shank);
  CHECK(fields[0]->value() == 4);
  shop.gui.document.select({shop.at("other")});
  for (int i = 0; i < 6; ++i) CHECK(fields[i]->value() == 0);

  const auto where = [&] {
    for (const QLabel* label : shop.gui.window.placement().findChildren<QLabel*>())
      if (label->text().startsWith("from design")) return label->text();
    return QString();
  };
  const std::vector<NodeId> other{shop.at("other")};
  shop.session().move(
      other, motionAbout({-45, 0, 13}, axisAngle({0.47, -0.88, -7e-8}, 4e-7), {72.69472, 4.1248e-06, -3e-6}),
      "Move");
  CHECK(where().startsWith("from design: 72.6947, 0, 0 "));
  CHECK(where().endsWith(", not turned"));
  shop.session().move(other, motionAbout({}, axisAngle({0, 0, 1}, 0.5), {}), "Move");
  CHECK(where().contains("turned 28.6479"));
  CHECK(where().endsWith("about (0, 0, 1)"));
}

}  // namespace mating_tests

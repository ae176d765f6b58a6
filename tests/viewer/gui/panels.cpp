// Tests properties, measurements and mouse navigation in the window.
#include <catch2/catch.hpp>
#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QSettings>
#include <QTest>
#include <QWheelEvent>

#include <fitup/io/model_file.h>
#include <models/process_plant.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/value_list.h>

#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace panels_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A cube of side 2 at the origin and one of side 1 at a distance of three to its right, seen from the front
/// and above.
struct TwoCubes {
  explicit TwoCubes(const ModelSource& source = {}) {
    Model model;
    model.source = source;
    const PartId large = model.assembly.addPart(sixSidedBox(2, 2, 2)),
                 small = model.assembly.addPart(sixSidedBox(1, 1, 1));
    model.assembly.addNode("large", {}, {}, large);
    model.assembly.addNode("small", Transform::translation({4.5, 0, 0}), {}, small);
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "cubes.fitup", model);
    gui.open(folder / "cubes.fitup");
    gui.window.view().look(StandardView::front);
  }
  [[nodiscard]] NodeId at(const char* path) const { return gui.document.session()->assembly().at(path); }

  /// The middle of a front face, where the cursor does not snap to edges.
  [[nodiscard]] QPointF middleOfFront(double x, double half) {
    return gui.window.view().widgetPoint({x, -half, 0}).value();
  }

  TemporaryFolder folder;
  WindowSession gui;
};

void raise(WindowSession& gui, const char* panel) {
  auto* dock = gui.window.findChild<QDockWidget*>(panel);
  REQUIRE(dock != nullptr);
  dock->raise();
  gui.settle();
}

constexpr SurfaceId frontFace{2}, topFace{5};

}  // namespace

TEST_CASE("properties follow the selection, the face that was clicked and moves", "[gui]") {
  TwoCubes cubes;
  WindowSession& gui = cubes.gui;
  PropertiesPanel& panel = gui.window.properties();
  raise(gui, "Properties");
  CHECK(panel.text().isEmpty());
  gui.click(gui.pointOn(cubes.at("large"), frontFace));
  CHECK(gui.document.face() == frontFace);
  CHECK(panel.value("General", "Path") == "large");
  CHECK(panel.value("Geometry", "Volume").startsWith("8 "));
  CHECK(panel.value("Geometry", "Closed") == "closed");
  CHECK(panel.value("Face 2, in the world", "Normal") == "0, -1, 0");
  CHECK(panel.value("Face 2, in the world", "Area").startsWith("4 "));
  CHECK(panel.value("Box in the world, in mm", "Size") == "2, 2, 2");

  gui.document.session()->move(std::vector{cubes.at("large")}, {{}, {10, 0, 0}}, "Move");
  gui.settle();
  CHECK(panel.value("Box in the world, in mm", "From") == "9, -1, -1");
  CHECK(panel.value("Placement in the world, in mm", "Origin") == "10, 0, 0");
  CHECK(panel.value("Placement in the world, in mm", "From design").startsWith("origin 10, 0, 0"));
  gui.document.session()->undo();
  gui.settle();
  CHECK(panel.value("Placement in the world, in mm", "From design") == "as designed");

  gui.selectInTree("small");
  CHECK_FALSE(gui.document.face());
  CHECK(panel.value("Face 2, in the world", "Area").isEmpty());
  CHECK(panel.value("Geometry", "Volume").startsWith("1 "));
  gui.document.select({cubes.at("large"), cubes.at("small")});
  gui.settle();
  CHECK(panel.value("General", "Kind") == "2 parts");
  CHECK(panel.value("Geometry", "Volume").startsWith("9 "));

  // By keyboard: the face by its number, a copied line.
  gui.selectInTree("large");
  auto* number = panel.findChild<QSpinBox*>();
  REQUIRE(number != nullptr);
  number->setFocus();
  QTest::keyClick(number, Qt::Key_Up);
  CHECK(gui.document.face() == SurfaceId{0});
  auto* list = panel.findChild<ValueList*>();
  list->setCurrentItem(list->topLevelItem(0)->child(0));
  list->setFocus();
  QApplication::setActiveWindow(&gui.window);
  QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
  CHECK(QApplication::clipboard()->text() == list->topLevelItem(0)->child(0)->text(1));
  CHECK_FALSE(QApplication::clipboard()->text().isEmpty());
  raise(gui, "Move");
  CHECK_FALSE(panel.isInFront());
}

TEST_CASE("properties name the file that was read, or where there were several the model", "[gui]") {
  for (const auto& [source, name] :
       {std::pair{ModelSource{"parts/cubes.stl", digestOf("cubes"), "fitup-import-mesh", {}}, "cubes.stl"},
        std::pair{ModelSource{"parts/large.stl, parts/small.stl", {}, "", {}}, "cubes.fitup"},
        std::pair{ModelSource{}, "cubes.fitup"}}) {
    TwoCubes cubes(source);
    raise(cubes.gui, "Properties");
    cubes.gui.selectInTree("large");
    CHECK(cubes.gui.window.properties().value("General", "File") == name);
  }
}

TEST_CASE("panels show no digits below the bound of a value", "[gui][bounds]") {
  CHECK(viewer::numberText(1.304e-12) == "0");
  CHECK(numberText(0.0123456, 1e-4) == "0.01235");
  CHECK(angleText(6.08e-8, 1e-7) == QStringLiteral("0°"));
  CHECK(angleText(0.5, 1e-7) == QStringLiteral("28.64789°"));
  CHECK(lengthText(0.25058, {0.098, 1e-6}, LengthUnit{"mm"}) == QStringLiteral("0.251 mm ± 0.099"));
  CHECK(lengthText(0.05, {0.098, 1e-6}, LengthUnit{"mm"}) == QStringLiteral("0 mm ± 0.15"));
  CHECK(lengthText(0.25058, {std::nullopt, 1e-3}, LengthUnit{"mm"}) == QStringLiteral("0.2506 mm"));
  CHECK(pointText({1, -3e-8, 0.5}, 1e-7) == "1, 0, 0.5");
}

TEST_CASE("two clicks measure between faces, the measurement follows the parts", "[gui]") {
  TwoCubes cubes;
  WindowSession& gui = cubes.gui;
  MeasureTool& measure = gui.window.measure();
  gui.selectInTree("small");
  REQUIRE(gui.window.view().gizmo());
  gui.key(Qt::Key_R);
  REQUIRE(measure.isActive());
  CHECK_FALSE(gui.window.view().gizmo());
  gui.click(cubes.middleOfFront(0, 1));
  REQUIRE(measure.pending());
  CHECK(measure.pendingValue()->firstShape->kind == SurfaceKind::plane);
  gui.click(cubes.middleOfFront(4.5, 0.5));
  CHECK(gui.document.selection() == std::set<NodeId>{cubes.at("small")});
  REQUIRE(measure.entries().size() == 1);
  const MeasuredValue faces = measure.entries()[0].value.value();
  CHECK(*faces.distance == Approx(std::hypot(3.0, 0.5)));
  CHECK(*faces.shapeDistance == Approx(0.5));
  CHECK(gui.window.view().measuredNumbers() == QStringList{QStringLiteral("∥ 0.5 mm")});
  CHECK(gui.window.measurements().text().contains("Between the planes\t0.5 mm"));

  // Parts with Ctrl, points with Shift.
  gui.click(cubes.middleOfFront(0, 1), Qt::ControlModifier);
  gui.click(cubes.middleOfFront(4.5, 0.5), Qt::ControlModifier);
  CHECK(*measure.entries().at(1).value->distance == Approx(3));
  const QPointF here = cubes.middleOfFront(0, 1);
  gui.click(here, Qt::ShiftModifier);
  gui.click(here + QPointF(20, 0), Qt::ShiftModifier);
  const double pixels = gui.window.view().camera().worldPerPixel({0, -1, 0});
  CHECK(*measure.entries().at(2).value->distance ==
        Approx(20 * gui.window.view().devicePixelRatioF() * pixels).epsilon(0.02));

  // None of it is a change of the session; what moves is measured again.
  CHECK_FALSE(gui.document.session()->history().canUndo());
  gui.document.session()->move(std::vector{cubes.at("small")}, {{}, {2, 0, 0}}, "Move");
  gui.settle();
  CHECK(*measure.entries()[0].value->distance == Approx(std::hypot(5.0, 0.5)));
  CHECK(*measure.entries()[1].value->distance == Approx(5));

  gui.window.view().setFocus();
  gui.click(cubes.middleOfFront(0, 1));
  QTest::keyClick(&gui.window.view(), Qt::Key_Escape);
  CHECK_FALSE(measure.pending());
  CHECK(measure.isActive());
  QTest::keyClick(&gui.window.view(), Qt::Key_Escape);
  CHECK_FALSE(measure.isActive());
  CHECK(gui.window.view().gizmo());
  gui.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(measure.entries().empty());
  CHECK(gui.window.view().measuredNumbers().isEmpty());

  // By keyboard alone: the selection.
  gui.document.select({cubes.at("large"), cubes.at("small")});
  gui.key(Qt::Key_R, Qt::ShiftModifier);
  REQUIRE(measure.entries().size() == 1);
  CHECK(*measure.entries()[0].value->distance == Approx(5));
  // Another model: they are gone.
  gui.open(cubes.folder / "cubes.fitup");
  CHECK(measure.entries().empty());
  CHECK(gui.window.measurements().text().isEmpty());
}

TEST_CASE("navigation presets bind the mouse", "[gui]") {
  TwoCubes cubes;
  WindowSession& gui = cubes.gui;
  SceneView& view = gui.window.view();
  const QPointF from(60, 60), to(120, 90);
  struct Moved {
    bool turned, nearer, shifted;
  };
  const auto drag = [&](Qt::MouseButton button, Qt::KeyboardModifiers keys) {
    view.look(StandardView::isometric);
    const Viewpoint before = view.camera().viewpoint();
    const Vec3 forward = view.camera().forward();
    gui.drag(from, to, 2, button, keys);
    const Viewpoint after = view.camera().viewpoint();
    const bool turned = norm(view.camera().forward() - forward) > 1e-6;
    const double ahead = dot(after.eye - before.eye, forward);
    const bool aside = norm(after.eye - before.eye - ahead * forward) > 1e-6;
    return Moved{turned, !turned && std::abs(ahead) > 1e-6, !turned && aside && std::abs(ahead) < 1e-6};
  };
  const auto wheelGoesNearer = [&] {
    view.look(StandardView::isometric);
    const double before = norm(view.camera().viewpoint().eye);
    QWheelEvent wheel(from, view.mapToGlobal(from), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
    return norm(view.camera().viewpoint().eye) < before;
  };
  const auto isStill = [](const Moved& m) { return !m.turned && !m.nearer && !m.shifted; };
  CHECK(view.navigation() == NavigationPreset::cad);
  CHECK(drag(Qt::LeftButton, Qt::NoModifier).turned);
  CHECK(drag(Qt::MiddleButton, Qt::NoModifier).turned);
  CHECK(drag(Qt::RightButton, Qt::NoModifier).shifted);
  CHECK(drag(Qt::MiddleButton, Qt::ShiftModifier).shifted);
  CHECK(wheelGoesNearer());
  gui.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(view.navigation() == NavigationPreset::solidworks);
  CHECK(isStill(drag(Qt::LeftButton, Qt::NoModifier)));
  CHECK(isStill(drag(Qt::RightButton, Qt::NoModifier)));
  CHECK(drag(Qt::MiddleButton, Qt::NoModifier).turned);
  CHECK(drag(Qt::MiddleButton, Qt::ControlModifier).shifted);
  CHECK(drag(Qt::MiddleButton, Qt::ShiftModifier).nearer);
  CHECK_FALSE(wheelGoesNearer());
  gui.key(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(view.navigation() == NavigationPreset::blender);
  CHECK(drag(Qt::MiddleButton, Qt::NoModifier).turned);
  CHECK(drag(Qt::MiddleButton, Qt::ShiftModifier).shifted);
  CHECK(drag(Qt::MiddleButton, Qt::ControlModifier).nearer);
  CHECK(isStill(drag(Qt::RightButton, Qt::NoModifier)));
  CHECK(wheelGoesNearer());
}

TEST_CASE("the navigation preset is remembered", "[gui]") {
  {
    WindowSession gui;
    gui.window.view().setNavigation(NavigationPreset::blender);
    rememberSettings(gui.window);
  }
  WindowSession gui;
  CHECK(gui.window.view().navigation() == NavigationPreset::cad);
  recallSettings(gui.window);
  CHECK(gui.window.view().navigation() == NavigationPreset::blender);
  QSettings().setValue("work/navigation", "sideways");
  recallSettings(gui.window);
  CHECK(gui.window.view().navigation() == NavigationPreset::blender);
  QSettings().clear();
}

}  // namespace panels_tests

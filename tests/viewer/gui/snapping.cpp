// Tests that the mouse snaps to corners, edges and centres of circles while measuring.
#include <catch2/catch.hpp>
#include <cmath>

#include <QApplication>
#include <QMouseEvent>

#include <fitup/io/model_file.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/scene_view.h>

#include "support/analytic_solids.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace snapping_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

const double deflection = sagitta(1, 48);

/// A cube of side 2 at the origin, and a pin of radius 1 with its axis at x = 5, seen from above.
struct CubeAndPin {
  CubeAndPin() {
    Model model;
    const PartId cube = model.assembly.addPart(sixSidedBox(2, 2, 2)),
                 pin = model.assembly.addPart(withDeflection(cylinder(1, 2, 48), deflection));
    model.assembly.addNode("cube", {}, {}, cube);
    model.assembly.addNode("pin", Transform::translation({5, 0, 0}), {}, pin);
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "parts.fitup", model);
    gui.open(folder / "parts.fitup");
    view().look(StandardView::top);
    QObject::connect(&view(), &SceneView::hovered, [this](const QString& text) { hovered = text; });
  }
  SceneView& view() { return gui.window.view(); }
  MeasureTool& measure() { return gui.window.measure(); }
  /// Moves the mouse beside a point of the world; returns where it is.
  QPointF moveTo(const Vec3& world, const QPointF& beside = {},
                 Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    const QPointF at = view().widgetPoint(world).value() + beside;
    QMouseEvent event(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, Qt::NoButton, modifiers);
    QApplication::sendEvent(&view(), &event);
    QApplication::processEvents();
    return at;
  }
  /// Moves the mouse there, until the text is shown, and clicks.
  void clickAt(const Vec3& world, const QPointF& beside, const QString& text) {
    gui.waitFor(
        [&] {
          moveTo(world, beside);
          return hovered.endsWith(text);
        },
        "the text of what is snapped to");
    gui.click(moveTo(world, beside));
  }
  /// The pixels of the view in the colour of what is snapped to.
  int litPixels() {
    const QImage picture = view().grabFramebuffer();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor c = picture.pixelColor(x, y);
        if (c.red() > 240 && std::abs(c.green() - 140) < 15 && c.blue() < 30) ++count;
      }
    return count;
  }

  TemporaryFolder folder;
  WindowSession gui;
  QString hovered;
};

}  // namespace

TEST_CASE("clicks near corners and centres measure from there", "[gui][snap]") {
  CubeAndPin parts;
  const Vec3 corner{1, -1, 1}, centre{5, 0, 1};
  parts.moveTo(corner, {-5, -5});
  CHECK(parts.litPixels() == 0);  // not measuring
  parts.gui.key(Qt::Key_R);
  parts.clickAt(corner, {-5, -5}, "corner");
  REQUIRE(parts.measure().pending());
  CHECK(parts.measure().pending()->isCorner);
  CHECK(norm(*parts.measure().pending()->pointInPart - corner) < 1e-6);

  parts.clickAt(centre, {6, 4}, QStringLiteral("centre of circle Ø 2 mm"));
  REQUIRE(parts.measure().entries().size() == 1);
  const MeasuredValue value = parts.measure().entries()[0].value.value();
  REQUIRE(value.distance);
  CHECK(std::abs(*value.distance - std::hypot(4.0, 1.0)) <= value.distanceError.bound());
  CHECK(norm(value.firstPoint - corner) < 1e-6);
  CHECK(norm(value.secondPoint - centre) < 1e-4);
  const QStringList labels = parts.view().measuredNumbers();
  REQUIRE(labels.size() == 1);
  CHECK(labels[0].startsWith("4.12"));
  const QString text = parts.gui.window.measurements().text();
  CHECK(text.contains("corner of cube"));
  CHECK(text.contains(QStringLiteral("centre of circle Ø 2 mm of pin")));
}

TEST_CASE("clicks near edges measure from edges, others from faces", "[gui][snap]") {
  CubeAndPin parts;
  parts.gui.key(Qt::Key_R);
  // The right edge of the cube's top, and the rim of the pin.
  parts.clickAt({1, 0, 1}, {-4, 0}, "edge");
  REQUIRE(parts.measure().pending());
  CHECK(parts.measure().pending()->edge);
  parts.clickAt({4, 0, 1}, {4, 0}, QStringLiteral("edge, circle Ø 2 mm"));
  REQUIRE(parts.measure().entries().size() == 1);
  const MeasuredValue edges = parts.measure().entries()[0].value.value();
  REQUIRE(edges.distance);
  CHECK(std::abs(*edges.distance - 3) <= edges.distanceError.bound());
  CHECK(edges.distanceError.bound() < 2 * deflection);
  // They follow the parts.
  parts.gui.document.session()->move(std::vector{parts.gui.document.session()->assembly().at("pin")},
                                     {{}, {2, 0, 0}}, "Move");
  parts.gui.settle();
  CHECK(*parts.measure().entries()[0].value->distance == Approx(5).margin(deflection));

  // The middle of a face is far from edges.
  parts.gui.click(parts.moveTo({0, 0, 1}));
  REQUIRE(parts.measure().pending());
  CHECK(parts.measure().pending()->surface == SurfaceId{5});
  CHECK_FALSE(parts.measure().pending()->pointInPart);
  // With Ctrl, the whole part, also at a corner.
  const QPointF corner = parts.moveTo({1, -1, 1}, {-3, -3}, Qt::ControlModifier);
  parts.gui.click(corner, Qt::ControlModifier);
  REQUIRE(parts.measure().entries().size() == 2);
  CHECK(parts.measure().entries()[1].second == MeasureTarget{parts.measure().entries()[0].first.instance});
}

TEST_CASE("what a click would take is lit", "[gui][snap]") {
  CubeAndPin parts;
  parts.gui.key(Qt::Key_R);
  const auto pixelsAt = [&](const Vec3& world, const QPointF& beside, const QString& text) {
    parts.gui.waitFor(
        [&] {
          parts.moveTo(world, beside);
          return parts.hovered.endsWith(text);
        },
        "the text of what is snapped to");
    return parts.litPixels();
  };
  const int corner = pixelsAt({1, -1, 1}, {-5, -5}, "corner"), edge = pixelsAt({1, 0, 1}, {-4, 0}, "edge");
  CHECK(corner > 10);
  CHECK(corner < 150);
  CHECK(edge > 150);
  // Hidden parts have no edges.
  parts.gui.document.session()->edit("Hide", [&](SessionState& state) {
    state.hidden.insert(parts.gui.document.session()->assembly().at("cube"));
  });
  parts.gui.settle();
  parts.moveTo({1, -1, 1}, {-5, -5});
  CHECK(parts.hovered.isEmpty());
  CHECK(parts.litPixels() == 0);
  // Neither is anything lit when measuring ends.
  CHECK(pixelsAt({5, 0, 1}, {3, 3}, "mm") > 100);
  parts.gui.key(Qt::Key_R);
  CHECK(parts.litPixels() == 0);
}

}  // namespace snapping_tests

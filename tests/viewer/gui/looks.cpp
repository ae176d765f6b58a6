// Tests colours and transparency of parts: what is drawn, the tree, undo, and the project.
#include <catch2/catch.hpp>
#include <cstdlib>

#include <QColorDialog>
#include <QSlider>
#include <QTreeWidget>

#include <fitup/io/model_file.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/scene_view.h>

#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace looks_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A green box in front of a blue one, seen from the front.
struct Boxes {
  Boxes() {
    Model model;
    model.assembly = Assembly("boxes");
    const auto add = [&](const char* name, double y, const Colour& colour) {
      return model.assembly.addNode(name, Transform::translation({0, y, 0}), {},
                                    model.assembly.addPart(sixSidedBox(10, 4, 10)), colour);
    };
    near = add("near", -10, {0.1F, 0.8F, 0.1F, 1});
    far = add("far", 10, {0.1F, 0.1F, 0.8F, 1});
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(folder / "boxes.fitup", model);
    gui.open(folder / "boxes.fitup");
    CHECK(gui.run({}, {"view front"}) == "");
    gui.settle();
  }
  /// The colour of the middle of the front box.
  QColor middle() {
    SceneView& view = gui.window.view();
    view.finishDrawing();
    const QPointF at = view.widgetPoint({0, -12, 0}).value() * view.devicePixelRatioF();
    return view.grabFramebuffer().pixelColor(at.toPoint());
  }
  QColor swatch() {
    const QTreeWidget& tree = gui.window.tree().tree();
    return tree.topLevelItem(0)->icon(0).pixmap(12, 12).toImage().pixelColor(6, 6);
  }
  const PartLooks& looks() { return gui.document.session()->state().looks; }

  TemporaryFolder folder;
  NodeId near{}, far{};
  WindowSession gui;
};

bool isGreen(const QColor& c) { return c.green() > 2 * c.red() && c.green() > 2 * c.blue(); }
bool isRed(const QColor& c) { return c.red() > 2 * c.green() && c.red() > 2 * c.blue(); }

}  // namespace

TEST_CASE("selected parts are coloured, as the tree shows, undoably and in the project", "[gui]") {
  Boxes boxes;
  REQUIRE(isGreen(boxes.middle()));
  REQUIRE(isGreen(boxes.swatch()));
  CHECK(boxes.gui.run({}, {"select near", "colour \"#d01010\"", "select"}) == "");
  boxes.gui.settle();
  CHECK(isRed(boxes.middle()));
  CHECK(boxes.swatch() == QColor(0xd0, 0x10, 0x10));
  CHECK(boxes.looks() == PartLooks{{boxes.near, {0xd01010U, 0}}});
  boxes.gui.document.session()->undo();
  CHECK(isGreen(boxes.middle()));
  CHECK(isGreen(boxes.swatch()));
  boxes.gui.document.session()->redo();
  CHECK(isRed(boxes.middle()));

  const std::filesystem::path project = boxes.folder / "work.fitup-project";
  CHECK(boxes.gui.run({}, {"select far", "transparency 70", "save " + project.string(), "select near far",
                           "colour reset", "select"}) == "");
  CHECK(boxes.looks().empty());
  CHECK(isGreen(boxes.middle()));
  boxes.gui.open(project);
  CHECK(boxes.looks() == PartLooks{{boxes.near, {0xd01010U, 0}}, {boxes.far, {{}, 70}}});
  CHECK(boxes.gui.run({}, {"view front"}) == "");
  CHECK(isRed(boxes.middle()));
  CHECK(boxes.swatch() == QColor(0xd0, 0x10, 0x10));
  CHECK_FALSE(boxes.gui.document.isModified());

  CHECK(boxes.gui.run({}, {"select near", "colour reddish"}).find("not a colour") != std::string::npos);
  CHECK(boxes.gui.run({}, {"select near", "colour -1234f"}).find("not a colour") != std::string::npos);
  CHECK(boxes.gui.run({}, {"select near", "transparency 101"}).find("100") != std::string::npos);
  CHECK(boxes.gui.run({}, {"select", "colour ff0000"}).find("nothing is selected") != std::string::npos);
}

TEST_CASE("what is behind a transparent part is seen, through its own colours", "[gui]") {
  Boxes boxes;
  const QColor opaque = boxes.middle();
  CHECK(boxes.gui.run({}, {"select near", "transparency 60", "select"}) == "");
  const QColor through = boxes.middle();
  CHECK(through.blue() > opaque.blue() + 40);
  CHECK(through.green() > 40);  // still greenish, beside the blue
  CHECK(through.green() < opaque.green());
  CHECK(boxes.gui.run({}, {"select near", "transparency 100", "hide", "select"}) == "");
  const QColor hidden = boxes.middle();
  CHECK(boxes.gui.run({}, {"show-all"}) == "");
  const QColor invisible = boxes.middle();
  CHECK(std::abs(invisible.blue() - hidden.blue()) < 6);
  CHECK(std::abs(invisible.green() - hidden.green()) < 6);
  // A drawing shows white faces, whatever the looks are.
  boxes.gui.window.view().setDisplayMode(DisplayMode::hiddenLine);
  CHECK(boxes.middle().lightness() > 240);
}

TEST_CASE("a part is coloured while the picture does not show colours", "[gui]") {
  Boxes boxes;
  boxes.gui.window.view().setDisplayMode(DisplayMode::hiddenLine);
  CHECK(boxes.gui.run({}, {"select near", "colour d01010", "select"}) == "");
  CHECK(boxes.middle().lightness() > 240);
  boxes.gui.window.view().setDisplayMode(DisplayMode::shaded);
  CHECK(isRed(boxes.middle()));
}

TEST_CASE("cut faces have the colours of their parts", "[gui]") {
  Boxes boxes;
  CHECK(boxes.gui.run({}, {"section -y -10"}) == "");
  boxes.gui.settle();
  const auto average = [&] {
    SceneView& view = boxes.gui.window.view();
    view.finishDrawing();
    const QImage picture = view.grabFramebuffer();
    const QPoint at = (view.widgetPoint({0, -10, 0}).value() * view.devicePixelRatioF()).toPoint();
    int green = 0, blue = 0;
    for (int dy = -10; dy <= 10; ++dy)
      for (int dx = -10; dx <= 10; ++dx) {
        green += picture.pixelColor(at.x() + dx, at.y() + dy).green();
        blue += picture.pixelColor(at.x() + dx, at.y() + dy).blue();
      }
    return (green - blue) / (21 * 21);
  };
  CHECK(average() > 30);
  CHECK(boxes.gui.run({}, {"select near", "colour 4030d0", "select"}) == "");
  boxes.gui.settle();
  CHECK(average() < -30);
  boxes.gui.document.session()->undo();
  boxes.gui.settle();
  CHECK(average() > 30);
}

TEST_CASE("the dialogs of colour and transparency change the selected parts", "[gui]") {
  Boxes boxes;
  boxes.gui.document.select({boxes.near});
  whenAsked(
      [](QDialog& dialog) {
        auto& colours = dynamic_cast<QColorDialog&>(dialog);
        CHECK(isGreen(colours.currentColor()));
        colours.setCurrentColor(QColor(200, 20, 30));
        colours.accept();
      },
      [&] { boxes.gui.window.commands().action("colour").trigger(); });
  CHECK(boxes.looks() == PartLooks{{boxes.near, {0xc8141eU, 0}}});
  whenAsked([](QDialog& dialog) { dialog.reject(); },
            [&] { boxes.gui.window.commands().action("colour").trigger(); });
  CHECK(boxes.looks() == PartLooks{{boxes.near, {0xc8141eU, 0}}});
  whenAsked(
      [&](QDialog& dialog) {
        auto* slider = dialog.findChild<QSlider*>();
        for (const int percent : {10, 30, 55}) {
          slider->setValue(percent);
          CHECK(boxes.looks().at(boxes.near).transparency == static_cast<unsigned>(percent));
        }
        press(dialog, QDialogButtonBox::Close);
      },
      [&] { boxes.gui.window.commands().action("transparency").trigger(); });
  CHECK(boxes.looks() == PartLooks{{boxes.near, {0xc8141eU, 55}}});
  boxes.gui.document.session()->undo();  // one step
  CHECK(boxes.looks() == PartLooks{{boxes.near, {0xc8141eU, 0}}});
  boxes.gui.window.commands().action("colour reset").trigger();
  CHECK(boxes.looks().empty());
}

}  // namespace looks_tests

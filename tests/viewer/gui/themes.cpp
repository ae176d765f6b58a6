// Tests that the view follows the light or dark colours of the application.
#include <algorithm>
#include <catch2/catch.hpp>

#include <QApplication>
#include <QPalette>

#include <fitup/io/model_file.h>
#include <viewer/gui/scene_view.h>

#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace themes_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Restores the colours of the application, also if a check fails.
struct Palettes {
  Palettes() : before(QApplication::palette()) {}
  ~Palettes() { QApplication::setPalette(before); }
  QPalette before;
};

struct Lightness {
  int background = 0, darkest = 255, lightest = 0;
};

Lightness lightnessOf(WindowSession& gui) {
  gui.window.view().finishDrawing();
  const QImage picture = gui.window.view().grabFramebuffer();
  Lightness found;
  found.background = picture.pixelColor(2, 2).lightness();
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const int lightness = picture.pixelColor(x, y).lightness();
      found.darkest = std::min(found.darkest, lightness);
      found.lightest = std::max(found.lightest, lightness);
    }
  return found;
}

}  // namespace

TEST_CASE("background and wireframe follow the palette, also while the program runs", "[gui]") {
  const Palettes restored;
  QApplication::setPalette(QPalette(QColor(240, 240, 240)));
  const TemporaryFolder folder;
  Model model;
  model.assembly.addNode("box", {}, {}, model.assembly.addPart(sixSidedBox(10, 8, 6)));
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "box.fitup", model);
  WindowSession gui;
  gui.open(folder / "box.fitup");
  gui.window.view().setDisplayMode(DisplayMode::wireframe);
  const Lightness light = lightnessOf(gui);
  CHECK(light.background > 200);
  CHECK(light.darkest < 60);

  QApplication::setPalette(QPalette(QColor(40, 42, 46)));
  QApplication::processEvents();
  const Lightness dark = lightnessOf(gui);
  CHECK(dark.background < 70);
  CHECK(dark.lightest > 180);
  CHECK(dark.darkest >= dark.background - 2);  // no edge is darker
  // Edges on faces stay dark.
  gui.window.view().setDisplayMode(DisplayMode::hiddenLine);
  const Lightness paper = lightnessOf(gui);
  CHECK(paper.background == dark.background);
  CHECK(paper.darkest < dark.background);

  gui.window.view().setDisplayMode(DisplayMode::wireframe);
  QApplication::setPalette(QPalette(QColor(240, 240, 240)));
  QApplication::processEvents();
  const Lightness again = lightnessOf(gui);
  CHECK(again.background == light.background);
  CHECK(again.darkest == light.darkest);
}

}  // namespace themes_tests

// Tests that the view follows the light or dark colours of the application.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include <QApplication>
#include <QLabel>
#include <QPalette>
#include <QPushButton>
#include <QTest>

#include <fitup/io/model_file.h>
#include <viewer/gui/message_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/theme.h>

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

namespace {

/// The contrast of the Web Content Accessibility Guidelines, 1 to 21.
double contrast(const QColor& a, const QColor& b) {
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const auto luminance = [&](const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
  };
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

/// The best contrast of a pixel to a pixel of the background, as the widget is drawn.
double contrastOf(QWidget& widget, const QPoint& background) {
  const QImage picture = widget.grab().toImage();
  double best = 1;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      best = std::max(best, contrast(picture.pixelColor(x, y), picture.pixelColor(background)));
  return best;
}

struct Themes {
  ~Themes() { setTheme(Theme::system); }
};

}  // namespace

TEST_CASE("errors and warnings can be read in all themes", "[gui][contrast]") {
  CHECK(contrast(Qt::black, Qt::white) == Approx(21));
  CHECK(contrast(QColor(119, 119, 119), Qt::white) == Approx(4.48).margin(0.01));
  const Themes restored;
  WindowSession gui;
  gui.window.tell("The file is not a model");
  auto* panel = gui.window.findChild<MessagePanel*>();
  auto* text = panel->findChild<QLabel*>();
  REQUIRE(text != nullptr);
  std::set<QRgb> backgrounds;
  for (const Theme theme : {Theme::dark, Theme::light, Theme::dark, Theme::system}) {
    setTheme(theme);
    gui.settle();
    CAPTURE(name(theme));
    CHECK(contrastOf(*text, {0, 0}) > 4.5);
    for (QPushButton* button : panel->findChildren<QPushButton*>())
      if (button->isVisible()) CHECK(contrastOf(*button, {5, 4}) > 4.5);
    backgrounds.insert(panel->grab().toImage().pixel(1, 1));
    const QPalette palette = QApplication::palette();
    for (const QPalette::ColorRole role : {QPalette::Window, QPalette::Base, QPalette::AlternateBase})
      CHECK(contrast(warningColour(palette), palette.color(role)) > 4.5);
  }
  CHECK(backgrounds.size() == 2);  // the panel is not light in a dark window
}

namespace {

struct SystemTheme {
  ~SystemTheme() { setTheme(Theme::system); }
};

}  // namespace

TEST_CASE("texts can be read in both themes", "[gui][themes]") {
  const SystemTheme restored;
  for (const Theme each : {Theme::light, Theme::dark}) {
    CAPTURE(name(each));
    setTheme(each);
    const QPalette palette = QApplication::palette();
    using enum QPalette::ColorRole;
    for (const auto& [text, behind] :
         {std::pair(WindowText, Window), std::pair(Text, Base), std::pair(Text, AlternateBase),
          std::pair(ButtonText, Button), std::pair(PlaceholderText, Base),
          std::pair(HighlightedText, Highlight), std::pair(Link, Window), std::pair(Link, Base),
          std::pair(ToolTipText, ToolTipBase)}) {
      CAPTURE(text, behind);
      CHECK(contrast(palette.color(text), palette.color(behind)) >= 4.5);
    }
    CHECK(contrast(warningColour(palette), palette.color(Window)) >= 4.5);
  }
}

TEST_CASE("what has the focus has a frame that is seen", "[gui][themes]") {
  const SystemTheme restored;
  for (const Theme each : {Theme::light, Theme::dark}) {
    CAPTURE(name(each));
    setTheme(each);
    QWidget window;
    QPushButton button("one", &window), other("two", &window);
    button.setAutoDefault(false);
    other.move(0, 60);
    window.show();
    QApplication::setActiveWindow(&window);
    other.setFocus(Qt::TabFocusReason);
    QApplication::processEvents();
    REQUIRE(other.hasFocus());
    const QImage before = button.grab().toImage();
    QTest::keyClick(&other, Qt::Key_Tab);
    QApplication::processEvents();
    REQUIRE(button.hasFocus());
    const QImage after = button.grab().toImage();
    REQUIRE(after.size() == before.size());
    int seen = 0;
    for (int y = 0; y < after.height(); ++y)
      for (int x = 0; x < after.width(); ++x)
        seen += contrast(after.pixelColor(x, y), before.pixelColor(x, y)) >= 3;
    CHECK(seen > after.width() + after.height());
  }
}

}  // namespace themes_tests

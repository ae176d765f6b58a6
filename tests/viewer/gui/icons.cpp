// Tests the icons of commands, and the buttons of the tool bars.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QPalette>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>

#include <viewer/gui/commands.h>
#include <viewer/gui/icons.h>
#include <viewer/gui/theme.h>

#include "viewer/gui/window_session.h"

namespace icons_tests {

using namespace fitup;
using namespace fitup::test;
using viewer::Command;
using viewer::commandIcon;
using viewer::Theme;

namespace {

/// Restores the colours of the application, also if a check fails.
struct Themes {
  ~Themes() { viewer::setTheme(Theme::system); }
};

QList<QToolButton*> buttonsOf(const viewer::MainWindow& window) {
  QList<QToolButton*> buttons;
  for (const QToolBar* bar : window.findChildren<QToolBar*>())
    for (QAction* action : bar->actions())
      if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action))) buttons += button;
  return buttons;
}

/// Returns the colour of the most opaque pixel.
QColor inkOf(const QPixmap& picture) {
  const QImage image = picture.toImage();
  QColor ink(0, 0, 0, 0);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).alpha() > ink.alpha()) ink = image.pixelColor(x, y);
  return ink;
}

bool isSame(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) < 4 && std::abs(a.green() - b.green()) < 4 &&
         std::abs(a.blue() - b.blue()) < 4;
}

}  // namespace

TEST_CASE("every button of the tool bars has an icon, and a tooltip with its name, effect and keys",
          "[gui][icons]") {
  WindowSession gui;
  const viewer::Commands& commands = gui.window.commands();
  std::map<const QAction*, const Command*> ofActions;
  for (const auto& command : commands.all())
    if (!command->entry.text.isEmpty()) ofActions[&commands.action(command->id)] = command.get();
  std::size_t menus = 0, texts = 0;
  const auto buttons = buttonsOf(gui.window);
  CHECK(buttons.size() >= 20);
  for (QToolButton* button : buttons) {
    CAPTURE(button->text().toStdString(), button->objectName().toStdString());
    CHECK_FALSE(button->icon().isNull());
    if (button->menu() != nullptr) {
      ++menus;
      CHECK(button->toolTip().contains(button->text()));
      CHECK_FALSE(button->accessibleName().isEmpty());
      for (const QAction* action : button->menu()->actions())
        CHECK((action->isSeparator() || ofActions.contains(action)));
      continue;
    }
    texts += button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon ? 1 : 0;
    QToolTip::hideText();
    QHelpEvent help(QEvent::ToolTip, {5, 5}, button->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(button, &help);
    const QString tip = QToolTip::text();
    const Command& command = *ofActions.at(button->defaultAction());
    CHECK(tip.contains(QString(command.entry.text).remove('&').remove("...")));
    CHECK(tip.contains(command.entry.tip));
    CHECK(tip.contains(
        QKeySequence::listFromString(command.entry.keys).front().toString(QKeySequence::NativeText)));
  }
  CHECK(menus == 3);
  CHECK(texts == 3);
  QToolTip::hideText();
}

TEST_CASE("a button that opens a menu shows the choice", "[gui][icons]") {
  WindowSession gui;
  auto* display = gui.window.findChild<QToolButton*>("display");
  REQUIRE(display != nullptr);
  const auto picture = [&] { return display->icon().pixmap(24).toImage(); };
  const QImage before = picture();
  CHECK(display->toolTip().contains("Shaded with edges"));
  gui.key(Qt::Key_4, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(picture() != before);
  CHECK(picture() == commandIcon("display wireframe").pixmap(24).toImage());
  CHECK(display->toolTip().contains("Wireframe"));
  gui.key(Qt::Key_D);  // a switch in the same menu
  CHECK(picture() == commandIcon("display wireframe").pixmap(24).toImage());
}

TEST_CASE("icons belong to commands, are sharp, and follow the theme", "[gui][icons]") {
  WindowSession gui;
  const Themes restored;
  std::set<std::string> names;
  for (const auto& command : gui.window.commands().all()) {
    std::string name = command->id;
    std::replace(name.begin(), name.end(), ' ', '-');
    names.insert(name);
  }
  names.insert("pause");  // while a motion is played, the button of "play" has it
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(FITUP_SOURCE_DIR) /
                                                               "viewer" / "gui" / "icons")) {
    if (entry.path().extension() != ".svg") continue;
    CAPTURE(entry.path().string());
    ++files;
    const std::string name = entry.path().stem().string();
    CHECK(names.contains(name));
    const QIcon icon = commandIcon(name);
    REQUIRE_FALSE(icon.isNull());  // is listed in the resources
    // Each draws something, and nothing that is cut off at the border.
    const QImage image = icon.pixmap(QSize(24, 24), 4.0).toImage();
    CHECK(image.size() == QSize(96, 96));
    int drawn = 0, cut = 0;
    for (int y = 0; y < 96; ++y)
      for (int x = 0; x < 96; ++x) {
        const bool isInk = image.pixelColor(x, y).alpha() > 0;
        drawn += isInk ? 1 : 0;
        cut += isInk && (x == 0 || y == 0 || x == 95 || y == 95) ? 1 : 0;
      }
    CHECK(drawn > 400);
    CHECK(cut == 0);
  }
  CHECK(files > 60);
  CHECK(commandIcon("no such command").isNull());

  const QIcon icon = commandIcon("record");
  const QPixmap twice = icon.pixmap(QSize(24, 24), 2.0);
  CHECK(twice.size() == QSize(48, 48));
  CHECK(twice.devicePixelRatio() == 2.0);
  for (const Theme theme : {Theme::light, Theme::dark}) {
    viewer::setTheme(theme);
    const QPalette palette = QApplication::palette();
    CHECK(isSame(inkOf(icon.pixmap(24)), palette.color(QPalette::ButtonText)));
    CHECK(isSame(inkOf(icon.pixmap(QSize(24, 24), QIcon::Disabled)),
                 palette.color(QPalette::Disabled, QPalette::ButtonText)));
    CHECK(std::abs(palette.color(QPalette::ButtonText).lightness() -
                   palette.color(QPalette::Window).lightness()) > 120);
  }
}

}  // namespace icons_tests

// Tests the names that screen readers read.
#include <catch2/catch.hpp>

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QDockWidget>

#include <viewer/gui/commands.h>
#include <viewer/gui/scene_view.h>

#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace accessibility_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Widgets that take the focus but have no name, as "class in panel".
QStringList nameless(QWidget& within) {
  QStringList found;
  for (QWidget* widget : within.findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr) continue;
    // Parts of other widgets, and buttons and texts that are shown with a text later.
    if (widget->objectName().startsWith("qt_") || widget->inherits("QComboBoxListView")) continue;
    if (!widget->isVisible() && (widget->inherits("QLabel") || widget->inherits("QPushButton"))) continue;
    if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr) continue;
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
    REQUIRE(accessible != nullptr);
    if (!accessible->text(QAccessible::Name).isEmpty()) continue;
    QWidget* panel = widget;
    while (panel->parentWidget() != nullptr && qobject_cast<QDockWidget*>(panel) == nullptr)
      panel = panel->parentWidget();
    found << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                 widget->objectName() + " in " + panel->objectName();
  }
  found.removeDuplicates();
  return found;
}

}  // namespace

TEST_CASE("all that takes the focus has a name for screen readers", "[gui][accessibility]") {
  TwoBoxes boxes({}, shift(0, 3, 0));
  CHECK(nameless(boxes.gui.window).join("\n").toStdString() == "");
}

TEST_CASE("the dialogs have names for screen readers", "[gui][accessibility]") {
  TwoBoxes boxes({}, shift(0, 3, 0));
  for (const char* command : {"rules", "picture", "about"}) {
    CAPTURE(command);
    whenAsked(
        [&](QDialog& dialog) {
          CHECK(nameless(dialog).join("\n").toStdString() == "");
          dialog.reject();
        },
        [&] { boxes.gui.window.commands().action(command).trigger(); });
  }
}

TEST_CASE("the dialogs that do not block the window have names for screen readers", "[gui][accessibility]") {
  TwoBoxes boxes({}, shift(0, 3, 0));
  for (const char* command : {"preferences", "keys", "palette"}) {
    CAPTURE(command);
    boxes.gui.window.commands().action(command).trigger();
    QApplication::processEvents();
  }
  CHECK(nameless(boxes.gui.window).join("\n").toStdString() == "");
}

}  // namespace accessibility_tests

// Every action of the menus can be reached by keys and says what it does.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include <QAbstractButton>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include "viewer/gui/window_session.h"

namespace actions_tests {

using namespace fitup::test;

namespace {

void collect(const QList<QAction*>& actions, const QString& path, std::map<QString, QAction*>& found) {
  for (QAction* action : actions) {
    if (action->isSeparator()) continue;
    const QString name = path + action->text();
    if (action->menu() != nullptr) {
      // Menus that are filled when they open.
      QMetaObject::invokeMethod(action->menu(), "aboutToShow");
      collect(action->menu()->actions(), name + " > ", found);
    } else {
      found[name] = action;
    }
  }
}

/// What a menu lists besides its own actions: files and views of the user.
bool isListed(const QString& name) { return name.contains("recent") || name.contains("Named views"); }

}  // namespace

TEST_CASE("every action has keys and a tooltip of its own, and no two share keys", "[gui]") {
  WindowSession gui;
  std::map<QString, QAction*> actions;
  collect(gui.window.menuBar()->actions(), {}, actions);
  REQUIRE(actions.size() > 50);
  std::map<QString, QString> keys;
  for (const auto& [name, action] : actions) {
    CAPTURE(name.toStdString());
    if (isListed(name)) continue;
    CHECK_FALSE(action->shortcuts().isEmpty());
    // Qt makes a tooltip of the text where there is none.
    QString text = action->text();
    text.remove('&').remove("...");
    CHECK(action->toolTip() != text);
    CHECK_FALSE(action->toolTip().isEmpty());
    for (const QKeySequence& sequence : action->shortcuts()) {
      const QString key = sequence.toString();
      INFO(key.toStdString() << " is also of " << keys[key].toStdString());
      CHECK(keys[key].isEmpty());
      keys[key] = name;
    }
  }
  // What the tool bar offers is in the menus too.
  for (const QToolBar* bar : gui.window.findChildren<QToolBar*>())
    for (QAction* action : bar->actions()) {
      if (action->isSeparator() || action->text().isEmpty()) continue;
      CAPTURE(action->text().toStdString());
      CHECK(std::any_of(actions.begin(), actions.end(), [&](const auto& a) { return a.second == action; }));
    }
  for (const QDockWidget* dock : gui.window.findChildren<QDockWidget*>())
    CHECK(actions.contains("&View > &Panels > " + dock->windowTitle()));
}

TEST_CASE("every field and button of the panels says what it is for", "[gui]") {
  WindowSession gui;
  for (const QDockWidget* dock : gui.window.findChildren<QDockWidget*>())
    for (const QWidget* widget : dock->widget()->findChildren<QWidget*>()) {
      const QByteArray kind = widget->metaObject()->className();
      const bool isButton = widget->inherits("QAbstractButton"),
                 isField = widget->inherits("QAbstractSpinBox") || widget->inherits("QComboBox") ||
                           widget->inherits("QAbstractSlider");
      // Parts of other widgets: scroll bars, corner buttons.
      if ((!isButton && !isField) || widget->inherits("QScrollBar") ||
          widget->parentWidget()->inherits("QAbstractItemView") ||
          widget->parentWidget()->inherits("QLineEdit") || widget->parentWidget()->inherits("QTabBar"))
        continue;
      CAPTURE(dock->windowTitle().toStdString(), kind.toStdString(), widget->accessibleName().toStdString());
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      CAPTURE((button != nullptr ? button->text() : QString()).toStdString());
      CHECK_FALSE(widget->toolTip().isEmpty());
    }
}

}  // namespace actions_tests

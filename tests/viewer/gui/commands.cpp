// Tests that each command is defined once: menus, keys, scripts and the manual agree.
#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <QAbstractButton>
#include <QDockWidget>
#include <QMenuBar>
#include <QToolBar>

#include <viewer/gui/commands.h>
#include <viewer/gui/context_menus.h>
#include <viewer/gui/interference_table.h>

#include "viewer/gui/window_session.h"

namespace commands_tests {

using namespace fitup;
using namespace fitup::test;
using viewer::Command;
using viewer::Commands;

namespace {

const std::string spool = "select process-plant/piping/spool";

std::map<const QAction*, const Command*> commandsOfActions(const Commands& commands) {
  std::map<const QAction*, const Command*> found;
  for (const auto& command : commands.all())
    if (!command->entry.text.isEmpty()) found[&commands.action(command->id)] = command.get();
  return found;
}

/// Returns the entries of a menu and of those below it, without entries that open lists of the user's files
/// or views.
QList<QAction*> entriesOf(const QWidget& menu) {
  QList<QAction*> entries;
  for (QAction* action : menu.actions()) {
    const bool isListed = action->text().contains("recent") || action->text().contains("Named views");
    if (action->menu() != nullptr && !isListed) entries += entriesOf(*action->menu());
    if (action->menu() == nullptr && !action->isSeparator() && !action->text().isEmpty()) entries += action;
  }
  return entries;
}

QString plain(QString text) { return text.remove('&').remove("..."); }

/// Returns the usages of commands in the manual's table; "mode off|stop" stands for two if no command takes
/// such a choice.
std::set<std::string> documented(const std::string& manual, const std::set<std::string>& usages) {
  std::set<std::string> found;
  std::istringstream table(manual.substr(manual.find("\n| command | |")));
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line) && line.starts_with('|')) {
    const QStringList parts = QString::fromStdString(line).replace("\\|", "\t").section('|', 1, 1).split('`');
    for (qsizetype i = 1; i < parts.size(); i += 2) {
      const QString usage = QString(parts[i]).replace('\t', '|');
      if (usages.contains(usage.toStdString()) || !usage.contains('|')) {
        found.insert(usage.toStdString());
        continue;
      }
      for (const QString& choice : usage.section(' ', 1).split('|'))
        found.insert((usage.section(' ', 0, 0) + ' ' + choice).toStdString());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("every entry of a menu is a command with a name, keys and a tooltip of its own", "[gui]") {
  WindowSession gui;
  const Commands& commands = gui.window.commands();
  const auto ofActions = commandsOfActions(commands);
  std::set<std::string> ids;
  std::map<QString, std::string> keys;
  for (const auto& command : commands.all()) {
    CAPTURE(command->id);
    CHECK(ids.insert(command->id).second);
    if (command->entry.keys.isEmpty()) continue;
    for (const QKeySequence& key : QKeySequence::listFromString(command->entry.keys)) {
      CHECK_FALSE(key.isEmpty());
      INFO(key.toString().toStdString() << " is also of " << keys[key.toString()]);
      CHECK(keys[key.toString()].empty());
      keys[key.toString()] = command->id;
    }
  }
  const QList<QAction*> entries = entriesOf(*gui.window.menuBar());
  CHECK(entries.size() > 50);
  for (const QAction* action : entries) {
    CAPTURE(action->text().toStdString());
    REQUIRE(ofActions.contains(action));
    const Command& command = *ofActions.at(action);
    CHECK_FALSE(action->shortcuts().isEmpty());
    CHECK(action->shortcuts() == QKeySequence::listFromString(command.entry.keys));
    // Without a tooltip, Qt makes one of the text.
    CHECK(action->toolTip() != plain(action->text()));
    CHECK_FALSE(action->toolTip().isEmpty());
  }
  // Everything in bars is in the menus too.
  for (const QToolBar* bar : gui.window.findChildren<QToolBar*>())
    for (QAction* action : entriesOf(*bar)) {
      CAPTURE(action->text().toStdString());
      CHECK(entries.contains(action));
    }
  // Entries of context menus are commands, or repeat one with another text, under the same keys.
  viewer::ContextMenus& menus = gui.window.contextMenus();
  for (const QMenu* menu : {&menus.ofParts(), &menus.ofLines(), &menus.ofBackground(), &menus.ofFindings()}) {
    CHECK(menu->actions().size() > 5);
    for (const QAction* action : menu->actions()) {
      CAPTURE(action->text().toStdString());
      if (action->isSeparator() || action->menu() != nullptr || action->text().isEmpty()) continue;
      const bool isOwnKey = action->shortcut().isEmpty() || keys.contains(action->shortcut().toString());
      CHECK((ofActions.contains(action) || action->shortcutContext() == Qt::WidgetShortcut));
      CHECK((isOwnKey || action == &gui.window.table().copyAction()));
      CHECK_FALSE(action->toolTip().isEmpty());
    }
  }
  for (const QDockWidget* dock : gui.window.findChildren<QDockWidget*>())
    CHECK(ids.contains("panel " + dock->windowTitle().toStdString()));
}

TEST_CASE("menus are grey and marked as the commands say", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  const Commands& commands = gui.window.commands();
  std::size_t grey = 0, marked = 0;
  const auto look = [&](const std::string& state) {
    for (const auto& [action, command] : commandsOfActions(commands)) {
      CAPTURE(state, command->id);
      CHECK(action->isEnabled() == commands.isEnabled(*command));
      CHECK(action->isCheckable() == static_cast<bool>(command->checked));
      if (command->checked) CHECK(action->isChecked() == command->checked());
      grey += action->isEnabled() ? 0 : 1;
      marked += action->isChecked() ? 1 : 0;
    }
  };
  const auto isGrey = [&](const char* id) { return !commands.action(id).isEnabled(); };
  look("nothing is open");
  CHECK(grey > 30);
  CHECK((isGrey("save") && isGrey("undo") && isGrey("isolate") && isGrey("tolerance") && !isGrey("dim")));
  gui.open(plant.model);
  grey = 0;
  look("a model is open");
  CHECK(grey == 7);
  CHECK((isGrey("undo") && isGrey("redo") && isGrey("check-only off")));
  // No way out was looked for.
  const auto hasNoWay = [&] {
    return isGrey("way-out accept") && isGrey("way-out again") && isGrey("way-out stop") &&
           isGrey("way-out remove-guide");
  };
  CHECK(hasNoWay());
  CHECK(gui.run({}, {spool, "check-only with", "tolerance 0.5", "undo", "dim on", "measuring on", "mode stop",
                     "query first", "navigation blender", "panel Expert"}) == "");
  grey = 0;
  look("something was done");
  CHECK(grey == 4);
  CHECK(hasNoWay());
  CHECK(commands.action("redo").text() == "&Redo: Tolerance");
  CHECK(commands.action("undo").text() == "&Undo: Check these parts only");
}

TEST_CASE("an entry of a menu does what the command's line in a script does", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  Commands& commands = gui.window.commands();
  // Switches, and choices of which one is active.
  for (const auto& [action, command] : commandsOfActions(commands)) {
    if (!command->checked || command->needs != Command::Needs::nothing || command->ask) continue;
    CAPTURE(command->id);
    const bool before = command->checked();
    gui.window.commands().action(command->id).trigger();
    CHECK(command->checked() == (command->parameters.empty() || !before));
    CHECK(action->isChecked() == command->checked());
    if (command->parameters.empty()) continue;
    CHECK(gui.run({}, {command->id + (before ? " on" : " off")}) == "");
    CHECK(command->checked() == before);
  }
  CHECK(gui.run({}, {"theme system"}) == "");  // the theme is that of all windows
  // If there is nothing to do, menus do nothing and show nothing; scripts end.
  gui.open(plant.model);
  CHECK(gui.run({}, {"search nowhere"}) == "");
  const viewer::Session& session = *gui.document.session();
  for (const char* id : {"isolate", "hide", "ghost", "reset", "check-only with", "join", "next-offer",
                         "finding", "finding previous", "insert-step", "delete-step", "move-step later",
                         "reverse", "find-clashes", "next-clash"}) {
    CAPTURE(id);
    CHECK(commands.action(id).isEnabled());
    commands.action(id).trigger();
    gui.settle();
    CHECK_FALSE(session.history().canUndo());
    CHECK(gui.window.errorText().isEmpty());
    CHECK(gui.run({}, {id}) != "");
  }
  // Errors are reported.
  CHECK(gui.run({}, {"search", spool}) == "");
  commands.action("check-only among").trigger();
  CHECK(gui.window.errorText().contains("two"));
}

TEST_CASE("scripts can do what menus do without asking", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const auto state = [&]() -> const viewer::SessionState& { return gui.document.session()->state(); };
  CHECK(gui.run({}, {"check off", "distance off", "mates off", "query triangles", "keep-view \"from here\"",
                     "section across"}) == "");
  const viewer::CheckSettings& settings = gui.document.check().settings();
  CHECK_FALSE((settings.on || settings.distance || settings.mates));
  CHECK(settings.mode == QueryMode::allTrianglePairs);
  CHECK(state().namedViews.contains("from here"));
  CHECK(state().sections.at(0).enabled);
  const Vec3 normal = state().sections.at(0).normal;
  CHECK(gui.run({}, {"section flip", "section toggle"}) == "");
  CHECK(state().sections.at(0).normal == -normal);
  CHECK_FALSE(state().sections.at(0).enabled);
  CHECK(gui.run({}, {"check on", "search", spool, "move 0 0 100", "key-pose", "move 0 0 100", "key-pose",
                     "record off"}) == "");
  CHECK(state().tracks.size() == 1);
  CHECK_FALSE(state().motions.empty());
  CHECK(gui.run({}, {"reset"}) == "");
  CHECK(state().motions.empty());
  CHECK(gui.run({}, {spool, "measure process-plant/equipment/tank", "measure-selected"}) == "");
  CHECK(gui.window.measure().entries().size() == 1);
  CHECK(gui.run({}, {"remove-measurements"}) == "");
  CHECK(gui.window.measure().entries().empty());
  // Arguments are checked before anything is done.
  CHECK(gui.run({}, {"check perhaps"}) == "session, line 1: 'perhaps' is not one of on, off");
  CHECK(gui.run({}, {"mode"}) == "session, line 1: 'mode' has 0 arguments");
  CHECK(gui.run({}, {"frame selection all"}) == "session, line 1: 'frame' has 2 arguments");
  CHECK(gui.run({}, {"frame sideways"}) == "session, line 1: 'sideways' is not one of all");
  CHECK(gui.run({}, {"save-as"}) == "session, line 1: there is no command 'save-as'");
}

TEST_CASE("the manual lists all commands of scripts, and all keys", "[gui]") {
  const std::filesystem::path file =
      std::filesystem::path(FITUP_SOURCE_DIR) / "docs" / "reference" / "viewer.md";
  std::ifstream stream(file);
  const std::string manual(std::istreambuf_iterator<char>(stream), {});
  WindowSession gui;
  const Commands& commands = gui.window.commands();
  std::set<std::string> usages;
  for (const auto& command : commands.all())
    if (command->execute && !command->id.starts_with("panel ")) usages.insert(command->usage());
  usages.insert("panel NAME");
  CHECK(documented(manual, usages) == usages);
  for (const QAction* menu : gui.window.menuBar()->actions()) {
    QStringList entries;
    const auto ofActions = commandsOfActions(commands);
    for (const QAction* action : entriesOf(*menu->menu())) {
      const viewer::MenuEntry& entry = ofActions.at(action)->entry;
      entries += plain(entry.text) + ": " + QString(entry.keys).replace(";", " or");
    }
    const std::string row = ("| " + plain(menu->text()) + " | " + entries.join("; ") + " |\n").toStdString();
    INFO(row);
    CHECK(manual.find(row) != std::string::npos);
  }
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

}  // namespace commands_tests

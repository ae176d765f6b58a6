#pragma once

#include <vector>

#include <QMenuBar>
#include <QString>

namespace fitup::viewer {

class Commands;
struct Command;

/// A command with its place in the menus.
struct PlacedCommand {
  const Command* command = nullptr;
  QString menu;  ///< "View > Display"
  QString text;  ///< as the menu shows it now, without the mark of its key
};

/// The commands in the menus, in their order.
std::vector<PlacedCommand> commandsInMenus(const QMenuBar& bar, const Commands& commands);

/// Returns the text of an entry without the & that marks a key.
QString withoutMnemonic(const QString& text);

/// Returns keys as the user's system writes them: "Ctrl+Y or Ctrl+Shift+Z". `keys` as in `MenuEntry`.
QString keysText(const QString& keys);

}  // namespace fitup::viewer

#pragma once

namespace fitup::viewer {

class Commands;
class FileCommands;
class MainWindow;

/// Fills the menu bar, the tool bar and the menus of panels: the order of commands in them stands here alone.
void fillMenus(MainWindow& window, const Commands& commands, FileCommands& files);

}  // namespace fitup::viewer

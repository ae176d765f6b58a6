#pragma once

namespace fitup::viewer {

class Commands;
class FileCommands;
class MainWindow;

/// Fills the menu bar, the tool bar and the menus of panels. This alone decides the order of commands in
/// them.
void fillMenus(MainWindow& window, const Commands& commands, FileCommands& files);

}  // namespace fitup::viewer

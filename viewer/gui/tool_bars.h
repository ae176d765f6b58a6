#pragma once

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// Adds the tool bars to a window: for files and undo, for the selection, for the view, and for drag modes
/// and checks. Their buttons are commands, or open menus of commands that exclude each other.
void addToolBars(MainWindow& window, const Commands& commands);

}  // namespace fitup::viewer

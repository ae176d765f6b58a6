#pragma once

#include <viewer/gui/language.h>

namespace fitup::viewer {

class MainWindow;

// Keeps the user's working settings for the next start by QSettings: drag mode, steps, what is measured,
// offered, dimmed and painted, the default tolerance, the unit of lengths, and the looks of view and windows.
// Invalid values are ignored.

void rememberSettings(MainWindow& window);
void recallSettings(MainWindow& window);
/// The language is needed before the window is made.
Language recalledLanguage();

}  // namespace fitup::viewer

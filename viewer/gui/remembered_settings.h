#pragma once

namespace fitup::viewer {

class MainWindow;

// What a user has chosen for the way of working, kept for the next start by QSettings: drag mode, steps, what
// is measured, offered and dimmed. Values that make no sense are passed over.

void rememberSettings(MainWindow& window);
void recallSettings(MainWindow& window);

}  // namespace fitup::viewer

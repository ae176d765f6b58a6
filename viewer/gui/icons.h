#pragma once

#include <string>

#include <QIcon>

namespace fitup::viewer {

/// Returns the icon of a command, or of another name in the folder `icons`; null if it has none. Files are
/// named as the command's id, with '-' for each blank. Icons are drawn in the text colour that the
/// application's palette has at that time, and at the resolution of the screen.
QIcon commandIcon(const std::string& id);

}  // namespace fitup::viewer
